"""The templates parse, name every parameter that they are given, and put out what an environment file is made of."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from pycep import BicepParser

from azsearch_ops.definitions.project import load_project
from azsearch_ops.errors import UsageError
from azsearch_ops.verbs.doctoring.env_outputs import OUTPUTS, write_environment

AZURE = Path(__file__).parents[3] / "infra" / "azure"
FILES = sorted(AZURE.rglob("*.bicep"))
FOR_PEOPLE = {"clientId", "tenantId", "searchResourceId"}

VALUES: dict[str, Any] = {
    "environmentName": "prod",
    "searchEndpoint": "https://srch-acme-prod.search.windows.net",
    "searchAudience": "https://search.azure.com",
    "apiVersion": "2026-04-01",
    "protectedEnvironment": True,
    "storageConnection": "ResourceId=/subscriptions/s/resourceGroups/r/providers/p/storageAccounts/a;",
    "storageContainer": "handbook",
    "openAiEndpoint": "https://oai-acme-prod.openai.azure.com/",
    "bulkDeployment": "embed-bulk",
    "queryDeployment": "embed-query",
    "embeddingModel": "text-embedding-3-small",
    "embeddingDimensions": 1536,
}


def parsed(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = BicepParser().parse(text=path.read_text("utf-8"))
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_a_template_parses_and_uses_its_parameters(path: Path) -> None:
    template = parsed(path)
    text = path.read_text("utf-8")
    for name in template.get("parameters", {}):
        assert len(re.findall(rf"\b{name}\b", text)) > 1, f"{name} is not used"


@pytest.mark.parametrize("path", sorted(AZURE.glob("parameters/*.json")), ids=lambda p: p.stem)
def test_parameter_files_give_what_the_template_takes(path: Path) -> None:
    parameters = parsed(AZURE / "main.bicep")["parameters"]
    given = json.loads(path.read_text("utf-8"))["parameters"]
    assert set(given) <= set(parameters)
    text = (AZURE / "main.bicep").read_text("utf-8")
    required = set(re.findall(r"^param (\w+) \w+$", text, re.MULTILINE))
    assert required <= set(given)
    assert given["environmentName"]["value"] == path.stem


def test_modules_get_every_parameter_that_they_need() -> None:
    text = (AZURE / "main.bicep").read_text("utf-8")
    for name, path, body in re.findall(r"^module (\w+) '([^']+)'[^{]*\{(.*?)^\}", text, re.MULTILINE | re.DOTALL):
        module = (AZURE / path).read_text("utf-8")
        required = set(re.findall(r"^param (\w+) \w+$", module, re.MULTILINE))
        given = set(re.findall(r"^    (\w+):", body, re.MULTILINE))
        assert required == given, name


def test_outputs_are_the_environment_files_one_to_one() -> None:
    assert set(parsed(AZURE / "main.bicep")["outputs"]) == {*OUTPUTS, *FOR_PEOPLE}
    assert set(VALUES) == set(OUTPUTS)


def test_every_output_stands_in_the_file_once_and_alone(tmp_path: Path) -> None:
    types = {str: "String", int: "Int", bool: "Bool"}
    outputs = {name: {"type": types[type(value)], "value": value} for name, value in VALUES.items()}
    outputs |= {name: {"type": "String", "value": f"of-{name}"} for name in FOR_PEOPLE}
    shown = {"id": "/subscriptions/s/deployments/main", "name": "main", "resourceGroup": "rg", "tags": None}
    shown |= {"properties": {"provisioningState": "Succeeded", "outputs": outputs, "outputResources": []}}
    file = tmp_path / "outputs.json"
    file.write_text(json.dumps(shown), "utf-8")
    written = yaml.safe_load(write_environment(tmp_path, file, None, force=False).path.read_text("utf-8"))
    assert written == {
        "endpoint": VALUES["searchEndpoint"],
        "apiVersion": VALUES["apiVersion"],
        "protected": True,
        "connections": {"docs": {"connectionString": VALUES["storageConnection"]}},
        "variables": {
            "docs": {"container": VALUES["storageContainer"]},
            "embedding": {
                "resourceUri": VALUES["openAiEndpoint"].rstrip("/"),
                "deployment": VALUES["bulkDeployment"],
                "queryDeployment": VALUES["queryDeployment"],
                "model": VALUES["embeddingModel"],
                "dimensions": VALUES["embeddingDimensions"],
            },
        },
    }
    outputs["searchAudience"]["value"] = "https://search.azure.us"
    outputs["protectedEnvironment"]["value"] = False
    file.write_text(json.dumps(shown), "utf-8")
    other = yaml.safe_load(write_environment(tmp_path, file, "gov", force=False).path.read_text("utf-8"))
    assert other == {k: v for k, v in written.items() if k != "protected"} | {"audience": "https://search.azure.us"}


def test_both_environments_fit_into_what_a_subscription_has_in_a_region() -> None:
    text = (AZURE / "main.bicep").read_text("utf-8")
    defaults = {n: int(v) for n, v in re.findall(r"^param (\w+Capacity) int = (\d+)$", text, re.MULTILINE)}
    assert len(defaults) == 2
    wanted = 0
    for path in AZURE.glob("parameters/*.json"):
        given = json.loads(path.read_text("utf-8"))["parameters"]
        wanted += sum(given.get(name, {"value": value})["value"] for name, value in defaults.items())
        assert given.get("publicAccess", {"value": False})["value"] or "subnetId" in given, "nobody could reach it"
    assert 0 < wanted <= 350


def test_no_template_makes_or_prints_a_key() -> None:
    for path in FILES:
        text = path.read_text("utf-8")
        assert "listKeys" not in text
        assert "listAdminKeys" not in text
    for module in ("search", "model"):
        assert "disableLocalAuth: true" in (AZURE / f"modules/{module}.bicep").read_text("utf-8")
    assert "allowSharedKeyAccess: false" in (AZURE / "modules/storage.bicep").read_text("utf-8")


@pytest.mark.parametrize("form", ["deployment", "outputs", "plain"])
def test_an_environment_file_is_written_from_outputs_and_loads(form: str, tmp_path: Path) -> None:
    outputs = {name: {"type": "String", "value": value} for name, value in VALUES.items()}
    content = {"deployment": {"properties": {"outputs": outputs}}, "outputs": outputs, "plain": VALUES}[form]
    file = tmp_path / "outputs.json"
    file.write_text(json.dumps(content), "utf-8")
    for part in ("indexes", "skillsets"):
        (tmp_path / part).symlink_to(AZURE.parents[1] / part)
    written = write_environment(tmp_path, file, None, force=False)
    assert (written.name, written.changed) == ("prod", True)
    assert yaml.safe_load(written.path.read_text("utf-8"))["endpoint"] == VALUES["searchEndpoint"]
    environment = load_project(tmp_path, "prod", {}).environment
    assert (environment.endpoint, environment.protected, environment.key) == (VALUES["searchEndpoint"], True, None)
    assert environment.connections["docs"].connection_string == VALUES["storageConnection"]
    assert write_environment(tmp_path, file, None, force=False).changed is False


def test_a_file_that_differs_is_not_lost_and_a_missing_output_is_named(tmp_path: Path) -> None:
    file = tmp_path / "outputs.json"
    file.write_text(json.dumps(VALUES), "utf-8")
    write_environment(tmp_path, file, "prod", force=False)
    file.write_text(json.dumps({**VALUES, "embeddingDimensions": 256}), "utf-8")
    with pytest.raises(UsageError, match="differs"):
        write_environment(tmp_path, file, "prod", force=False)
    assert write_environment(tmp_path, file, "prod", force=True).changed
    file.write_text(json.dumps({k: v for k, v in VALUES.items() if k != "bulkDeployment"}), "utf-8")
    with pytest.raises(UsageError, match="bulkDeployment"):
        write_environment(tmp_path, file, "prod", force=True)
