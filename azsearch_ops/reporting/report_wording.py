"""The sentences that every report says the same way: the consequence, what the gate saw, where it was measured."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from azsearch_ops.evaluation.paths import below_container
from azsearch_ops.reporting import figures

if TYPE_CHECKING:
    from azsearch_ops.gate.outcome import EvaluationOutcome
    from azsearch_ops.gate.verdict import VerdictLine
    from azsearch_ops.verbs.evaluating.run_files import Measured

UNGATED = "nothing is gated"
MARKS = {"pass": "✅", "fail": "❌", "undecided": "⚠️", "reported": "reported", UNGATED: "ℹ️", "tainted": "⚠️"}

_CAUSES = {
    "cut": "cut by a chunk boundary",
    "replaced by unjudged": "replaced by what nobody judged",
    "spread": "with less of the answer within the cut",
    "truncated": "truncated before embedding",
}


def consequence(outcome: EvaluationOutcome) -> tuple[str, str, str]:
    """What shipping this would do: the words before, the name of the alias, and the words after it.

    Without an alias nothing is shipped: what may be said of the candidate beside the other index, by its name.
    """
    passed = outcome.verdict.outcome == "pass"
    if not outcome.alias:
        if outcome.live is None:
            return "Measured by itself:", outcome.candidate, "" if passed else "does not reach what is asked of it."
        if outcome.evaluation.overlap is not None:
            return f"How far {outcome.candidate} ranks otherwise than", outcome.live, "on questions that nobody judged."
        told = "could take the place of" if passed else "is not shown to be as good as"
        return f"{outcome.candidate} {told}", outcome.live, ""
    if outcome.tainted:
        return "Measure again:", outcome.alias, "cannot be moved on this evaluation."
    if passed:
        what = "to the new search request" if outcome.settings_only else f"to {outcome.candidate}"
        return "Shipping this would move", outcome.alias, f"{what}."
    return "Shipping this would leave", outcome.alias, "where it is."


def verdict_word(outcome: EvaluationOutcome) -> str:
    """The verdict as it is said: nothing can pass where nothing is gated, and a tainted run has none that counts."""
    if outcome.tainted:
        return "tainted"
    verdict = outcome.verdict
    return UNGATED if verdict.outcome == "pass" and not verdict.gated else verdict.outcome


def decisive(outcome: EvaluationOutcome) -> VerdictLine | None:
    """The line that the verdict hangs on: the first that has its outcome, or None where nothing is gated."""
    gated = [line for line in outcome.verdict.lines if line.outcome != "reported"]
    return next((line for line in gated if line.outcome == outcome.verdict.outcome), gated[0] if gated else None)


def headline(outcome: EvaluationOutcome) -> str:
    """What decided in one sentence: how far a metric moved and what of that is allowed, or what else was broken."""
    line = decisive(outcome)
    verdict = outcome.verdict
    if verdict.outcome != "pass" and verdict.reasons and (line is None or line.outcome != verdict.outcome):
        return f"{verdict.reasons[0].rstrip('.')}."  # A limit beside the metrics, or what withholds a verdict
    if line is None:
        return "No metric is gated." if verdict.limits else f"{UNGATED.capitalize()}: these are values, not a verdict."
    metric = outcome.evaluation.metric(line.metric)
    if metric is None or metric.difference is None:
        value = figures.value(metric.candidate if metric else None)
        return f"{line.metric} is {value}{f', limit {line.limit}' if line.limit else ''}."
    if metric.changed == 0:
        return f"{line.metric} is unchanged: no query moved."
    moved = f"{line.metric} {_moves(metric.difference)}"
    if line.outcome == "fail" and "significant" in line.reason:  # It may well be within each limit
        return f"{moved}, more than chance explains (p {figures.probability(line.p)})."
    if line.outcome == "undecided" and line.unseen is not None:
        return f"{moved}, and a drop of {points(line.unseen)} points could go unseen."
    if line.limit.startswith("≥"):
        return f"{line.metric} is {figures.value(metric.candidate)}, limit {line.limit}."
    drop = re.fullmatch(r"−(\d\.\d+)", line.limit)
    shown = points(float(drop[1])) if drop else line.limit
    limit = f" (limit {shown})" if shown else ""
    return f"{moved}{limit}."


def changed_sentence(outcome: EvaluationOutcome) -> str:
    """How many queries changed, which way, and the most frequent cause of getting worse; empty with one side."""
    evaluation = outcome.evaluation
    if evaluation.live_cost is None:
        return ""
    if (overlap := evaluation.overlap) is not None:
        of = figures.counted(overlap.queries, "ranking", "rankings")
        return f"{overlap.changed} of {of} changed; mean rank-biased overlap {overlap.mean:.3f}."
    total = evaluation.better + evaluation.worse
    if total == 0:
        return f"0 of {figures.queries_of(evaluation.query_count)} changed."
    of = figures.queries_of(evaluation.query_count)
    told = f"{total} of {of} changed: {evaluation.better} better, {evaluation.worse} worse"
    kinds = Counter(query.cause.kind for query in evaluation.changed if not query.better)
    if kinds:
        kind, number = min(kinds.items(), key=lambda item: (-item[1], item[0]))
        told += f", {number} of those {_CAUSES.get(kind, kind)}"
    return f"{told}."


def service_name(measured: Measured) -> str:
    """The service as people call it: its host's first label, or the local service."""
    if measured.is_local:
        return "local service"
    host = urlsplit(measured.service).hostname or measured.service
    return host.removesuffix(".search.windows.net") or "unknown service"


def embedding(measured: Measured) -> str:
    """The embedding model with its dimensions; of the local service that it is no forecast."""
    if not measured.model:
        return "none" if not measured.is_local else "local: no forecast of the cloud"
    model = f"{measured.model} ({measured.dimensions})" if measured.dimensions else measured.model
    return f"{model}, local: no forecast of the cloud" if measured.is_local else model


def of_all(part: int | None, whole: int | None) -> str:
    """How many of all: 2,310 / 2,310; a dash where nobody knows."""
    if part is None:
        return figures.NONE
    return figures.count(part) if whole is None else f"{figures.count(part)} / {figures.count(whole)}"


def yardstick_sentence(outcome: EvaluationOutcome) -> str:
    """Whether the change moved what it is measured by, and which verdict counts then; empty where nobody knows."""
    told = outcome.yardstick
    if told is None:
        return ""
    if not told.changed:
        return f"unchanged since {told.base}" if told.base else told.note
    words = f"changed since {told.base}: {', '.join(told.changed)}"
    if told.own is None or told.under_base is None:
        return words
    words += f"; {told.under_base.outcome} by the old one, {told.own.outcome} by the new one"
    return (
        f"{words}; the new one counts: {told.accepted}" if told.accepted is not None else f"{words}; the worse counts"
    )


def limit_value(name: str, number: float | None) -> str:
    """What one side has of something that is limited: a metric's value, a time, a size or a count."""
    if name.endswith(("storage", "vector_storage")):
        return figures.size(number)
    if name.endswith("p95"):
        return figures.milliseconds(number)
    if "@" in name:
        return figures.value(number)
    return figures.count(number)


def sizes(outcome: EvaluationOutcome) -> list[tuple[str, float | None, float | None]]:
    """Name and bytes of live and candidate, of what the service told."""
    live, candidate = outcome.evaluation.live_cost, outcome.evaluation.candidate_cost
    told = [
        ("index size", live.storage_bytes if live else None, candidate.storage_bytes),
        ("vectors", live.vector_bytes if live else None, candidate.vector_bytes),
    ]
    return [(name, before, after) for name, before, after in told if after is not None]


def points(share: float) -> str:
    """A share of 1 in points: 8.0."""
    return f"{100 * share:.1f}"


def document_name(address: str) -> str:
    """A document as people know it: the path below its container."""
    return below_container(address)


def _moves(difference: float) -> str:
    if abs(difference) < 0.0005:
        return "stays the same on average"
    return f"{'falls' if difference < 0 else 'rises'} {points(abs(difference))} points"
