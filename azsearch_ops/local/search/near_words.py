"""Words that begin like an input, and words at most one edit away from doing so."""

from __future__ import annotations

from collections.abc import Iterable


def begins_nearly(word: str, wanted: str) -> bool:
    """Whether some beginning of `word` is at most one edit from `wanted`; a swap of neighbours is one edit.

    Everything before the first difference is equal, so the edit is there, and there are only four of them.
    """
    at = _first_difference(word, wanted)
    if at == len(wanted):
        return True
    return (
        word.startswith(wanted[at + 1 :], at + 1)  # another character
        or word.startswith(wanted[at + 1 :], at)  # one less
        or word.startswith(wanted[at:], at + 1)  # one more
        or (word[at : at + 2] == wanted[at : at + 2][::-1] and word.startswith(wanted[at + 2 :], at + 2))
    )


def is_nearly(word: str, wanted: str) -> bool:
    """Whether two words are at most one edit apart."""
    at = _first_difference(word, wanted)
    if at == len(wanted):
        return len(word) <= at + 1
    rest = wanted[at + 1 :]
    swapped = word[at : at + 2] == wanted[at : at + 2][::-1] and word[at + 2 :] == wanted[at + 2 :]
    return swapped or word[at + 1 :] == rest or word[at:] == rest or word[at + 1 :] == wanted[at:]


def beginning_nearly(vocabulary: Iterable[str], wanted: str) -> list[str]:
    """The words that begin nearly so, without those that begin exactly so."""
    return [word for word in vocabulary if begins_nearly(word, wanted) and not word.startswith(wanted)]


def _first_difference(word: str, wanted: str) -> int:
    for at, (one, other) in enumerate(zip(word, wanted, strict=False)):
        if one != other:
            return at
    return min(len(word), len(wanted))
