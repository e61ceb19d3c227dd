"""DIFFERENCES.md names what the code refuses."""

from __future__ import annotations

import re
from importlib.resources import files

from azsearch_ops.local.search import request
from azsearch_ops.local.search.analysis.analyzers import analyzer_names
from azsearch_ops.local.search.semantic_request import SEMANTIC_PARAMETERS


def test_both_headings_and_every_name_are_there():
    text = (files("azsearch_ops.local") / "DIFFERENCES.md").read_text("utf-8")
    assert [line for line in text.splitlines() if line.startswith("## ")] == ["## Refused", "## Silently different"]
    refused = text[text.index("## Refused") : text.index("## Silently different")]
    for name in (*request._REFUSED, *SEMANTIC_PARAMETERS, *analyzer_names()):
        assert f"`{name}`" in refused, name
    searching = refused[: refused.index("**Definitions**")]
    named = set(re.findall(r"`(\w+)`", searching)) & request._KNOWN
    known = {"debug", "featuresMode", "queryType", *SEMANTIC_PARAMETERS}
    assert named - set(request._REFUSED) <= known, "no longer refused"
