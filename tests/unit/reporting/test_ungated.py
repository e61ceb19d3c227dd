"""Where no metric has limits nothing can pass: every form says so, and nothing fails."""

from __future__ import annotations

from dataclasses import replace

import pytest
from report_examples import index, queries, run

from azsearch_ops.gate.policy import GateLimits
from azsearch_ops.gate.verdict import judge
from azsearch_ops.reporting.data import evaluation_data
from azsearch_ops.reporting.report_files import render_report
from azsearch_ops.reporting.report_text import runs_text
from azsearch_ops.reporting.style import Style
from azsearch_ops.verbs.evaluating.run_files import Run


def alone(**gate: GateLimits) -> Run:
    """One index measured by itself, with limits on the metrics of `gate`."""
    made = run(queries(6), index(), name="handbook")
    return replace(made, outcome=replace(made.outcome, alias="", verdict=judge(made.outcome.evaluation, gate)))


FORMS = ("text", "markdown", "html", "junit")


def rendered(shown: Run, form: str) -> str:
    return runs_text((shown,), Style()) if form == "text" else str(render_report((shown,), form))


@pytest.mark.parametrize("form", FORMS)
def test_nothing_gated_is_no_pass(form: str) -> None:
    said = rendered(alone(), form)
    assert "nothing is gated" in said.casefold()
    for passed in ("PASS", ": pass.", "**pass**", '"verdict" value="pass"', ">pass<"):
        assert passed not in said


@pytest.mark.parametrize("form", FORMS)
def test_one_floor_is_a_gate(form: str) -> None:
    assert "nothing is gated" not in rendered(alone(**{"mrr@10": GateLimits(floor=0.1)}), form).casefold()


def test_the_envelope_tells_them_apart_and_both_pass() -> None:
    told = [evaluation_data(shown.outcome) for shown in (alone(), alone(**{"mrr@10": GateLimits(floor=0.1)}))]
    assert [(data["verdict"], data["gated"]) for data in told] == [("pass", False), ("pass", True)]
