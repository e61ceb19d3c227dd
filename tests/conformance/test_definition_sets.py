"""Ten definition sets in frequent shapes: validated, put object by object, read back, planned: no change."""

import shutil
import time
from pathlib import Path

import pytest
from azure.search.documents.indexes.models import SearchIndex, SearchIndexer, SearchIndexerSkillset, SynonymMap

from azsearch_ops.bodies.normal import normal
from azsearch_ops.bodies.render import render
from azsearch_ops.contract.skills import EMBEDDING_ODATA_TYPE
from azsearch_ops.contract.text_split import ODATA_TYPE
from azsearch_ops.definitions.project import load_project
from azsearch_ops.planning.builder import build_plan
from azsearch_ops.planning.live import LiveState
from azsearch_ops.releasing.candidate import ensure_object
from azsearch_ops.service.connect import connect
from azsearch_ops.verbs.checking import validate

SETS = Path(__file__).parents[1] / "sets"
NAMES = sorted(path.name for path in SETS.iterdir() if path.is_dir())
ENVIRON = {"AI_KEY": "0123456789"}
REFUSED = {"prices": "the deletion detection policy"}
"""Sets that the local service takes and does not run, and what it says then."""


@pytest.fixture(params=NAMES)
def project(request, tmp_path):
    shutil.copytree(SETS / request.param, tmp_path / request.param)
    return load_project(tmp_path / request.param, "local", ENVIRON)


def own(project):
    return render(project, next(iter(project.indexes)))


def test_there_are_ten():
    assert len(NAMES) == 10


def test_a_set_is_sound(project):
    found = validate(project.root, "local", ENVIRON)
    assert {p.code for p in found.problems} <= {"AZS604"}, found.problems


def test_a_set_comes_back_from_the_service_as_it_was_sent(project, service):
    bodies = own(project)
    client = connect(
        service.endpoint, key="conformance-key", api_version="2026-04-01", resolve=lambda body: resolved(body)
    )
    objects = [
        *(("synonymMap", body) for body in bodies.synonym_maps),
        ("dataSource", bodies.data_source),
        ("index", bodies.index),
        *([("skillset", bodies.skillset)] if bodies.skillset else []),
        ("indexer", {**bodies.indexer, "disabled": True}),
    ]
    try:
        for kind, body in objects:
            assert ensure_object(client, kind, body).created
            assert not ensure_object(client, kind, body).created, f"{kind}: a second look wrote again"
        live = LiveState(
            index_name=bodies.candidate,
            index=client.get("index", bodies.candidate),
            skillset=client.get("skillset", bodies.candidate) if bodies.skillset else None,
            data_source=client.get("dataSource", bodies.data_source_name),
            indexer={**client.get("indexer", bodies.candidate), "disabled": False, "schedule": bodies.schedule},
            search=bodies.search,
            rebuild_digest=bodies.rebuild_digest,
        )
        filled = run_to_its_end(client, bodies)
    finally:
        client.close()
    assert filled is None or filled >= 1, "the set's documents are in the index"
    plan = build_plan(bodies, live, project.locate_for(bodies.name))
    assert (plan.action, plan.changes) == ("none", ())


def run_to_its_end(client, bodies):
    """Fill the index, without skills that the local service refuses to guess at; how many documents it has."""
    skills = {skill["@odata.type"] for skill in bodies.skillset.get("skills", ())}
    indexer = dict(bodies.indexer)
    if not skills <= {ODATA_TYPE, EMBEDDING_ODATA_TYPE}:
        indexer |= {"skillsetName": None, "outputFieldMappings": []}
    ensure_object(client, "indexer", indexer)
    client.run_indexer(bodies.candidate)
    deadline = time.monotonic() + 60
    while (last := client.indexer_status(bodies.candidate)["lastResult"]) is None or last["status"] == "inProgress":
        assert time.monotonic() < deadline
        time.sleep(0.05)
    if bodies.name in REFUSED:
        assert REFUSED[bodies.name] in last["errorMessage"]
        return None
    assert last["status"] == "success", last
    return client.count(bodies.candidate)


def resolved(body):
    from azsearch_ops.definitions.secrets import resolve_secrets

    return resolve_secrets(body, lambda name: ENVIRON[name])


def test_the_sdk_passes_bodies_through_as_they_are(project):
    bodies = own(project)
    for kind, model, body in (
        ("index", SearchIndex, bodies.index),
        ("indexer", SearchIndexer, bodies.indexer),
        *([("skillset", SearchIndexerSkillset, bodies.skillset)] if bodies.skillset else []),
        *(("synonymMap", SynonymMap, body) for body in bodies.synonym_maps),
    ):
        # The SDK states the one search mode that suggesters have
        assert normal(kind, model(body).as_dict()) == normal(kind, body)
