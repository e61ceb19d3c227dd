"""The cause of every changed query: decided from the rankings, and from asking the losing side again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from azsearch_ops.evaluation.alignment import Passage, align, merge
from azsearch_ops.evaluation.anchoring_chunks import joined
from azsearch_ops.evaluation.asking import in_stated_order
from azsearch_ops.evaluation.chunk_keys import position
from azsearch_ops.evaluation.diagnosis.absence import (
    UNREAD,
    below_threshold,
    not_in_index,
    not_retrieved,
    similarity_of,
)
from azsearch_ops.evaluation.diagnosis.boundary import chunk_in, cut_cause, cut_small
from azsearch_ops.evaluation.diagnosis.inquiry import Bound, Inquiry
from azsearch_ops.evaluation.diagnosis.instruments import Instruments, Making, Variation
from azsearch_ops.evaluation.diagnosis.legs import likeness, may_answer, outranked_words, overtaking, scores_data
from azsearch_ops.evaluation.diagnosis.stake import (
    SLACK,
    Loss,
    Piece,
    item_at_stake,
    less,
    named,
    pieces_among,
    read_parts,
    retrieved_pieces,
    share_of,
    shared,
)
from azsearch_ops.evaluation.diagnosis.truncation import truncated_cause
from azsearch_ops.evaluation.items import Item
from azsearch_ops.evaluation.outcome import Cause, Diagnosed
from azsearch_ops.evaluation.reading import Ranking
from azsearch_ops.evaluation.types import Chunk, Query

MOST_CALLS = 600
"""Searches that finding the causes of one evaluation may take; what is left then rests on the rankings alone."""

_NEARLY = 0.9
"""The share of what the other side's best chunk holds from which a chunk counts as holding it."""

_HALF = 0.5
"""The share of a passage below which chunks do not hold it in parts: they have some of its words, the rest is gone."""


class Diagnosis:
    """Finds causes by asking the sides again. `queries` are those of the evaluation; the live side may be absent."""

    def __init__(
        self,
        queries: Sequence[Query],
        candidate: Instruments,
        live: Instruments | None,
        *,
        most_calls: int = MOST_CALLS,
    ) -> None:
        self._queries = {query.id: query for query in queries}
        self._bound = Bound(most_calls)
        self._sides = {"candidate": Inquiry(candidate, self._bound)}
        if live is not None:
            self._sides["live"] = Inquiry(live, self._bound)
        self._count = 0

    def __call__(self, loss: Loss) -> Cause:
        """The cause of one changed query, of a gain in words that say what no longer holds."""
        self._count += 1
        cause = cause_of(loss, self._queries[loss.query], self._sides[loss.side])
        traces = {side: self._trace(loss, side) for side in self._sides}
        return replace(cause, data={**cause.data, **{side: t for side, t in traces.items() if t is not None}})

    @property
    def diagnosed(self) -> Diagnosed:
        """How far it went."""
        return Diagnosed(self._count, self._bound.calls, tuple(self._bound.refused))

    def _trace(self, loss: Loss, side: str) -> dict[str, object] | None:
        """The chunk in which `side` has the answer: chunk → document → position → release."""
        ranking = loss.loser if side == loss.side else loss.winner
        item = item_at_stake(loss)
        pieces = retrieved_pieces(ranking, item)
        if not pieces:
            return None
        best = max(pieces, key=lambda piece: (piece.share, -(piece.rank or 0)))
        own = self._sides[side].instruments
        judged = ranking.items[item]
        text = own.making.text(judged.document)
        found = chunk_in(text, best.chunk.text) if text is not None else None
        return {
            "index": own.index,
            "release": own.release,
            "document": judged.document,
            "chunk": best.chunk.key,
            "position": position(best.chunk),
            "characters": list(found) if found else None,
            "rank": best.rank,
            "share": round(best.share, 4),
        }


def cause_of(loss: Loss, query: Query | None, inquiry: Inquiry | None) -> Cause:
    """The cause of `loss`; without an inquiry as far as the two rankings can tell."""
    item = item_at_stake(loss)
    cause = _decide(loss, item, query, inquiry)
    detail = _which_answer(loss, item) + (f"no longer {cause.detail}" if loss.better else cause.detail)
    about: Mapping[str, object] = {"side": loss.side, "document": loss.loser.items[item].document}
    return Cause(cause.kind, detail, {**about, **cause.data})


def _which_answer(loss: Loss, item: int) -> str:
    """Words for an answer that is not the one whose ranks stand beside the cause: that one moved no further down."""
    found, other = loss.loser.whole().found_rank(), loss.winner.whole().found_rank()
    lost, won = _rank_of(loss.loser, item), _rank_of(loss.winner, item)
    if found is None or other is None or found > other or lost == found:
        return ""
    before, after = (lost, won) if loss.better else (won, lost)
    return f"another answer, {before or '–'} → {after or '–'}: "


def _rank_of(ranking: Ranking, item: int) -> int | None:
    """Where the chunk with most of an item was retrieved."""
    pieces = retrieved_pieces(ranking, item)
    return max(pieces, key=lambda piece: (piece.share, -(piece.rank or 0))).rank if pieces else None


def _decide(loss: Loss, item: int, query: Query | None, inquiry: Inquiry | None) -> Cause:
    judged = loss.loser.items[item]
    retrieved = retrieved_pieces(loss.loser, item)
    known = _document_chunks(loss, judged, inquiry)
    pieces = _united(retrieved, pieces_among(loss.loser, item, known or ()))
    if known is not None and inquiry is not None:
        held = share_of(judged, merge([part for piece in pieces for part in piece.parts])) if pieces else 0.0
        if held < _HALF and not _in_parts(judged, known):
            return not_in_index(judged, len(known), loss, inquiry, held)
    if not pieces:
        return _unknown(loss, judged) if known is None else cut_small(judged)
    winning = retrieved_pieces(loss.winner, item)
    best = max(piece.share for piece in pieces)
    theirs = max((piece.share for piece in winning), default=0.0)
    read = read_parts(loss.loser, loss.cut, item)
    missing = less(read_parts(loss.winner, loss.cut, item), read)
    largest = max(pieces, key=lambda piece: (piece.share, -(piece.rank or 10**6)))
    if judged.span is not None and best < theirs - SLACK:
        has_best = shared(largest.parts, read) >= _NEARLY * shared(largest.parts, largest.parts)
        if has_best or best < _NEARLY * theirs:
            return cut_cause(judged, pieces, inquiry.instruments.making if inquiry else Making())
    wanted = _wanted(pieces, missing, best)
    if wanted.rank is None:
        if query is None or inquiry is None:
            return _unknown(loss, judged)
        return (
            below_threshold(wanted, query, inquiry)
            or _truncated(judged, wanted, loss, inquiry)
            or not_retrieved(wanted, query, loss, inquiry)
        )
    ahead = [piece.rank for piece in winning if piece.rank and piece.share >= _NEARLY * wanted.share]
    if not ahead or wanted.rank > min(ahead):
        return _outranked(loss, judged, wanted, min(ahead, default=0), query, inquiry)
    return _as_before(loss, wanted)


def _in_parts(item: Item, chunks: Sequence[Chunk]) -> bool:
    """Whether the chunks of a document, one behind the other, read as the passage does."""
    if item.span is None:
        return False
    end_to_end = "\n".join(c.text for c in sorted(chunks, key=lambda c: (position(c) or 0, c.key)))
    whole = ((0, item.span.length),)  # Neighbours may share a letter by chance, which `joined` takes for an overlap
    return any(align(item.span, Passage.of(text)) == whole for text in (joined(chunks), end_to_end))


def _document_chunks(loss: Loss, item: Item, inquiry: Inquiry | None) -> tuple[Chunk, ...] | None:
    """All chunks that the losing index has of the document; None where it cannot be asked."""
    if inquiry is None:
        return None
    resolve, document = loss.loser.reader.paths.resolve, loss.loser.reader.paths.key(item.document)
    seen = (*loss.loser.chunks, *loss.winner.chunks)
    address = next((chunk.document for chunk in seen if resolve(chunk.document) == document), item.document)
    chunks = inquiry.chunks_at(address)
    if not chunks:
        found = inquiry.chunks_with(item.name.removeprefix(f"{item.document}: "))
        if found is not None:
            chunks = (*(chunks or ()), *(chunk for chunk in found if resolve(chunk.document) == document))
    return chunks


def _united(retrieved: tuple[Piece, ...], others: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """Each chunk once, the largest parts first, then by rank and place."""
    by_key = {piece.chunk.key: piece for piece in (*others, *retrieved)}
    order = sorted(by_key.values(), key=lambda p: (-p.share, p.rank or 10**6, position(p.chunk) or 0, p.chunk.key))
    return tuple(order)


def _wanted(pieces: Sequence[Piece], missing: Sequence[tuple[int, int]], best: float) -> Piece:
    """The chunk that the reader would have needed: the one with most of what is missing, else the best holder."""
    if missing and any(start != end for start, end in missing):
        most = max(shared(piece.parts, missing) for piece in pieces)
        return next(p for p in _by_rank(pieces) if most and shared(p.parts, missing) >= _NEARLY * most)
    return next(piece for piece in _by_rank(pieces) if piece.share >= best - SLACK)


def _by_rank(pieces: Sequence[Piece]) -> list[Piece]:
    return sorted(pieces, key=lambda piece: piece.rank or 10**6)


def _truncated(item: Item, piece: Piece, loss: Loss, inquiry: Inquiry) -> Cause | None:
    own = inquiry.instruments
    return truncated_cause(item, piece, own.making.window) if own.vectors else None


def _outranked(
    loss: Loss, item: Item, wanted: Piece, winning_rank: int, query: Query | None, inquiry: Inquiry | None
) -> Cause:
    """Retrieved, and further down than on the other side."""
    rank = wanted.rank or 0
    chunks = loss.loser.chunks
    if query is not None and inquiry is not None:
        if truncated := _truncated(item, wanted, loss, inquiry):
            return truncated
        explained = inquiry.again(query, loss.depth, Variation())
        if explained is not None:
            scored = {chunk.key: chunk for chunk in in_stated_order(explained)}
            chunks = tuple(scored.get(chunk.key, chunk) for chunk in chunks)
            if inquiry.instruments.threshold is not None and similarity_of(chunks[rank - 1]) is None:
                held_back = below_threshold(wanted, query, inquiry)
                if held_back is not None:
                    return replace(held_back, detail=f"{held_back.detail}; at rank {rank} by other legs")
    own = chunks[rank - 1]
    above = [chunks[r - 1] for r in range(1, rank) if not loss.loser.held[r - 1]] or [chunks[0]]
    before = loss.winner.chunks[: max(winning_rank - 1, 0)]
    other = overtaking(above, before)
    resolve = loss.loser.reader.paths.resolve
    judged = {loss.loser.reader.paths.key(i.document) for i in loss.loser.items}
    unjudged = [chunk for chunk in above if resolve(chunk.document) not in judged]
    data: dict[str, object] = {
        "rank": rank,
        "above": len(above),
        "above_unjudged": len(unjudged),
        "by": scores_data(other),
        "own": scores_data(own),
    }
    answer = item.name.removeprefix(f"{item.document}: ") if item.span is not None else ""
    rival = next((chunk for chunk in unjudged if answer and may_answer(answer, chunk.text)), None)
    if rival is not None:
        share = likeness(answer, rival.text)
        words = f"replaced by unjudged: {named(rival)} has {100 * share:.0f} % of the answer's words; judge it"
        return Cause("replaced by unjudged", words, {**data, "by": scores_data(rival), "likeness": round(share, 3)})
    return Cause("outranked", outranked_words(other, own), data)


def _as_before(loss: Loss, wanted: Piece) -> Cause:
    """Retrieved at the same rank or better, and still worse."""
    rank = wanted.rank or 0
    before = loss.loser.tokens(rank - 1)
    size = loss.loser.reader.tokens(wanted.chunk.text)
    data: dict[str, object] = {"rank": rank, "tokens_before": before, "tokens": size}
    if loss.cut.unit == "tokens" and before >= loss.cut.size:
        words = f"outside the budget: at rank {rank}, behind {before:,} tokens, and the reader takes {loss.cut.size:,}"
        return Cause("outside the budget", words, data)
    if loss.cut.unit == "tokens" and before + size > loss.cut.size:
        words = f"outside the budget: at rank {rank}, where the {loss.cut.size:,} tokens end inside the chunk"
        return Cause("outside the budget", words, data)
    return Cause("spread", f"spread: at rank {rank}, and the rest of the answer comes later", data)


def _unknown(loss: Loss, item: Item) -> Cause:
    """Not in the ranking, and nobody to ask why."""
    name = item.document
    if len(loss.loser.chunks) < loss.depth:
        returned = f"the {len(loss.loser.chunks)} results" if loss.loser.chunks else "no result"
        return Cause("not retrieved", f"not retrieved: the service returned {returned}, none with this of {name}")
    return Cause(UNREAD, f"{UNREAD}: the answer in {name} is not in the first {loss.depth} chunks")
