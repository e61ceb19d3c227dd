"""A held-out query counts in every form of a report, is counted aloud, and is shown by none of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from report_examples import METRICS, index, queries, run

from azsearch_ops.evaluation.holdouts import shown
from azsearch_ops.evaluation.run import evaluate
from azsearch_ops.gate.policy import GateLimits
from azsearch_ops.gate.verdict import judge
from azsearch_ops.reporting.report_files import render_report, report_note
from azsearch_ops.reporting.report_text import runs_text
from azsearch_ops.reporting.style import Style
from azsearch_ops.verbs.evaluating.run_files import Kept, Run, judged_items, read_run, run_record, write_run

HIDDEN = (3, 8, 10)  # One that gets worse, one that is lost, one that stays as it is
SAID = {
    "text": "3 held out: they count above and stand in no list",
    "markdown": "3 held out: they count and stand in no list",
    "html": "3 count and are not shown",
    "junit": '<property name="held out" value="3" />',
    "json": '"holdouts": 3',
    "trec": "3 held-out queries are in none of the files",
}


@pytest.fixture(scope="module")
def kept_run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run as it is written and read back."""
    questions = tuple(replace(q, holdout=int(q.id[1:]) in HIDDEN) for q in queries(20))
    kept = Kept()
    candidate = kept.watch("candidate", index(worse=(3, 4), missing=(8, 9)))
    live = kept.watch("live", index())
    evaluation = evaluate(questions, live, candidate, METRICS, lambda text: len(text.split()), seed=7, resamples=500)
    example = run(questions, index(), index())
    outcome = replace(
        example.outcome,
        evaluation=evaluation,
        verdict=judge(evaluation, {"recall@300t": GateLimits(), "mrr@10": GateLimits()}),
    )
    folder = tmp_path_factory.mktemp("run") / "x"
    content = run_record(outcome, example.measured, judged_items(shown(questions)))
    write_run(folder, content, kept, shown(questions))
    return read_run(folder / "evaluation.json")


@pytest.mark.parametrize("form", SAID)
def test_no_form_shows_one_and_every_form_counts_them(kept_run: Run, form: str) -> None:
    if form == "text":
        told = runs_text([kept_run], Style(width=200))
    else:
        content = render_report([kept_run], form)
        told = content if isinstance(content, str) else "\n".join(content.values())
    whole = told + report_note([kept_run], form)
    assert SAID[form] in whole
    for n in HIDDEN:
        for words in (f"q{n:03d}", f"What is rule {n}?", f"Rule {n} says", f"rules/{n}.md", f"k{n}_", f"o{n}_"):
            assert words not in whole, (form, words)
    assert "q009" in whole


def test_neither_file_of_the_record_has_a_word_of_them(kept_run: Run) -> None:
    assert kept_run.folder is not None
    for path in Path(kept_run.folder).iterdir():
        text = path.read_text("utf-8")
        assert not any(words in text for n in HIDDEN for words in (f"q{n:03d}", f"rules/{n}.md", f"k{n}_"))
