"""Two cuttings of one text compared: boundaries that are gone, new or kept, and passages cut by one and whole in the
other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from azsearch_ops.chunking.text_split import Span


@dataclass(frozen=True, slots=True, order=True)
class Boundary:
    """Between two neighbours: one chunk ends at `end`, the next begins at `start`. Code point offsets."""

    end: int
    start: int

    @property
    def overlap(self) -> int:
        """Code points that both chunks have; white space that no chunk has is no overlap."""
        return max(0, self.end - self.start)


@dataclass(frozen=True, slots=True)
class Passage:
    """Words that somebody judged relevant to the query `query`; where `places` are several, any of them will do."""

    query: str
    places: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class CutPassage:
    """A passage that no chunk holds whole, and the first end of a chunk inside it."""

    query: str
    place: Span
    at: int


@dataclass(frozen=True, slots=True)
class Moves:
    """What a change does to one text. `kept` boundaries and `same` chunks are what both cuttings have.

    `cut` passages were whole before; `mended` ones are whole now, and say where they were cut.
    """

    before: tuple[Span, ...]
    same: int
    kept: int
    gone: tuple[Boundary, ...]
    new: tuple[Boundary, ...]
    cut: tuple[CutPassage, ...] = ()
    mended: tuple[CutPassage, ...] = ()

    @property
    def weight(self) -> tuple[int, int]:
        """How much there is to see: passages whose fate changes, then boundaries that move."""
        return len(self.cut) + len(self.mended), len(self.gone) + len(self.new)


def boundaries(spans: Sequence[Span]) -> tuple[Boundary, ...]:
    """The boundaries between neighbours, in order: one fewer than there are chunks."""
    return tuple(Boundary(left.end, right.start) for left, right in pairwise(spans))


def cut_passages(passages: Sequence[Passage], spans: Sequence[Span]) -> tuple[CutPassage, ...]:
    """The passages of which no place lies inside one chunk, in the order of the text."""
    found = [_cut(passage, spans) for passage in passages if not _whole(passage, spans)]
    return tuple(sorted(found, key=lambda cut: (cut.at, cut.query, cut.place.start)))


def compare(before: Sequence[Span], after: Sequence[Span], passages: Sequence[Passage] = ()) -> Moves:
    """What changes from `before` to `after`, two cuttings of the same text."""
    old, new = boundaries(before), boundaries(after)
    was, now = cut_passages(passages, before), cut_passages(passages, after)
    whole_before = {_identity(passage) for passage in passages if _whole(passage, before)}
    whole_after = {_identity(passage) for passage in passages if _whole(passage, after)}
    return Moves(
        before=tuple(before),
        same=len(set(before) & set(after)),
        kept=len(set(old) & set(new)),
        gone=tuple(sorted(set(old) - set(new))),
        new=tuple(sorted(set(new) - set(old))),
        cut=tuple(cut for cut in now if (cut.query, cut.place) in whole_before),
        mended=tuple(cut for cut in was if (cut.query, cut.place) in whole_after),
    )


def _whole(passage: Passage, spans: Sequence[Span]) -> bool:
    return any(span.start <= place.start and place.end <= span.end for place in passage.places for span in spans)


def _cut(passage: Passage, spans: Sequence[Span]) -> CutPassage:
    """Told of the first place. Where no chunk ends inside it, as beyond the last page taken, it is where it begins."""
    place = passage.places[0]
    at = next((span.end for span in spans if place.start < span.end < place.end), place.start)
    return CutPassage(passage.query, place, at)


def _identity(passage: Passage) -> tuple[str, Span]:
    return passage.query, passage.places[0]
