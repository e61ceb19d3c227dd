"""One of a thing is told in the singular, in every form of a report."""

from __future__ import annotations

import re

import pytest
from report_examples import index, queries, run

from azsearch_ops.evaluation.counted import counted, queries_of
from azsearch_ops.reporting.report_files import render_report
from azsearch_ops.reporting.report_text import runs_text
from azsearch_ops.reporting.style import Style

_WRONG = re.compile(r"(?<![\d.,])1 (?:changed |more |further )?(?:queries|tags|rankings|searches|chunks|judgements)\b")


@pytest.mark.parametrize("form", ["text", "markdown", "html", "junit"])
def test_a_set_of_one_query_has_no_plural(form: str) -> None:
    made = run(queries(1), index(worse=[0]), index())
    text = runs_text((made,), Style()) if form == "text" else str(render_report([made], form))
    assert "1 query" in text or form == "junit"
    assert _WRONG.findall(text) == []


def test_a_number_has_its_noun() -> None:
    assert [queries_of(0), queries_of(1), queries_of(2410)] == ["0 queries", "1 query", "2,410 queries"]
    assert counted(1, "tag is", "tags are") == "1 tag is"
