"""AZS60x: metrics and gate."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.near import name_hint
from azsearch_ops.definitions.queries import QuerySet
from azsearch_ops.definitions.tree import step
from azsearch_ops.errors import Problem
from azsearch_ops.rules.explanation import Explanation

GATED_AT_MOST: Final = 2

EXPLANATIONS: Final = (
    Explanation(
        "AZS601",
        "A metric that nothing measures",
        "Metrics are called NAME@K, or NAME@Nt for what a reader of N tokens gets.",
        "recall@2000t, mrr@10, recall@5, ndcg@10 …",
    ),
    Explanation(
        "AZS602",
        "The gate is on a metric that is not measured",
        "Only what evaluation.metrics lists is computed.",
        "Add it to evaluation.metrics.",
    ),
    Explanation(
        "AZS603",
        "More than two gated metrics",
        "The chance of a false alarm is shared among the gated metrics, so each further one makes all of them blinder.",
        "Gate on two at most, and report the others.",
    ),
    Explanation(
        "AZS604",
        "An index without an evaluation",
        "A candidate is promoted only with a passing evaluation of exactly that candidate.",
        "Add `evaluation` with a query set, document and text field; or silence this where the index is only built.",
    ),
    Explanation(
        "AZS605",
        "A slice of the gate that no query belongs to",
        "A slice is the mean over the queries that carry its tag. Without one there is no mean, and the gate is "
        "undecided at every change.",
        "Correct the tag, tag queries with it, or take the slice out.",
    ),
)


def check_slices(index: IndexDefinition, queries: QuerySet) -> Iterator[Problem]:
    """Slices of the gate that hold nothing, since no question that counts carries their tag."""
    tags = {tag for entry in queries.accepted for tag in entry.tags}
    drafted = {tag for entry in queries.entries for tag in entry.tags} - tags
    for tag in index.gate_rules.slices:
        if tag not in tags:
            message = f"no query carries the tag {tag!r}, so the verdict stays undecided"
            if tag in drafted:
                message = f"only drafts carry the tag {tag!r}, and they count nowhere: the verdict stays undecided"
            place = index.tree.locate_key(step("/gate/slices", tag))
            yield Problem("AZS605", message, place, severity="warning", hint=name_hint(tag, tags))


def check_gate(index: IndexDefinition) -> Iterator[Problem]:
    """The problems of a gate; the names of metrics are checked where they are measured."""
    if len(index.gate) > GATED_AT_MOST:
        message = f"the gate is on {len(index.gate)} metrics, and decides on {GATED_AT_MOST} at most"
        place = index.tree.locate_key("/gate")
        yield Problem("AZS603", message, place, hint="report the others under evaluation.metrics")
