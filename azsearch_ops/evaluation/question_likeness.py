"""Questions that ask nearly the same: they count twice, and a held-out one among them is no longer unseen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from azsearch_ops.evaluation.folding import fold
from azsearch_ops.evaluation.types import Query
from azsearch_ops.evaluation.wording import content_words

ALIKE = 0.8
"""The share of content words, of those that either question has, from which two questions are taken for one."""

_FEWEST = 3
"""Questions with fewer content words are alike only where they read the same."""


@dataclass(frozen=True, slots=True)
class Alike:
    """Two queries by id, and the share of their content words that both have."""

    first: str
    second: str
    likeness: float


def nearly_equal(queries: Sequence[Query]) -> tuple[Alike, ...]:
    """Pairs of queries that ask nearly the same, the most alike first; a `filter` of their own sets two apart."""
    words = [content_words(query.text) for query in queries]
    folded = [fold(query.text).rstrip("?!.") for query in queries]
    holders: dict[str, list[int]] = {}
    found: dict[tuple[int, int], float] = {}
    same: dict[str, list[int]] = {}
    for number in range(len(queries)):
        for other in same.get(folded[number], ()):
            found[other, number] = 1.0
        same.setdefault(folded[number], []).append(number)
        if len(words[number]) >= _FEWEST:
            shared = Counter(other for word in words[number] for other in holders.get(word, ()))
            for other, count in shared.items():
                likeness = count / (len(words[number]) + len(words[other]) - count)
                if likeness >= ALIKE:
                    found.setdefault((other, number), likeness)
            for word in words[number]:
                holders.setdefault(word, []).append(number)
    pairs = [
        Alike(queries[a].id, queries[b].id, likeness)
        for (a, b), likeness in found.items()
        if queries[a].filter == queries[b].filter
    ]
    return tuple(sorted(pairs, key=lambda pair: (-pair.likeness, pair.first, pair.second)))
