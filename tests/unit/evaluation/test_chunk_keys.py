"""Which keys tell the place of a chunk in its document."""

from __future__ import annotations

import base64

import pytest

from azsearch_ops.evaluation.asking import in_stated_order
from azsearch_ops.evaluation.chunk_keys import ordinal_in, position
from azsearch_ops.evaluation.types import Chunk

PARENT = base64.urlsafe_b64encode(b"https://files.blob.core.windows.net/docs/people/leave-2024.md").decode()


@pytest.mark.parametrize(
    ("key", "ordinal"),
    [
        (f"8f2a77c1d0e5_{PARENT}_pages_12", 12),
        (f"8f2a77c1d0e5_{PARENT}_custom_name_0", 0),
        ("leave-md-chunk-3", 3),
        ("leave_chunks_7", 7),
        (PARENT, None),
        ("aHR0cHM6Ly9maWxlczIwMjQ2", None),  # base64 that happens to end with a digit
        ("4711", None),
        ("report-2024", None),
        ("leave.md", None),
    ],
)
def test_only_a_known_pattern_holds_an_ordinal(key: str, ordinal: int | None) -> None:
    assert ordinal_in(key) == ordinal
    assert position(Chunk(key, "leave.md", "text")) == ordinal


def test_a_stated_position_counts_before_the_key() -> None:
    assert position(Chunk("leave_chunks_7", "leave.md", "text", position=2)) == 2


def test_a_new_hash_in_every_key_moves_no_chunk() -> None:
    """azure-search-openai-demo#1380: what breaks ties is the document and the place in it, not the key."""

    def ranking(digest: str, order: tuple[int, ...]) -> list[str]:
        chunks = [Chunk(f"{digest}_{PARENT}_pages_{n}", "leave.md", f"page {n}", score=1.0) for n in order]
        return [chunk.text for chunk in in_stated_order(chunks)]

    assert ranking("8f2a77c1d0e5", (10, 2, 0)) == ranking("0011aabbccdd", (0, 10, 2)) == ["page 0", "page 2", "page 10"]
