"""An evaluation and its verdict as Markdown: for a job summary or a comment on a pull request."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from azsearch_ops.reporting import figures
from azsearch_ops.reporting.evaluations import ranks

if TYPE_CHECKING:
    from azsearch_ops.evaluation.outcome import ChangedQuery, Evaluation
    from azsearch_ops.gate.outcome import EvaluationOutcome
    from azsearch_ops.gate.verdict import Verdict

_MARKS = {"pass": "✅", "fail": "❌", "undecided": "⚠️", "reported": "reported"}
_WORST = 5
_LONGEST_LIST = 200
_MENTION = re.compile(r"(?<!\w)@")


def evaluation_markdown(outcome: EvaluationOutcome) -> str:
    """Verdict and consequence first, then the gate table, the price, the worst queries, and the rest folded."""
    evaluation, verdict = outcome.evaluation, outcome.verdict
    lines = [f"## {_MARKS[verdict.outcome]} {outcome.name}: {verdict.outcome}. {_consequence(outcome)}", ""]
    lines += [f"- {_cell(reason)}" for reason in verdict.reasons]
    if outcome.tainted:
        lines.append(f"- tainted: {_cell(outcome.tainted)}")
    against = f"against live `{outcome.live}`" if outcome.live else "alone"
    lines += ["", f"`{outcome.candidate}` {against}, {evaluation.query_count} queries", ""]
    lines += gate_table_markdown(evaluation, verdict)
    if evaluation.live_cost is not None:
        lines += ["", *_changed(evaluation)]
    return "\n".join(lines) + "\n"


def gate_table_markdown(evaluation: Evaluation, verdict: Verdict) -> list[str]:
    """The gate table, one row a metric, with the price below."""
    judged = {line.metric: line for line in verdict.lines}
    lines = [
        "| metric | live | candidate | difference | 95 % interval | p | limit | |",
        "|---|--:|--:|--:|--:|--:|---|---|",
    ]
    for metric in evaluation.metrics:
        line = judged[metric.name]
        difference = figures.signed(metric.difference)
        cells = [
            metric.name,
            figures.value(metric.live),
            figures.value(metric.candidate),
            f"**{difference}**" if line.outcome == "fail" else difference,
            figures.interval(metric.low, metric.high),
            figures.probability(line.p),
            line.limit or figures.NONE,
            _MARKS[line.outcome],
        ]
        lines.append(f"| {' | '.join(cells)} |")
    for name, cells in _price(evaluation):
        lines.append(f"| {name} | {cells[0]} | {cells[1]} | | | | | reported |")
    return lines


def _price(evaluation: Evaluation) -> list[tuple[str, list[str]]]:
    """What each side costs: a name with the figures of live and candidate."""
    sides = (evaluation.live_cost, evaluation.candidate_cost)
    rows = [
        ("tokens to the reader per query", [figures.count(side.tokens if side else None) for side in sides]),
        ("unjudged in top 5", [figures.percent(side.unjudged if side else None) for side in sides]),
    ]
    if evaluation.candidate_cost.p95 is not None:
        rows.append(("latency p50", [figures.milliseconds(side.p50 if side else None) for side in sides]))
        rows.append(("latency p95", [figures.milliseconds(side.p95 if side else None) for side in sides]))
    return rows


def _consequence(outcome: EvaluationOutcome) -> str:
    if outcome.verdict.outcome == "pass" and not outcome.tainted:
        return f"`{outcome.alias}` may move to `{outcome.candidate}`."
    return f"`{outcome.alias}` stays where it is."


def _changed(evaluation: Evaluation) -> list[str]:
    total = evaluation.better + evaluation.worse
    told = f"{total} of {evaluation.query_count} queries changed"
    if total == 0:
        return [f"{told}."]
    lines = [f"{told}: {evaluation.better} better, {evaluation.worse} worse."]
    worst = [query for query in evaluation.changed if not query.better][:_WORST]
    if worst:
        lines += ["", "### Worst queries", *_table(worst)]
    if evaluation.changed:
        shown = evaluation.changed[:_LONGEST_LIST]
        title = f"All {total} changed queries" if len(shown) == total else f"{len(shown)} of {total} changed queries"
        lines += ["", f"<details><summary>{title}</summary>", "", *_table(shown), "", "</details>"]
    return lines


def _table(queries: tuple[ChangedQuery, ...] | list[ChangedQuery]) -> list[str]:
    rows = [f"| {q.id} {_cell(q.text)} | {ranks(q)} | {_cell(q.cause.detail)} |" for q in queries]
    return ["| query | rank | cause where it is worse |", "|---|---|---|", *rows]


def _cell(text: str) -> str:
    """Text that stays inside its cell and cannot turn into markup or a mention."""
    line = " ".join(text.split())
    for character, entity in (
        ("&", "&amp;"),
        ("<", "&lt;"),
        (">", "&gt;"),
        ("|", "&#124;"),
        ("`", "&#96;"),
        ("[", "&#91;"),
    ):
        line = line.replace(character, entity)
    return _MENTION.sub("&#64;", line)
