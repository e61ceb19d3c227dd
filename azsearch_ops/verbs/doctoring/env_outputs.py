"""An environment file from the outputs of the deployment that made the environment, one to one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

from azsearch_ops.contract.names import check_name
from azsearch_ops.errors import UsageError

# The outputs of infra/azure/main.bicep. A test holds the two equal.
OUTPUTS: Final = (
    "environmentName",
    "searchEndpoint",
    "searchAudience",
    "apiVersion",
    "protectedEnvironment",
    "storageConnection",
    "storageContainer",
    "openAiEndpoint",
    "bulkDeployment",
    "queryDeployment",
    "embeddingModel",
    "embeddingDimensions",
)
PUBLIC_AUDIENCE: Final = "https://search.azure.com"


@dataclass(frozen=True, slots=True)
class Written:
    """The environment's file; `changed` is false where it was like that already."""

    name: str
    path: Path
    changed: bool


def write_environment(root: Path, file: Path, name: str | None, *, force: bool) -> Written:
    """Write infra/environments/NAME.yaml. UsageError for outputs that lack something, or a file that would be lost."""
    outputs = read_outputs(file)
    chosen = name or str(outputs["environmentName"])
    if reason := check_name("index", chosen):
        raise UsageError(f"'{chosen}' is no name for an environment: {reason}", hint="choose another with --name")
    text = environment_text(outputs)
    path = root / "infra" / "environments" / f"{chosen}.yaml"
    if path.exists():
        if path.read_text("utf-8") == text:
            return Written(chosen, path, changed=False)
        if not force:
            raise UsageError(f"{path} is there and differs", hint="pass --force, or another --name")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return Written(chosen, path, changed=True)


def read_outputs(file: Path) -> dict[str, Any]:
    """The values by name, from a whole deployment, its outputs, or name → value; UsageError if one is missing."""
    try:
        content = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{file} cannot be read as JSON: {error}") from error
    found: Any = content
    for step in ("properties", "outputs"):
        if isinstance(found, Mapping) and step in found:
            found = found[step]
    if not isinstance(found, Mapping):
        raise UsageError(f"{file} holds no outputs of a deployment")
    values = {k: v["value"] if isinstance(v, Mapping) and "value" in v else v for k, v in found.items()}
    missing = [name for name in OUTPUTS if name not in values]
    if missing:
        raise UsageError(f"the outputs lack {', '.join(missing)}", hint="deploy infra/azure/main.bicep")
    return values


def environment_text(outputs: Mapping[str, Any]) -> str:
    """The environment's file; nothing in it is secret, for access is by identity."""
    document: dict[str, Any] = {"endpoint": outputs["searchEndpoint"], "apiVersion": outputs["apiVersion"]}
    if outputs["searchAudience"] != PUBLIC_AUDIENCE:
        document["audience"] = outputs["searchAudience"]
    if outputs["protectedEnvironment"]:
        document["protected"] = True
    document["connections"] = {"docs": {"connectionString": outputs["storageConnection"]}}
    document["variables"] = {
        "docs": {"container": outputs["storageContainer"]},
        "embedding": {
            "resourceUri": str(outputs["openAiEndpoint"]).rstrip("/"),
            "deployment": outputs["bulkDeployment"],
            "queryDeployment": outputs["queryDeployment"],
            "model": outputs["embeddingModel"],
            "dimensions": outputs["embeddingDimensions"],
        },
    }
    head = (
        "# Written by `azsearch-ops env from-outputs`; change the deployment and write it again.\n"
        "# embedding.queryDeployment is for a vectorizer that an index defines itself in its vectorSearch: then a\n"
        "# build does not take the tokens of the questions.\n"
    )
    return head + yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=120)
