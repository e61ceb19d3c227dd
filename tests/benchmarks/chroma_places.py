"""Where chunks stand in the corpora, and what a ranking holds of the judged passages by place instead of by words."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chroma_study import Study

READ = 5


@dataclass(frozen=True)
class Placed:
    """Chunks with their places in their corpora: as the study finds them, and where they really are."""

    study: Mapping[str, tuple[str, int, int]]
    true: Mapping[str, tuple[str, int, int]]


def places(chunks: Sequence[Any], texts: Mapping[str, str]) -> Placed:
    """By key: (document, start, end). The order of lines is in their document key, that of pages in their own."""
    from azsearch_ops.local.indexing.mapping import base64_decode

    numbered = []
    for chunk in chunks:
        where, _, line = base64_decode(chunk.parent).partition(";")
        page = chunk.key.rpartition("_")[2]
        numbered.append((where.rpartition("/")[2], int(line or page), chunk))
    study: dict[str, tuple[str, int, int]] = {}
    true: dict[str, tuple[str, int, int]] = {}
    after: dict[str, int] = {}
    for document, _, chunk in sorted(numbered, key=lambda item: item[:2]):
        words = chunk.text.removesuffix(".")
        first = texts[document].find(words)
        at = texts[document].find(chunk.text, after.get(document, 0))
        assert first >= 0 and at >= 0, f"{chunk.key} is not in {document}"
        study[chunk.key] = document, first, first + len(words)
        true[chunk.key] = document, at, at + len(chunk.text)
        after[document] = at + 1
    return Placed(study, true)


def references(study: Study, suffix: str) -> dict[str, tuple[str, list[tuple[int, int]]]]:
    """The judged passages of each query: (document, places)."""
    found = {}
    for query, row in zip(study.query_set(suffix)["queries"], study.rows, strict=True):
        spans = [(item["start_index"], item["end_index"]) for item in json.loads(row["references"])]
        found[query["id"]] = f"{row['corpus_id']}{suffix}", spans
    return found


def read(ranking: Sequence[str], where: Mapping[str, tuple[str, int, int]], judged: Any) -> tuple[float, float, float]:
    """Recall, precision and IoU of one query in percent, over the places of the chunks that were read."""
    from azsearch_ops.evaluation.layout import covered
    from azsearch_ops.evaluation.layout import measure as length

    document, spans = judged
    chunks = [where[key] for key in ranking[:READ]]
    inside = length(covered(spans, [(start, end) for name, start, end in chunks if name == document])[0])
    wanted = sum(end - start for start, end in spans)
    sizes = sum(end - start for _, start, end in chunks)
    return 100 * inside / wanted, 100 * inside / sizes, 100 * inside / (sizes + wanted - inside)
