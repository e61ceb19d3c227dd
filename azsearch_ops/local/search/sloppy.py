"""How often words stand near each other: Lucene's sloppy phrase frequency."""

from __future__ import annotations

import heapq
from collections.abc import Sequence


def sloppy_frequency(places: Sequence[Sequence[int]], slop: int) -> float:
    """Σ 1/(1 + distance) over the matches of at most `slop` moves.

    Args:
        places: for each word of the phrase the positions in the document, less the word's place in the phrase;
            ascending. The words must differ.
    """
    heap = [(positions[0], word, 0) for word, positions in enumerate(places)]
    heapq.heapify(heap)
    end = max(position for position, _, _ in heap)
    total = 0.0
    position, word, at = heapq.heappop(heap)
    length = end - position
    while at + 1 < len(places[word]):
        at += 1
        position = places[word][at]
        end = max(end, position)
        if position > heap[0][0]:
            if length <= slop:
                total += 1 / (1 + length)
            heapq.heappush(heap, (position, word, at))
            position, word, at = heapq.heappop(heap)
            length = end - position
        else:
            length = min(length, end - position)
    return total + (1 / (1 + length) if length <= slop else 0.0)
