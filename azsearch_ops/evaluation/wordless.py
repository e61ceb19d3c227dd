"""An evaluation that says what happened to which query without a word of documents or queries."""

from __future__ import annotations

from dataclasses import replace

from azsearch_ops.evaluation.outcome import Cause, Evaluation


def without_words(evaluation: Evaluation) -> Evaluation:
    """`evaluation` with ids, document paths, ranks and values, and neither query texts nor excerpts.

    The words of causes stay: they name documents and ordinals of chunks, and quote nothing. Of what they rest on,
    figures stay, and which side and document it is about.
    """
    return replace(
        evaluation,
        queries=tuple(
            replace(query, text="", items=tuple(f"passage {n}" for n, _ in enumerate(query.items, start=1)))
            for query in evaluation.queries
        ),
        changed=tuple(replace(query, text="", cause=_figures(query.cause)) for query in evaluation.changed),
        overlap=evaluation.overlap
        and replace(
            evaluation.overlap,
            most_changed=tuple(replace(query, text="") for query in evaluation.overlap.most_changed),
        ),
    )


def _figures(cause: Cause) -> Cause:
    kept = {k: v for k, v in cause.data.items() if k in ("side", "document") or isinstance(v, int | float)}
    return replace(cause, data=kept)
