"""What was sent to the hosted service and what it answered are one normal form, in every recorded exchange."""

import json
import re
from pathlib import Path

import pytest

from azsearch_ops.bodies.normal import normal

CASES = Path(__file__).parents[4] / "shared" / "recordings" / "cases"
KINDS = {
    "indexes": "index",
    "skillsets": "skillset",
    "datasources": "dataSource",
    "indexers": "indexer",
    "synonymmaps": "synonymMap",
    "aliases": "alias",
}

pytestmark = pytest.mark.skipif(not CASES.is_dir(), reason="the recorded exchanges are not on this machine")


def exchanges():
    for path in sorted(CASES.glob("*.json")):
        for step in json.loads(path.read_text(encoding="utf-8")).get("sequence", ()):
            route = re.match(r"/([a-z]+)(\('[^']*'\))?\?", step["path"].lower())
            sent, answered = step["request_body"], step["response_body"]
            writes = step["method"] in ("POST", "PUT") and step["status"] in (200, 201)
            if writes and route and route[1] in KINDS and isinstance(sent, dict) and answered:
                yield path.name, KINDS[route[1]], sent, answered


def test_what_the_service_answered_is_what_was_sent():
    seen = 0
    for case, kind, sent, answered in exchanges():
        wanted, held = normal(kind, {**sent, "name": "x"}), normal(kind, {**answered, "name": "x"})
        assert wanted == held, f"{case}: {kind}"
        seen += 1
    assert seen >= 90
