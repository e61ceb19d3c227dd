"""An evaluation that says what happened to which query without a word of documents or queries."""

from __future__ import annotations

from dataclasses import replace

from azsearch_ops.evaluation.outcome import Evaluation


def without_words(evaluation: Evaluation) -> Evaluation:
    """`evaluation` with ids, document paths, ranks and values, and neither query texts nor excerpts.

    The words of causes stay: they name documents and ordinals of chunks, and quote nothing.
    """
    return replace(
        evaluation,
        queries=tuple(
            replace(query, text="", items=tuple(f"passage {n}" for n, _ in enumerate(query.items, start=1)))
            for query in evaluation.queries
        ),
        changed=tuple(replace(query, text="") for query in evaluation.changed),
    )
