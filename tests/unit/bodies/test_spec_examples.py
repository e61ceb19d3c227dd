"""The request examples of the published specification load as definitions and render to what they say."""

import json
import re
from pathlib import Path

import pytest
from as_definitions import rendered

from azsearch_ops.bodies.normal import normal

SPEC = Path(__file__).parents[4] / "shared" / "spec"
EXAMPLES = sorted(SPEC.glob("*/examples/SearchServiceCreate*.json"))
KINDS = {
    "Index": "index",
    "Skillset": "skillset",
    "DataSource": "dataSource",
    "Indexer": "indexer",
    "SynonymMap": "synonymMap",
    "Alias": "alias",
}
pytestmark = pytest.mark.skipif(not EXAMPLES, reason="the specification is not on this machine")


def example(path):
    document = json.loads(path.read_text("utf-8"))
    kind = KINDS[re.sub("SearchServiceCreate(OrUpdate)?", "", path.stem)]
    return kind, next(value for value in document["parameters"].values() if isinstance(value, dict))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: f"{p.parent.parent.name}-{p.stem}")
def test_an_example_renders_to_itself(workspace, path):
    version = path.parent.parent.name
    kind, body = example(path)
    if kind == "alias":
        pytest.skip("an alias is a name in an index definition, and no file of its own")
    found = rendered(workspace, version, kind, body)
    assert left_out(kind, found) == left_out(kind, body)


def left_out(kind, body):
    """The normal form without own names, and without our own tolerance of failing documents."""
    form = normal(kind, body)
    if kind == "indexer":
        form["parameters"] = {
            k: v for k, v in form["parameters"].items() if k not in ("maxFailedItems", "maxFailedItemsPerBatch")
        }
    for selector in form.get("indexProjections", {}).get("selectors", ()):
        selector.pop("targetIndexName")
    return form
