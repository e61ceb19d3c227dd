"""The same queries asked in several modes of retrieval: values side by side, with nothing tested."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from azsearch_ops.evaluation.wording import LexicalOverlap

MODES = ("text", "vector", "hybrid", "semantic")


@dataclass(frozen=True, slots=True)
class ModeValues:
    """One mode: metric → value for each side that was measured; `refused` says why one was not, else empty."""

    mode: str
    candidate: Mapping[str, float] | None = None
    live: Mapping[str, float] | None = None
    refused: str = ""


@dataclass(frozen=True, slots=True)
class SideBySide:
    """All modes over the same queries. `own` is the mode that applications use; `overlap` the questions' wording.

    With `stand_in` the semantic mode was ranked by a stand-in for Azure's semantic ranker.
    """

    metrics: tuple[str, ...]
    modes: tuple[ModeValues, ...]
    queries: int
    own: str
    overlap: LexicalOverlap | None
    overlap_by_tag: Mapping[str, LexicalOverlap]
    stand_in: bool = False
