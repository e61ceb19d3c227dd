"""Why no chunk of an index holds a passage, and why a chunk that holds it was not retrieved."""

from __future__ import annotations

from azsearch_ops.evaluation.counted import counted
from azsearch_ops.evaluation.diagnosis.boundary import passage_in
from azsearch_ops.evaluation.diagnosis.inquiry import Inquiry
from azsearch_ops.evaluation.diagnosis.instruments import Variation
from azsearch_ops.evaluation.diagnosis.legs import leads, scores_data
from azsearch_ops.evaluation.diagnosis.stake import Loss, Piece, named, place
from azsearch_ops.evaluation.items import Item
from azsearch_ops.evaluation.outcome import Cause
from azsearch_ops.evaluation.types import Chunk, Query

DEEPEST = 1000
"""The most results that the service returns a request, and the most neighbours that a vector query brings."""

UNREAD = "beyond what is read"
"""The kind of a cause: nothing is said of `k` where the ranking was not read as far as the legs bring chunks."""


def not_in_index(item: Item, chunks: int, loss: Loss, inquiry: Inquiry, held: float = 0.0) -> Cause:
    """The cause where the `chunks` chunks that the losing index has of the document do not hold the passage, or of it
    the share `held` in all.
    """
    document, making = item.document, inquiry.instruments.making
    if document in making.failed:
        said = making.failed[document]
        return Cause("document failed", f"the indexer failed on {document}: {said}", {"message": said})
    if chunks == 0 and making.listed is not None and document in making.listed:
        return Cause("document missing", f"document missing: {document} is in the source and has no chunk")
    if chunks == 0:
        other = "candidate" if loss.side == "live" else "live"
        return Cause("corpus differs", f"corpus differs: only {other} has {document}")
    data: dict[str, object] = {"chunks": chunks}
    text = making.text(document)
    read = f"none of the {counted(chunks, 'chunk', 'chunks')} of {document} holds the answer"
    if held:
        data["share"] = round(held, 4)
        read = f"the chunks of {document} hold {100 * held:.0f} % of the answer in all"
    if text is None:
        return Cause("lost in extraction", f"lost in extraction: {read}", data)
    span = passage_in(item, text)
    if span is None:
        return Cause("lost in extraction", f"lost in extraction: {read}, nor does its text as it is read here", data)
    data["at"] = span[0]
    taken = making.split.maximum_pages_to_take if making.split else 0
    if 0 < taken <= chunks:
        pages = "page is" if taken == 1 else f"{taken:,} pages are"
        words = f"only the first {pages} taken: the answer begins at {span[0]:,} of {document}"
        return Cause("lost in extraction", words, data)
    return Cause("lost in extraction", f"lost in extraction: {read}; it begins at {span[0]:,} of the document", data)


def not_retrieved(piece: Piece, query: Query, loss: Loss, inquiry: Inquiry) -> Cause:
    """The cause where `piece` is in the index and was not among the `loss.depth` chunks that were asked for."""
    own = inquiry.instruments
    filtered = own.filter_of(query)
    if filtered:
        found = _find(inquiry.again(query, DEEPEST, Variation(without_filter=True)), piece)
        allowed = _find(inquiry.again(query, DEEPEST, Variation()), piece)
        if found is not None and allowed is None:
            words = f"filtered: without `{filtered}` {named(piece.chunk)} is at rank {found[0]}"
            return Cause("filtered", words, {"filter": filtered, "rank": found[0]})
    near = _find(inquiry.again(query, DEEPEST, Variation()), piece)
    if near is not None and (not own.vectors or similarity_of(near[1]) is not None):
        return _unread(near, loss, inquiry)  # Its vector leg brings it, or there is none that could cut it off
    deep = inquiry.again(query, DEEPEST, Variation(deep=True))
    found = _find(deep, piece)
    if near is not None and (found is None or found[0] >= near[0]):
        return _unread(near, loss, inquiry)  # More of each leg would not bring it further up
    if deep is not None and found is not None:
        rank, chunk = found
        ahead = deep[0]
        by = leads(ahead, chunk)
        behind = f", behind {named(ahead)}{f' ({by})' if by else ''}" if ahead.key != chunk.key else ""
        words = f"outside k: {named(chunk)} is at rank {rank} when every leg brings {DEEPEST:,}{behind}"
        return Cause("outside k", words, {"rank": rank, "k": own.k, "depth": loss.depth, "own": scores_data(chunk)})
    if deep is not None and len(deep) >= DEEPEST:
        words = f"outside k: {named(piece.chunk)} is not among {DEEPEST:,} when every leg brings as many"
        return Cause("outside k", words, {"rank": None, "k": own.k, "depth": loss.depth})
    if deep is not None:
        among = counted(len(deep), "result", "results")
        words = f"not retrieved: no leg finds {named(piece.chunk)}, which holds the answer, among {among}"
        return Cause("not retrieved", words, {"depth": len(deep)})
    words = f"{UNREAD}: {place(piece.chunk)} of {piece.chunk.document} is not in the first {loss.depth} chunks"
    return Cause(UNREAD, words, {"k": own.k, "depth": loss.depth})


def _unread(found: tuple[int, Chunk], loss: Loss, inquiry: Inquiry) -> Cause:
    """The cause where the request itself brings the chunk, further down than the ranking was read."""
    rank, chunk = found
    words = f"{UNREAD}: {named(chunk)} is at rank {rank:,}, and the first {loss.depth} were read"
    data = {"rank": rank, "k": inquiry.instruments.k, "depth": loss.depth, "own": scores_data(chunk)}
    return Cause(UNREAD, words, data)


def below_threshold(piece: Piece, query: Query, inquiry: Inquiry) -> Cause | None:
    """The cause where the threshold keeps `piece` out of the vector leg; None where it does not, or has none."""
    threshold = inquiry.instruments.threshold
    if threshold is None:
        return None
    found = _find(inquiry.again(query, DEEPEST, Variation(without_threshold=True)), piece)
    kept_out = found is not None  # By the threshold alone: nothing else was lifted
    if found is None:
        found = _find(inquiry.again(query, DEEPEST, Variation(deep=True)), piece)
    if found is None:
        return None
    rank, chunk = found
    similarity = similarity_of(chunk)
    if (similarity is None and not kept_out) or (similarity is not None and similarity >= threshold):
        return None
    figure = f"{similarity:.2f}" if similarity is not None else "its similarity"
    words = f"below the threshold: {named(chunk)} has {figure}, asked is {threshold:g}; without it rank {rank}"
    data = {"threshold": threshold, "similarity": similarity, "rank_without": rank}
    return Cause("below the threshold", words, data)


def similarity_of(chunk: Chunk) -> float | None:
    """The best similarity of a chunk in any vector leg; None where it is in none, or nobody told."""
    return max((value for leg, value in chunk.subscores.items() if leg.startswith("vector")), default=None)


def _find(ranking: tuple[Chunk, ...] | None, piece: Piece) -> tuple[int, Chunk] | None:
    """Rank and chunk of `piece` in a ranking."""
    for rank, chunk in enumerate(ranking or (), start=1):
        if chunk.key == piece.chunk.key:
            return rank, chunk
    return None
