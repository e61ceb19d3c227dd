"""Runs as JSON: values and ranks of every query, and the chunks of its rankings only where they are asked for."""

from __future__ import annotations

import json
from typing import Any

from report_examples import index, queries, run

from azsearch_ops.reporting.report_files import render_report


def told(**asked: bool) -> tuple[int, list[dict[str, Any]]]:
    """The length of the report, and its queries."""
    made = run(queries(12), index(worse=range(3)), index())
    text = str(render_report([made], "json", **asked))
    return len(text), json.loads(text)["runs"][0]["evaluation"]["queries"]


def test_rankings_stand_in_the_report_only_where_they_are_asked_for() -> None:
    (short, bare), (long, whole) = told(), told(rankings=True)
    assert short * 2 < long
    assert all(query[side]["ranking"] for query in whole for side in ("live", "candidate"))
    for query in whole:
        for side in ("live", "candidate"):
            del query[side]["ranking"]
    assert bare == whole
