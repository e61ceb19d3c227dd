"""Where sentences end."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from azsearch_ops.chunking.sentences import sentence_breaks
from azsearch_ops.chunking.text_split import TextSplit, split


def sentences(text: str, language: str = "en") -> list[str]:
    return [text[span.start : span.end] for span in split(text, TextSplit("sentences", 5000, language=language))]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "It works. Does it? Yes! Good…  Fine.", ["It works.", "Does it?", "Yes!", "Good…", "Fine."]),
        ("en", "Dr. Smith of Acme Inc. paid $3.50 for item No. 7. He left.",
         ["Dr. Smith of Acme Inc. paid $3.50 for item No. 7.", "He left."]),
        ("en", "J. R. Tolkien wrote. She read.", ["J. R. Tolkien wrote.", "She read."]),
        ("en", 'He said "Stop." Then he went (slowly.) She stayed.',
         ['He said "Stop."', "Then he went (slowly.)", "She stayed."]),
        ("en", "Version 2.1 runs. e.g. this one.", ["Version 2.1 runs. e.g. this one."]),
        ("en", "# Title\n\nFirst paragraph\nwrapped here.\n\nSecond",
         ["# Title", "First paragraph\nwrapped here.", "Second"]),
        ("en", "List:\n- one\n- two\n1. three", ["List:", "- one", "- two", "1. three"]),
        ("en", "| a | b |\n|---|---|\n| 1 | 2 |", ["| a | b |", "|---|---|", "| 1 | 2 |"]),
        ("it", "Il sig. Rossi arriva. Poi parte l'ing. Bianchi.",
         ["Il sig. Rossi arriva.", "Poi parte l'ing. Bianchi."]),
        ("de", "Am 3. Oktober z.B. ist frei. Danach nicht.", ["Am 3. Oktober z.B. ist frei.", "Danach nicht."]),
        ("ja", "これは文です。次の文です！終わり", ["これは文です。", "次の文です！", "終わり"]),
        ("hi", "यह वाक्य है। यह दूसरा है।", ["यह वाक्य है।", "यह दूसरा है।"]),
        ("en", "a lower-cased text. it has sentences. they end.",
         ["a lower-cased text.", "it has sentences.", "they end."]),
        ("en", "   leading and trailing.   ", ["leading and trailing."]),
        ("en", "Contents . . . . . 12 and more", ["Contents . . . . . 12 and more"]),
    ],
)  # fmt: skip
def test_sentences(language: str, text: str, expected: list[str]) -> None:
    assert sentences(text, language) == expected


@settings(deadline=None, max_examples=300)
@given(st.text(alphabet="aB.!?…。\n \t-#1\"')é😀", max_size=200), st.sampled_from(["en", "it", "de", "ja", "xx"]))
def test_breaks_are_in_order_and_hold_white_space_only(text: str, language: str) -> None:
    breaks = sentence_breaks(text, language)
    at = 0
    for end, start in zip(breaks.ends, breaks.starts, strict=True):
        assert at <= end <= start < len(text)
        assert text[end:start].strip() == ""
        at = start
    assert "".join("".join(sentences(text, language)).split()) == "".join(text.split())


@pytest.mark.parametrize("run", [".", "\n", ". ", "1. ", "\r\n", "!*"])
def test_long_runs_are_read_in_linear_time(run: str) -> None:
    """With work in the square of the length this test takes minutes."""
    assert sentences("x" + run * 100_000 + "y")
