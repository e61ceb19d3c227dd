"""What another tool put on a service, imported: the definitions render what is there, property for property."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

from azsearch_ops.bodies.normal import normal
from azsearch_ops.bodies.render import render
from azsearch_ops.definitions.project import load_project
from azsearch_ops.definitions.secrets import resolve_secrets
from azsearch_ops.releasing.snapshot import Objects, take_snapshot
from azsearch_ops.verbs.importing.definitions import Fields
from azsearch_ops.verbs.importing.importing import import_index
from azsearch_ops.verbs.session import open_session
from azsearch_ops.verbs.shipping.planning import bodies_and_live, plan_one

TESTS = Path(__file__).parents[1]
SETS = sorted(path for path in (TESTS / "sets").iterdir() if path.is_dir())
STORED = sorted((TESTS / "unit/bodies/stored").iterdir())
ENVIRON = {"AI_KEY": "0123456789", "SEARCH_KEY": "conformance-key"}
ROUTES = {"index": "indexes", "skillset": "skillsets", "dataSource": "datasources", "indexer": "indexers"}


def bodies_of(root: Path) -> dict[str, dict[str, Any]]:
    """The bodies of a set, or those that were stored from a release, by kind; synonym maps by their names."""
    if (root / "bodies.json").exists():
        held = json.loads((root / "bodies.json").read_text("utf-8"))
        found = {"index": held["index"], "skillset": held["skillset"], "dataSource": held["data_source"]}
        return {**found, "indexer": {**held["indexer"], "schedule": held["schedule"]}}
    project = load_project(root, "local", ENVIRON)
    bodies = render(project, next(iter(project.indexes)))
    found = {"index": bodies.index, "skillset": bodies.skillset, "dataSource": bodies.data_source}
    maps = {f"synonymMap {body['name']}": body for body in bodies.synonym_maps}
    return {**maps, **{k: dict(v) for k, v in found.items() if v}, "indexer": {**bodies.indexer, **bodies.while_live}}


def put(http: httpx.Client, kind: str, body: Mapping[str, Any]) -> None:
    kind = kind.partition(" ")[0]
    route = "synonymmaps" if kind == "synonymMap" else ROUTES[kind]
    resolved = resolve_secrets(body, lambda name: ENVIRON[name])
    if kind == "dataSource":
        resolved = {**resolved, "credentials": {"connectionString": "LocalFolder=/nowhere"}}
    # Without a run of its own: what is in the index is another test's matter
    sent = {**resolved, "disabled": True} if kind == "indexer" else resolved
    answer = http.put(f"/{route}('{body['name']}')", json=sent, headers={"Prefer": "return=representation"})
    assert answer.status_code == 201, answer.text


@pytest.fixture(params=[*SETS, *STORED], ids=lambda path: path.name)
def there(request: pytest.FixtureRequest, http: httpx.Client, tmp_path: Path) -> Iterator[dict[str, dict[str, Any]]]:
    """The bodies of a set on the service, under the names that the set gives them."""
    shutil.copytree(request.param, tmp_path / "set")
    bodies = bodies_of(tmp_path / "set")
    for kind, body in bodies.items():
        put(http, kind, body)
    yield bodies


def test_what_is_there_is_what_the_definitions_say(there: dict[str, dict[str, Any]], service: Any, tmp_path: Path):
    check(there, imported(service, tmp_path, str(there["index"]["name"])))


VAULT = {"keyVaultKeyName": "key", "keyVaultKeyVersion": "1", "keyVaultUri": "https://vault.example"}
BESIDE = {
    "index": {
        "description": "{{ not a template }}",
        "corsOptions": {"allowedOrigins": ["https://a.example"], "maxAgeInSeconds": 30},
        "similarity": {"@odata.type": "#Microsoft.Azure.Search.BM25Similarity", "k1": 0.0, "b": 0.0},
        "suggesters": [{"name": "sg", "searchMode": "analyzingInfixMatching", "sourceFields": ["title"]}],
        "encryptionKey": VAULT,
    },
    "skillset": {
        "description": "What is read",
        "cognitiveServices": {"@odata.type": "#Microsoft.Azure.Search.DefaultCognitiveServices", "description": "free"},
        "knowledgeStore": {
            "storageConnectionString": "ResourceId=/subscriptions/0/storageAccounts/store;",
            "projections": [{"tables": [], "objects": [], "files": []}],
        },
        "encryptionKey": VAULT,
    },
    "dataSource": {
        "description": "Where it is read",
        "container": {"name": "manuals", "query": "public/2026"},
        "dataDeletionDetectionPolicy": {
            "@odata.type": "#Microsoft.Azure.Search.SoftDeleteColumnDeletionDetectionPolicy",
            "softDeleteColumnName": "gone",
            "softDeleteMarkerValue": "1",
        },
        "encryptionKey": VAULT,
    },
    "indexer": {
        "description": "When it is read",
        "schedule": {"interval": "PT45M", "startTime": "2026-01-05T06:00:00Z"},
        "parameters": {
            "batchSize": 7,
            "maxFailedItems": 3,
            "maxFailedItemsPerBatch": 0,
            "configuration": {
                "dataToExtract": "storageMetadata",
                "excludedFileNameExtensions": ".png,.jpg",
                "failOnUnsupportedContentType": False,
                "failOnUnprocessableDocument": False,
                "indexStorageMetadataOnlyForOversizedDocuments": True,
            },
        },
        "fieldMappings": [
            {
                "sourceFieldName": "metadata_storage_path",
                "targetFieldName": "chunk_id",
                "mappingFunction": {
                    "name": "base64Encode",
                    "parameters": {"useHttpServerUtilityUrlTokenEncode": False},
                },
            },
            {"sourceFieldName": "metadata_author", "targetFieldName": "title"},
        ],
        "outputFieldMappings": [{"sourceFieldName": "/document/first", "targetFieldName": "title"}],
        "encryptionKey": VAULT,
    },
}
"""What no set says: each with another value than what is left out means."""


def test_nothing_else_is_lost(http: httpx.Client, service: Any, tmp_path: Path):
    shutil.copytree(TESTS / "sets/manuals", tmp_path / "set")
    bodies = {kind: {**body, **BESIDE[kind]} for kind, body in bodies_of(tmp_path / "set").items()}
    further = {
        "@odata.type": "#Microsoft.Skills.Util.ConditionalSkill",
        "name": "first",
        "description": "The title, or else the name",
        "context": "/document",
        "inputs": [
            {"name": "condition", "source": "= $(/document/metadata_title) == null"},
            {"name": "whenTrue", "source": "/document/metadata_storage_name"},
            {"name": "whenFalse", "source": "/document/metadata_title"},
        ],
        "outputs": [{"name": "output", "targetName": "first"}],
    }
    bodies["skillset"]["skills"] = [*bodies["skillset"]["skills"], further]
    for kind, body in bodies.items():
        put(http, kind, body)
    found = imported(service, tmp_path, str(bodies["index"]["name"]))
    check(bodies, found)
    rendered = found[0]["indexer"]["schedule"]
    assert rendered == BESIDE["indexer"]["schedule"], "the start, which the normal form leaves out"
    for kind, members in BESIDE.items():
        for name in members:
            assert name in found[0][kind], f"{kind}.{name}"


Rendered = dict[str, Mapping[str, Any]]


def imported(service: Any, folder: Path, index: str) -> tuple[Rendered, Objects]:
    """The bodies that the imported definitions render to, which plan no change, and everything on the service."""
    root = folder / "imported"
    (root / "infra/environments").mkdir(parents=True)
    environment = f'endpoint: {service.endpoint}\napiVersion: "2026-04-01"\nkey: "{{{{ secret(\'SEARCH_KEY\') }}}}"\n'
    (root / "infra/environments/local.yaml").write_text(environment, "utf-8")
    with open_session(root, "local", ENVIRON, may_be_empty=True) as session:
        assert import_index(session, "taken", "taken-live", index, Fields(None, None)).index == index
    with open_session(root, "local", ENVIRON) as session:
        planned = plan_one(session, session.project.indexes["taken"])
        assert (planned.plan.action, planned.plan.changes) == ("none", ())
        bodies, live = bodies_and_live(session, session.project.indexes["taken"])
        assert live is not None and live.adopted
        rendered = {
            "index": bodies.index,
            "skillset": bodies.skillset,
            "indexer": {**bodies.indexer, **bodies.while_live},
            "dataSource": bodies.data_source,
        }
        return rendered, take_snapshot(session.service)


def check(sent: Mapping[str, Mapping[str, Any]], found: tuple[Rendered, Objects]) -> None:
    """What the definitions render is what the service holds, and what was sent to it."""
    rendered, objects = found
    for kind, body in rendered.items():
        if not body:
            assert kind not in sent
            continue
        held = objects.find(kind, str(sent[kind]["name"]))
        assert held is not None
        assert own(kind, body) == own(kind, held), kind
        expected = {**sent[kind], "disabled": True} if kind == "indexer" else sent[kind]
        assert own(kind, body) == own(kind, expected), f"{kind}, as it was sent"


def own(kind: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """The normal form under one name, whatever the object and what it refers to are called."""
    names = {"name", "dataSourceName", "skillsetName", "targetIndexName"}
    result = {key: value for key, value in normal(kind, body).items() if key not in names}
    for selector in (result.get("indexProjections") or {}).get("selectors") or ():
        selector.pop("targetIndexName")
    return result
