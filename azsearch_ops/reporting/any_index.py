"""An index, or two, that no project describes: what was measured, and how to put it under management."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from azsearch_ops.reporting import figures
from azsearch_ops.reporting.data import evaluation_data
from azsearch_ops.reporting.evaluations import (
    changed_lines,
    diagnosed_lines,
    gate_lines,
    gate_table,
    limit_lines,
    report_path,
)
from azsearch_ops.reporting.modes import modes_data, render_modes
from azsearch_ops.reporting.problems import render_problems
from azsearch_ops.reporting.query_sets import overlap_lines
from azsearch_ops.reporting.style import Style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from azsearch_ops.errors import Problem
    from azsearch_ops.evaluation.outcome import Evaluation
    from azsearch_ops.verbs.any_index.outcome import AnyOutcome

WORST = 10


def render_any_index(result: AnyOutcome, style: Style) -> str:
    """How fields were found, the gate table, unjudged share, the worst queries with causes, the import command."""
    outcome, evaluation = result.outcome, result.outcome.evaluation
    against = f"{outcome.candidate} against {outcome.live}" if outcome.live else f"{outcome.candidate} alone"
    took = figures.duration(outcome.seconds)
    lines = [f"evaluate  {figures.counted(evaluation.query_count, 'query', 'queries')}, {against}, read-only   {took}"]
    lines += [f"  {line}" for line in result.found]
    lines += ["", *gate_table(evaluation, outcome.verdict, style), *overlap_lines(evaluation, style)]
    lines += price_lines(evaluation, style)
    if evaluation.unscored:
        lines.append(f"  {len(evaluation.unscored)} without a relevant judgement, not asked")
    if evaluation.holdouts:
        lines.append(f"  {evaluation.holdouts} held out: they count above and stand in no list")
    if evaluation.live_cost is not None and evaluation.overlap is None:
        lines += ["", *changed_lines(evaluation, style, WORST), *diagnosed_lines(evaluation, style)]
    lines += ["", *gate_lines(outcome.verdict, style), *limit_lines(outcome.verdict, style)]
    if outcome.path:
        lines.append(f"report    {style.place(report_path(outcome.path))}")
    if result.problems:
        lines += ["", *problem_lines(result.problems, style)]
    if result.modes is not None:
        lines += ["", render_modes(result.modes, style)]
    lines += ["", "next      put this index under management; nothing is built and nothing is written to it:"]
    if result.adoption.note:
        lines.append(f"          {style.paint(result.adoption.note, 'quiet')}")
    lines.append(f"          {result.adoption.command}")
    return "\n".join(lines)


def price_lines(evaluation: Evaluation, style: Style) -> list[str]:
    """Tokens for the reader, the time of a search from here, and the share of results that nobody judged."""
    sides = [side for side in (evaluation.live_cost, evaluation.candidate_cost) if side is not None]
    tokens = [figures.count(side.tokens) for side in sides]
    unjudged = [figures.percent(side.unjudged) for side in sides]
    parts = [f"tokens to the reader {' → '.join(tokens)}", f"unjudged in top 5 {' → '.join(unjudged)}"]
    if any(side.p95 is not None for side in sides):
        parts.insert(1, f"p95 {' → '.join(figures.milliseconds(side.p95) for side in sides)}")
    return [style.paint(f"  {'   '.join(parts)}", "quiet")]


def problem_lines(problems: Sequence[Problem], style: Style) -> list[str]:
    """The judgements that the index does not bear out, the gravest first; what is too much is counted."""
    order = {"error": 0, "warning": 1, "note": 2}
    listed = sorted(problems, key=lambda problem: order[problem.severity])
    lines = render_problems(tuple(listed[:WORST]), style).split("\n")
    if len(listed) > WORST:
        lines.append(f"{len(listed) - WORST} more with --output json")
    return lines


def any_index_data(result: AnyOutcome) -> dict[str, Any]:
    """The outcome as plain values: that of an evaluation, with fields, request, modes and the import command."""
    evaluation = result.outcome.evaluation
    sides = {"live": evaluation.live_cost, "candidate": evaluation.candidate_cost}
    return {
        **evaluation_data(result.outcome),
        "fields": {
            index: {"key": fields.key, "document": fields.document, "text": fields.text}
            for index, fields in result.fields.items()
        },
        "found": list(result.found),
        "request": result.settings,
        "unjudged": {side: cost.unjudged for side, cost in sides.items() if cost is not None},
        "report": report_path(result.outcome.path) if result.outcome.path else "",
        "modes": modes_data(result.modes) if result.modes is not None else None,
        "import": result.adoption.command,
        "import_note": result.adoption.note,
    }
