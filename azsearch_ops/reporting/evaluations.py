"""An evaluation and its verdict as text: the table, the price, the queries that changed, the gate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from azsearch_ops.reporting import figures
from azsearch_ops.reporting.columns import aligned
from azsearch_ops.reporting.gate_cells import gate_cells
from azsearch_ops.reporting.query_sets import overlap_lines
from azsearch_ops.reporting.report_wording import UNGATED, yardstick_sentence
from azsearch_ops.reporting.style import Role, Style, display_width, fit

if TYPE_CHECKING:
    from azsearch_ops.evaluation.outcome import ChangedQuery, Evaluation
    from azsearch_ops.gate.outcome import EvaluationOutcome
    from azsearch_ops.gate.verdict import Verdict

WORST = 10
"""Changed queries shown on a terminal; all of them are in the record."""

ROLES: dict[str, Role] = {"pass": "good", "fail": "bad", "undecided": "doubt", "reported": "quiet"}

_HEAD = ("metric", "live", "candidate", "diff", "95 % interval", "p", "limit", "verdict")
_DROPPED_WHEN_NARROW = ("95 % interval", "p", "limit")


def render_evaluation(outcome: EvaluationOutcome, style: Style, *, page: bool = True) -> str:
    """What was measured, the gate table, the price, the worst changed queries, the verdict with its reasons, notes.

    `page` says that a page lies beside the record.
    """
    evaluation, verdict = outcome.evaluation, outcome.verdict
    table = gate_table(evaluation, verdict, style) + overlap_lines(evaluation, style)
    lines = [_headline(outcome), "", *table, *_price(evaluation, style)]
    if evaluation.unscored:
        lines.append(f"  {len(evaluation.unscored)} without a relevant judgement, not asked")
    if evaluation.holdouts:
        lines.append(f"  {evaluation.holdouts} held out: they count above and stand in no list")
    if evaluation.live_cost is not None and evaluation.overlap is None:
        lines += ["", *changed_lines(evaluation, style, WORST), *diagnosed_lines(evaluation, style)]
    lines += ["", *gate_lines(verdict, style), *limit_lines(verdict, style)]
    for number, note in enumerate(outcome.notes):
        lines.append(f"{'' if number else 'note':10}{note}")
    if yardstick := yardstick_sentence(outcome):
        moved = outcome.yardstick is not None and bool(outcome.yardstick.changed)
        lines.append(f"yardstick {style.paint(yardstick, 'doubt' if moved else 'quiet')}")
    if outcome.tainted:
        lines.append(f"          {style.paint('tainted', 'bad')}: {outcome.tainted}")
    lines += [f"report    {style.place(report_path(outcome.path))}"] if page else []
    return "\n".join(lines)


def next_lines(name: str, outcome: EvaluationOutcome, style: Style) -> list[str]:
    """What to do after a gate that did not pass; nothing after one that did."""
    if outcome.tainted:
        return [f"next      azsearch-ops evaluate {name} again: an index changed while it was measured"]
    if outcome.verdict.outcome == "undecided":
        accept = f"          azsearch-ops promote {name} --accept-undecided --reason …"
        return ["next      look at the queries above; then, if they are fine,", accept]
    if outcome.verdict.outcome == "fail":
        return [f"next      {style.place(report_path(outcome.path))} shows every query that got worse, and why"]
    return []


def report_path(record: str) -> str:
    """The page that lies beside the record of an evaluation."""
    return f"{record.removesuffix('evaluation.json')}report.html"


def gate_table(evaluation: Evaluation, verdict: Verdict, style: Style) -> list[str]:
    """One row a metric; on a narrow terminal interval, p and limit are left out, in that order."""
    judged = {line.metric: line for line in verdict.lines}
    rows = [_HEAD, *(gate_cells(metric, judged[metric.name]) for metric in evaluation.metrics)]
    kept = list(range(len(_HEAD)))
    for name in _DROPPED_WHEN_NARROW:
        if _width(rows, kept) > style.width:
            kept.remove(_HEAD.index(name))
    sides = "".join("l" if _HEAD[i] in ("metric", "verdict") else "r" for i in kept)
    drawn = aligned([[row[i] for i in kept] for row in rows], sides)
    return [drawn[0], *(_painted(text, row[-1], style) for text, row in zip(drawn[1:], rows[1:], strict=True))]


def changed_lines(evaluation: Evaluation, style: Style, most: int) -> list[str]:
    """How many queries changed and how, then the worst `most` of them with ranks and cause."""
    total = evaluation.better + evaluation.worse
    told = f"  {total} of {evaluation.query_count} changed"
    if total == 0:
        return [told]
    lines = [f"{told}: {evaluation.better} better, {evaluation.worse} worse."]
    worst = [query for query in evaluation.changed if not query.better][:most]
    if not worst:
        return lines
    lines[0] += " Worst:"
    heads = aligned([(query.id, ranks(query)) for query in worst], "ll", indent="    ")
    room = max(display_width(head) for head in heads)
    for head, query in zip(heads, worst, strict=True):
        padding = " " * (room - display_width(head))
        lines.append(f"{head}{padding}   {fit(query.cause.detail, max(30, style.width - room - 3))}")
    if evaluation.worse > len(worst):
        lines.append(f"    {evaluation.worse - len(worst)} more in the record")
    return lines


def diagnosed_lines(evaluation: Evaluation, style: Style) -> list[str]:
    """How many searches the causes took, and what could not be asked."""
    told = evaluation.diagnosed
    if told is None or told.queries == 0:
        return []
    lines = [
        f"  causes of {figures.queries_of(told.queries)} found with "
        f"{figures.counted(told.calls, 'further search', 'further searches')}"
    ]
    return [style.paint(line, "quiet") for line in (*lines, *(f"  {words}" for words in told.refused))]


def gate_lines(verdict: Verdict, style: Style) -> list[str]:
    """The verdict, and each of its reasons."""
    ungated = verdict.outcome == "pass" and not verdict.gated
    said = UNGATED if ungated else verdict.outcome.upper()
    name = style.paint(said, "quiet" if ungated else ROLES[verdict.outcome])
    padding = " " * max(3 if ungated else 1, 10 - len(said))
    first, *others = verdict.reasons or ("",)
    return [f"gate      {name}{padding}{first}", *(f"{'':20}{reason}" for reason in others)]


def limit_lines(verdict: Verdict, style: Style) -> list[str]:
    """One line for each limit beside the metrics that no reason tells of already."""
    told = set(verdict.reasons)
    kept = [limit for limit in verdict.limits if f"{limit.name}: {limit.reason}" not in told]
    return [
        style.paint(f"{'':20}{limit.name}: {limit.reason}{f' (limit {limit.limit})' if limit.limit else ''}", "quiet")
        for limit in kept
    ]


def ranks(query: ChangedQuery) -> str:
    """Where the answer was found, live → candidate."""
    return f"{query.live_rank or figures.NONE} → {query.candidate_rank or figures.NONE}"


def _headline(outcome: EvaluationOutcome) -> str:
    evaluation = outcome.evaluation
    if outcome.live is None:
        sides = f"{outcome.candidate} alone"
    elif outcome.settings_only:
        sides = f"{outcome.candidate} under the new request against the released one"
    else:
        sides = f"{outcome.candidate} against {outcome.live}, interleaved"
    steady = f"repeat probe {'NOT equal' if evaluation.probe.told else 'equal'}"
    asked = figures.counted(evaluation.query_count, "query", "queries")
    return f"evaluate  {asked}, {sides}, {steady}   {figures.duration(outcome.seconds)}"


def _price(evaluation: Evaluation, style: Style) -> list[str]:
    live, candidate = evaluation.live_cost, evaluation.candidate_cost

    def pair(before: str | None, after: str) -> str:
        return after if before is None else f"{before} → {after}"

    parts = [
        f"tokens to the reader {pair(figures.count(live.tokens) if live else None, figures.count(candidate.tokens))}",
        f"unjudged {pair(figures.percent(live.unjudged) if live else None, figures.percent(candidate.unjudged))}",
    ]
    if candidate.p95 is not None:
        old = figures.milliseconds(live.p95) if live else None
        parts.insert(1, f"p95 {pair(old, figures.milliseconds(candidate.p95))}")
    if candidate.chunks is not None:
        parts.append(f"chunks {pair(figures.count(live.chunks) if live else None, figures.count(candidate.chunks))}")
        before = figures.size(live.storage_bytes) if live else None
        parts.append(f"storage {pair(before, figures.size(candidate.storage_bytes))}")
    line = "   ".join(parts)
    drawn = [line] if display_width(line) + 2 <= style.width else parts
    return [style.paint(f"  {part}", "quiet") for part in drawn]


def _width(rows: Sequence[Sequence[str]], kept: Sequence[int]) -> int:
    return sum(max(display_width(row[i]) for row in rows) + 2 for i in kept)


def _painted(text: str, verdict: str, style: Style) -> str:
    return text.removesuffix(verdict) + style.paint(verdict, ROLES[verdict])
