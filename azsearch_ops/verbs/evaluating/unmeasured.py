"""What a change does to applications that an evaluation of it does not measure, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from azsearch_ops.bodies.ranking_parts import PART_KINDS, PartKind, called, default_part, own_name
from azsearch_ops.evaluation.types import Query
from azsearch_ops.verbs.evaluating.contest import Contest, candidate_names
from azsearch_ops.verbs.evaluating.retrieval import UNREAD

_NAMED: Final[dict[PartKind, str]] = {
    "scoringProfile": "scoring profile",
    "semanticConfiguration": "semantic configuration",
}


def unmeasured(contest: Contest, queries: Sequence[Query]) -> tuple[str, ...]:
    """Defaults that change and rank none of `queries`, and what of the times that applications wait is left out."""
    notes = []
    for kind in PART_KINDS if contest.live is not None else ():
        before = default_part(contest.live.index, kind) if contest.live is not None else None
        after = default_part(contest.bodies.index, kind)
        names = candidate_names(contest)
        asked = {{**contest.bodies.search, **called(query.request, names)}.get(kind) for query in queries}
        if before != after and after not in asked:
            was, now = (own_name(name) if name is not None else "none" for name in (before, after))
            notes.append(
                f"the default {_NAMED[kind]} changes ({was} → {now}): requests that name none are ranked by it, and no "
                "question measures it"
            )
    unread = sorted(name for name in UNREAD if contest.bodies.search.get(name))
    if unread:
        notes.append(
            f"asked without the {' and '.join(unread)} of the request, which move no ranking: applications wait for "
            "them on top of the times told here"
        )
    return tuple(notes)
