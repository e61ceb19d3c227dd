"""The tables of a report in Markdown."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from azsearch_ops.reporting import figures
from azsearch_ops.reporting.evaluations import ranks
from azsearch_ops.reporting.markdown_text import cell, code, table
from azsearch_ops.reporting.report_wording import (
    MARKS,
    embedding,
    limit_value,
    of_all,
    service_name,
    sizes,
    verdict_word,
)

if TYPE_CHECKING:
    from azsearch_ops.evaluation.outcome import ChangedQuery, MetricResult, RankOverlap, SideCost
    from azsearch_ops.verbs.evaluating.run_files import ChangeNote, Run


def measured_table(runs: Sequence[Run]) -> list[str]:
    """Where each run was measured, on how much, and what came of it."""
    rows = []
    for run in runs:
        outcome, measured = run.outcome, run.measured
        place = service_name(measured) if measured.is_local else measured.environment or service_name(measured)
        if outcome.live is None:
            sides = f"{code(outcome.candidate)} alone"
        elif outcome.settings_only:
            sides = f"{code(outcome.candidate)}, new request against the released one"
        else:
            sides = f"{code(outcome.candidate)} against live {code(outcome.live)}"
        told = measured.queries_given or None
        rows.append(
            (
                f"{cell(place)}: {sides}",
                of_all(measured.documents, measured.documents_expected),
                of_all(outcome.evaluation.query_count, told),
                cell(embedding(measured)),
                f"**{verdict_word(outcome)}**" if run is runs[0] else verdict_word(outcome),
            )
        )
    return table(("measured on", "documents", "queries", "embedding", "verdict"), "lrrll", rows)


def gate_table(run: Run, *, named: bool) -> list[str]:
    """One row a metric, then the price; `named` puts the environment in the corner, to tell two tables apart."""
    evaluation = run.outcome.evaluation
    judged = {line.metric: line for line in run.outcome.verdict.lines}
    rows: list[tuple[str, ...]] = []
    for metric in evaluation.metrics:
        line = judged[metric.name]
        difference = figures.signed(metric.difference)
        significant = " significant" if line.outcome == "fail" and "significant" in line.reason else ""
        rows.append(
            (
                cell(metric.name),
                figures.value(metric.live),
                figures.value(metric.candidate),
                f"**{difference}**" if line.outcome == "fail" and metric.difference is not None else difference,
                figures.interval(metric.low, metric.high),
                figures.probability(line.p) if line.outcome != "reported" else figures.NONE,
                cell(line.limit) if line.limit else figures.NONE,
                f"{MARKS[line.outcome]}{significant}",
            )
        )
    for limit in run.outcome.verdict.limits:
        sides = (limit_value(limit.name, limit.live), limit_value(limit.name, limit.candidate))
        rows.append((cell(limit.name), *sides, "", "", "", cell(limit.limit) or figures.NONE, MARKS[limit.outcome]))
    rows += _price(run)
    corner = cell(run.measured.environment) if named else "metric"
    return table((corner, "live", "candidate", "difference", "95 % interval", "p", "limit", ""), "lrrrrrll", rows)


def metrics_table(metrics: Sequence[MetricResult]) -> list[str]:
    """Metrics without limits: both sides, the difference and its interval."""
    rows = [
        (
            cell(m.name),
            figures.value(m.live),
            figures.value(m.candidate),
            figures.signed(m.difference),
            figures.interval(m.low, m.high),
        )
        for m in metrics
    ]
    return table(("metric", "live", "candidate", "difference", "95 % interval"), "lrrrr", rows)


def changes_table(changes: Sequence[ChangeNote]) -> list[str]:
    """What the candidate has otherwise than live, and what each difference takes."""
    rows = [(code(c.where), cell(c.setting, 80), _setting(c.before), _setting(c.after), cell(c.means)) for c in changes]
    return table(("where", "setting", "from", "to", "means"), "llrrl", rows)


def queries_table(queries: Sequence[ChangedQuery]) -> list[str]:
    """Queries with the rank of their answer, live → candidate, and the cause of what is worse."""
    rows = [(cell(f"{q.id} {q.text}".rstrip(), 140), ranks(q), cell(_cause(q), 240)) for q in queries]
    return table(("query", "rank", "cause"), "lll", rows)


def rankings_table(overlap: RankOverlap) -> list[str]:
    """The rankings that changed most, with their overlap and the document that is first on each side."""
    rows = [
        (
            cell(f"{row.id} {row.text}".rstrip(), 140),
            f"{row.overlap:.2f}",
            cell(row.live[0] if row.live else figures.NONE),
            cell(row.candidate[0] if row.candidate else figures.NONE),
        )
        for row in overlap.most_changed
    ]
    return table(("query", "overlap", "first in live", "first in candidate"), "lrll", rows)


def slices_table(run: Run, most: int) -> list[str]:
    """The means by tag of the metrics that are gated (else of the first), worst first; at most `most` tags."""
    evaluation = run.outcome.evaluation
    gated = [line.metric for line in run.outcome.verdict.lines if line.outcome != "reported"]
    names = gated or [metric.name for metric in evaluation.metrics[:1]]

    def fall(tag: str) -> float:
        live, candidate = values[tag][names[0]]
        return candidate - (live if live is not None else 0.0)

    values = {part.tag: part.values for part in evaluation.slices}
    rows = []
    for part in sorted(evaluation.slices, key=lambda part: (fall(part.tag), part.tag))[:most]:
        for name in names:
            live, candidate = part.values[name]
            difference = figures.signed(None if live is None else candidate - live)
            label = f"{code(part.tag)} ({part.queries})"
            rows.append((label, cell(name), figures.value(live), figures.value(candidate), difference))
    lines = table(("tag", "metric", "live", "candidate", "difference"), "llrrr", rows)
    left = len(evaluation.slices) - most
    return (
        [*lines, "", f"{figures.counted(left, 'more tag is', 'more tags are')} in the full report."]
        if left > 0
        else lines
    )


def _price(run: Run) -> list[tuple[str, ...]]:
    """What each side costs, in the columns of the gate table."""
    evaluation, chunks = run.outcome.evaluation, run.measured.chunks
    live, candidate = evaluation.live_cost, evaluation.candidate_cost

    def row(name: str, before: str, after: str, difference: str = "") -> tuple[str, ...]:
        return name, before, after, difference, "", "", "", "reported"

    def shares(side: SideCost | None) -> str:
        return figures.percent(side.unjudged if side else None)

    grown = f"{100 * (candidate.tokens / live.tokens - 1):+.0f} %".replace("-", "−") if live and live.tokens else ""
    rows = [
        row("unjudged in top 5", shares(live), shares(candidate)),
        row(
            "tokens to the reader per query",
            figures.count(live.tokens if live else None),
            figures.count(candidate.tokens),
            grown,
        ),
    ]
    if candidate.p95 is not None:
        before = live.p95 if live else None
        rows.append(row("latency p95", figures.milliseconds(before), figures.milliseconds(candidate.p95)))
    if "candidate" in chunks:
        rows.append(row("chunks", figures.count(chunks.get("live")), figures.count(chunks["candidate"])))
    rows += [row(name, figures.size(before), figures.size(after)) for name, before, after in sizes(run.outcome)]
    return rows


def _cause(query: ChangedQuery) -> str:
    """Causes are told of the side that is worse."""
    return f"better: {query.cause.detail}" if query.better else query.cause.detail


def _setting(value: Any) -> str:
    if value is None:
        return figures.NONE
    return cell(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True), 80)
