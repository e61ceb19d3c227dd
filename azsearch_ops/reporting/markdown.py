"""Runs as Markdown for a pull request: the verdict and its consequence first, the rest folded, never too long."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from azsearch_ops.reporting import figures
from azsearch_ops.reporting.markdown_tables import (
    changes_table,
    gate_table,
    measured_table,
    metrics_table,
    queries_table,
    rankings_table,
    slices_table,
)
from azsearch_ops.reporting.markdown_text import cell, code, folded
from azsearch_ops.reporting.report_wording import (
    MARKS,
    changed_sentence,
    consequence,
    decisive,
    headline,
    points,
    verdict_word,
    yardstick_sentence,
)

if TYPE_CHECKING:
    from azsearch_ops.gate.outcome import EvaluationOutcome
    from azsearch_ops.verbs.evaluating.run_files import Run

LIMIT = 60_000
"""Characters. GitHub refuses a comment of more than 65,536 (https://docs.github.com/rest/issues/comments)."""

_WORST = 5
_CHANGES = 25
_SLICES = 12
_NOTES = 8


def runs_markdown(runs: Sequence[Run], limit: int = LIMIT, more: Sequence[str] = ()) -> str:
    """One or two runs of an index definition; the verdict of the first is the headline.

    At most `limit` characters: what does not fit is left out of the folded lists, which then say so. `more` are lines
    behind those lists.
    """
    first = runs[0]
    lines = [marker(first.outcome.name), *_verdict(first.outcome), "", *measured_table(runs)]
    for run in runs:
        lines += ["", *gate_table(run, named=len(runs) > 1)]
    if notes := first.outcome.notes:
        lines += ["", *(f"- {cell(note, 400)}" for note in notes[:_NOTES])]
        lines += (
            [f"- {figures.counted(len(notes) - _NOTES, 'more note is', 'more notes are')} in the record."]
            if len(notes) > _NOTES
            else []
        )
    if first.changes:
        lines += ["", "### What changes", *changes_table(first.changes[:_CHANGES])]
        if (left := len(first.changes) - _CHANGES) > 0:
            lines.append(f"\n{figures.counted(left, 'more change is', 'more changes are')} in the record.")
    worst = [query for query in first.outcome.evaluation.changed if not query.better][:_WORST]
    if worst:
        lines += ["", "### Worst queries", *queries_table(worst)]
    if (overlap := first.outcome.evaluation.overlap) is not None and overlap.most_changed:
        lines += ["", "### Most changed rankings", *rankings_table(overlap)]
    foot = ["", *_foot(first)]
    room = limit - _size(lines) - _size(foot) - _size(more)
    for section in (_under_base, _slices, _changed):
        part = section(first, room)
        room -= _size(part)
        lines += part
    return "\n".join([*lines, *more, *foot]) + "\n"


def marker(name: str) -> str:
    """The comment that a later run finds its own comment by."""
    return f"<!-- azsearch-ops pr {name} -->"


def _verdict(outcome: EvaluationOutcome) -> list[str]:
    before, named, after = consequence(outcome)
    after = cell(after).replace(cell(outcome.candidate), code(outcome.candidate))
    verdict = verdict_word(outcome)
    title = f"## {MARKS[verdict]} {cell(outcome.name)}: {verdict}. {cell(before)} {code(named)} {after}".rstrip()
    lines = [title, f"**{cell(headline(outcome))}** {changed_sentence(outcome)}".rstrip()]
    line = decisive(outcome)
    told = f"{line.metric}: {line.reason}" if line else ""
    others = [reason for reason in outcome.verdict.reasons if reason != told]
    reasons = [told, *others] if outcome.verdict.outcome != "pass" and told in outcome.verdict.reasons else others
    if outcome.tainted:
        reasons.insert(0, f"tainted: {outcome.tainted}")
    return [*lines, *([""] if reasons else []), *(f"- {cell(reason, 400)}" for reason in reasons[:10])]


def _under_base(run: Run, room: int) -> list[str]:
    """What the yardstick of the base revision measured, where it is another one."""
    told = run.outcome.yardstick
    if told is None or not told.metrics:
        return []
    part = ["", *folded(f"By the yardstick of {cell(told.base)}", metrics_table(told.metrics))]
    return part if _size(part) <= room else []


def _slices(run: Run, room: int) -> list[str]:
    """The slices by tag, worst first, as many as there is room for."""
    slices = run.outcome.evaluation.slices
    if not slices:
        return []
    shown = slices_table(run, _SLICES)
    part = ["", *folded(f"By tag ({len(slices)})", shown)]
    return part if _size(part) <= room else []


def _changed(run: Run, room: int) -> list[str]:
    """Every changed query, as many as there is room for; what is left out is counted."""
    evaluation = run.outcome.evaluation
    changed = evaluation.changed
    if not changed:
        return []
    hidden = evaluation.better + evaluation.worse - len(changed)
    held_out = f", {hidden} held-out ones aside" if hidden > 0 else ""

    def part(number: int) -> list[str]:
        whole = number == len(changed)
        of = figures.counted(len(changed), "changed query", "changed queries")
        title = (of if number == 1 else f"All {of}") if whole else f"{number} of {of}"
        title += held_out
        rows = queries_table(changed[:number])
        rest = (
            []
            if whole
            else [
                "",
                f"{figures.counted(len(changed) - number, 'more is', 'more are')} in the full report: "
                "there was no room for them.",
            ]
        )
        return ["", *folded(title, [*rows, *rest])]

    low, high = 0, len(changed)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if _size(part(middle)) <= room else (low, middle - 1)
    return (
        part(low)
        if low
        else [
            "",
            f"{figures.counted(len(changed), 'changed query is', 'changed queries are')} in the full report: "
            "there was no room for them.",
        ]
    )


def _foot(run: Run) -> list[str]:
    measured, outcome = run.measured, run.outcome
    parts = []
    if measured.query_digest:
        parts.append(f"query set {code(measured.query_digest[:6])}")
    if measured.yardstick:
        parts.append(f"yardstick {code(measured.yardstick[:6])}")
    if moved := yardstick_sentence(outcome):
        parts.append(cell(f"{'⚠️ ' if outcome.yardstick and outcome.yardstick.changed else ''}{moved}", 400))
    line = decisive(outcome)
    if line is not None and line.unseen:
        parts.append(f"smallest drop this set can see: {points(line.unseen)} points")
    if hidden := outcome.evaluation.holdouts:
        parts.append(f"{hidden} held out: they count and stand in no list")
    told = outcome.evaluation.probe.told
    parts.append(f"**repeat probe not equal** ({told})" if told else "repeat probe equal")
    lines = [f"Yardstick: {' · '.join(parts)}"]
    command = measured.command or f"azsearch-ops evaluate {outcome.name} --env {measured.environment or 'local'}"
    again = [f"Again: {code(command)}"]
    if run.folder is not None:
        again.append(f"full report: {code(f'{run.folder.name}/report.html')}")
    if measured.commit:
        again.append(f"commit {cell(measured.commit[:12])}")
    if measured.at:
        again.append(f"measured {cell(measured.at[:16].replace('T', ' '))} UTC in {figures.duration(outcome.seconds)}")
    return [*lines, " · ".join(again)]


def _size(lines: Sequence[str]) -> int:
    return sum(len(line) + 1 for line in lines)
