"""The JSON Schemas: valid themselves, take what is sound, and refuse what is not."""

from pathlib import Path

import pytest
import yaml

from azsearch_ops.definitions.json_schema import KINDS, json_schema

jsonschema = pytest.importorskip("jsonschema")
REPOSITORY = Path(__file__).parents[3]
SCHEMAS = {kind: json_schema(kind) for kind in KINDS}
SAMPLE = {
    "index": "indexes/handbook/index.yaml",
    "skillset": "skillsets/handbook.yaml",
    "environment": "infra/environments/local.yaml",
    "queries": "indexes/handbook/queries.yaml",
}


def errors(kind, value):
    return [e.json_path for e in jsonschema.Draft202012Validator(SCHEMAS[kind]).iter_errors(value)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_schema_is_a_schema(kind):
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[kind])


@pytest.mark.parametrize("kind", sorted(SAMPLE))
def test_the_sample_is_valid(kind):
    assert errors(kind, yaml.safe_load((REPOSITORY / SAMPLE[kind]).read_text("utf-8"))) == []


FIELDS = [{"name": "id", "type": "Edm.String", "key": True}]


def index(**parts):
    body = {"fields": FIELDS}
    return {
        "name": "a",
        "alias": "a-live",
        "source": {"type": "azureblob", "connection": "c", "container": "x"},
        "index": {**body, **parts.pop("index", {})},
        "retrieval": {"mode": "text"},
        **parts,
    }


@pytest.mark.parametrize(
    ("kind", "value", "sound"),
    [
        ("index", index(), True),
        ("index", index(retrieval={"mode": "text", "top": "{{ top }}"}), True),
        ("index", index(retrieval={"mode": "text", "top": "five"}), False),
        ("index", index(retrieval={"mode": "texts"}), False),
        ("index", index(retrieval={"mode": "{{ mode }}"}), True),
        ("index", index(index={"fields": [{"name": "v", "type": "Edm.Sting"}]}), False),
        ("index", index(index={"fields": [{"name": "v", "type": "Edm.String", "key": "{{ yes }}"}]}), True),
        ("index", index(index={"fields": [{"name": "v", "type": "Edm.String", "key": "yes"}]}), False),
        ("index", index(index={"@odata.etag": "x", "suggesters": None}), True),
        ("index", index(index={"sugesters": []}), False),
        (
            "index",
            index(index={"vectorSearch": {"algorithms": [{"name": "a", "kind": "hnsw", "hnswParameters": {"m": 20}}]}}),
            False,
        ),
        (
            "index",
            index(
                index={
                    "vectorSearch": {"algorithms": [{"name": "a", "kind": "hnsw", "hnswParameters": {"m": "{{m}}"}}]}
                }
            ),
            True,
        ),
        (
            "skillset",
            {
                "name": "s",
                "skills": [
                    {"@odata.type": "#Microsoft.Skills.Util.ShaperSkill", "inputs": [], "outputs": [{"name": "output"}]}
                ],
            },
            True,
        ),
        ("skillset", {"name": "s", "chunking": {"maximumPageLength": "{{ length }}"}}, True),
        ("skillset", {"name": "s", "chunking": {"maximumPagelength": 5}}, False),
        (
            "skillset",
            {"name": "s", "skills": [{"@odata.type": "#Microsoft.Skills.Text.SplitSkill", "pages": 1}]},
            False,
        ),
        ("environment", {"endpoint": "local", "protected": "{{ env.P }}", "api": "strict"}, True),
        ("environment", {"endpoint": "local", "protect": True}, False),
        ("queries", {"queries": [{"query": "a", "relevant": [{"document": "a.md", "grade": 1}]}]}, True),
        ("queries", {"queries": [{"question": "a"}]}, False),
        ("synonymmap", {"name": "terms", "synonyms": ["a, b"]}, True),
        ("synonymmap", {"name": "terms"}, False),
        ("index", {"extends": "../_base.yaml", **index()}, True),
    ],
)
def test_what_is_sound_and_what_is_not(kind, value, sound):
    assert (errors(kind, value) == []) is sound
