"""What withholds a verdict: too few queries that can be scored, none that is judged at all, or a stand-in's order."""

from __future__ import annotations

from dataclasses import replace

from azsearch_ops.evaluation.counted import counted
from azsearch_ops.evaluation.outcome import Evaluation
from azsearch_ops.gate.verdict import Verdict, VerdictLine

UNLABELLED = "the query set has no judgements, and how far rankings agree says nothing about which is better"

STAND_IN = (
    "the stand-in semantic ranker of the local service ordered the results: its figures are shown and never gated, "
    "since Azure's ranker would order them otherwise"
)


def heed_stand_in(verdict: Verdict) -> Verdict:
    """Undecided, whatever `verdict` says, with every metric as reported: a stand-in ordered the results."""
    lines = tuple(VerdictLine(line.metric, "reported") for line in verdict.lines)
    advice = "evaluate where the service has the semantic ranker, or gate another mode here"
    return Verdict("undecided", (STAND_IN, advice), lines)


def heed_coverage(verdict: Verdict, evaluation: Evaluation, reason: str) -> Verdict:
    """`verdict`, or undecided where `reason` says why too little could be scored.

    Where neither side found anything that is judged, the judgements are in question and not the index, so a value of
    0 fails nothing.
    """
    if reason:
        return replace(verdict, outcome="undecided", reasons=(reason, *verdict.reasons))
    if evaluation.seen == 0 and verdict.outcome == "fail":
        none = (
            "100 % of the judgements are unresolved: no side brought anything that is judged relevant; name documents "
            "by their path below the container, and the words of the answer as excerpt"
        )
        return replace(verdict, outcome="undecided", reasons=(none, *verdict.reasons))
    return verdict


def unlabelled_verdict(evaluation: Evaluation) -> Verdict:
    """Undecided: without judgements nothing can be gated."""
    found = evaluation.overlap
    lines = tuple(VerdictLine(metric.name, "reported") for metric in evaluation.metrics)
    told = (
        "there is no live index to compare with"
        if found is None
        else f"{found.changed} of {counted(found.queries, 'ranking', 'rankings')} changed, "
        f"mean rank-biased overlap {found.mean:.3f}"
    )
    return Verdict("undecided", (UNLABELLED, told, "judge queries, or write a labelled set, to gate"), lines)
