"""How many chunks and tokens documents become: the splitter itself over all of them, or over a sample."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from azsearch_ops.bodies.render import Bodies
from azsearch_ops.chunking.text_split import TextSplit, split
from azsearch_ops.contract.skills import EMBEDDING_ODATA_TYPE
from azsearch_ops.contract.text_split import ODATA_TYPE

TokenStarts = Callable[[str], Sequence[int]]


@dataclass(frozen=True, slots=True)
class Sampled:
    """Documents to read for an estimate: `chosen` of all, whole when `chosen` is all of them."""

    chosen: tuple[str, ...]
    sizes: Mapping[str, int]

    @property
    def whole(self) -> bool:
        """Whether every document is read."""
        return len(self.chosen) == len(self.sizes)


@dataclass(frozen=True, slots=True)
class Counts:
    """Chunks and their texts of the documents that were read, by document."""

    chunks: Mapping[str, tuple[str, ...]]

    def texts(self) -> Iterable[str]:
        """Every chunk's text."""
        return (text for chunks in self.chunks.values() for text in chunks)


def choose(sizes: Mapping[str, int], *, documents: int, size: int, seed: int) -> Sampled:
    """All documents where they are at most so many and so large (bytes) together, else a sample of them.

    Each kind of file (by extension) is drawn from in proportion, at least one of each, in an order that only the
    seed decides; one that alone would take the whole room is left out unless its kind has no other.
    """
    if len(sizes) <= documents and sum(sizes.values()) <= size:
        return Sampled(tuple(sorted(sizes)), sizes)
    by_kind: dict[str, list[str]] = {}
    for path in sorted(sizes, key=lambda path: hashlib.sha256(f"{seed}\0{path}".encode()).digest()):
        by_kind.setdefault(_kind(path), []).append(path)
    share = min(1.0, documents / len(sizes), size / max(1, sum(sizes.values())))
    chosen: list[str] = []
    for paths in by_kind.values():
        fitting = [path for path in paths if sizes[path] <= size // 4] or [min(paths, key=lambda path: sizes[path])]
        chosen += fitting[: max(1, round(share * len(paths)))]
    return Sampled(tuple(sorted(chosen)), sizes)


def scale(sample: Sampled, counted: Mapping[str, int]) -> int:
    """A count over all documents from that of the chosen ones: in proportion to bytes, kind of file by kind."""
    if sample.whole:
        return sum(counted.values())
    total = 0.0
    for kind in sorted({_kind(path) for path in sample.sizes}):
        chosen = [path for path in sample.chosen if _kind(path) == kind]
        read = sum(sample.sizes[path] for path in chosen)
        whole = sum(size for path, size in sample.sizes.items() if _kind(path) == kind)
        found = sum(counted.get(path, 0) for path in chosen)
        total += found * whole / read if read else found
    return round(total)


def cut(texts: Mapping[str, str], options: TextSplit | None, token_starts: TokenStarts) -> Counts:
    """The chunks of each text; without options a text that is not blank is one chunk."""
    chunks: dict[str, tuple[str, ...]] = {}
    for path, text in texts.items():
        if options is None:
            chunks[path] = (text,) if text.strip() else ()
        else:
            chunks[path] = tuple(text[span.start : span.end] for span in split(text, options, token_starts))
    return Counts(chunks)


def cut_many(texts: Sequence[str], options: TextSplit | None, token_starts: TokenStarts) -> tuple[str, ...]:
    """The chunks of the documents that one blob becomes; without options each document is one, whatever its text."""
    if options is None:
        return tuple(texts)
    return tuple(chunk for text in texts for chunk in cut({"": text}, options, token_starts).chunks[""])


def split_options(skillset: Mapping[str, Any] | None) -> TextSplit | None:
    """The options of the first Text Split skill that cuts whole documents, or None where there is none."""
    for skill in _skills(skillset, ODATA_TYPE):
        if (skill.get("context") or "/document") == "/document":
            return TextSplit.from_skill(skill)
    return None


def chunk_embeddings(bodies: Bodies) -> tuple[Mapping[str, Any], ...]:
    """The embedding skills that read the chunks: each embeds every token once."""
    selectors = (bodies.skillset.get("indexProjections") or {}).get("selectors")
    context = str(selectors[0]["sourceContext"]) if selectors else "/document"
    return tuple(s for s in _skills(bodies.skillset, EMBEDDING_ODATA_TYPE) if str(s.get("context")) == context)


def rescaled(chunks: int, before: TextSplit, after: TextSplit) -> tuple[int, float] | None:
    """Chunks that an index of so many chunks becomes under other options, and by how much its text grows.

    None where the two cannot be compared: sentences, another unit, or a limit on the pages that are taken.
    """
    if before == after:
        return chunks, 1.0
    alike = before.mode == after.mode == "pages" and before.unit == after.unit
    if not alike or before.maximum_pages_to_take or after.maximum_pages_to_take:
        return None
    old = before.maximum_page_length - before.page_overlap_length
    new = after.maximum_page_length - after.page_overlap_length
    grown = (after.maximum_page_length / new) / (before.maximum_page_length / old)
    return max(1, round(chunks * old / new)), grown


def _skills(skillset: Mapping[str, Any] | None, odata_type: str) -> list[Mapping[str, Any]]:
    return [s for s in (skillset or {}).get("skills") or () if s.get("@odata.type") == odata_type]


def _kind(path: str) -> str:
    return PurePosixPath(path).suffix.lower()
