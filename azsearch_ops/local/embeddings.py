"""Embeddings behind an OpenAI-compatible request, answered by a model on this machine."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any, cast

import numpy as np

from azsearch_ops.models.cache import EmbeddingCache
from azsearch_ops.models.embedder import Embedder, EmbedderError, load_embedder
from azsearch_ops.models.names import EMBEDDING_ENCODING, WORDLLAMA, local_model
from azsearch_ops.models.tokenizer import tokenizer
from azsearch_ops.models.vectors import Vectors, pad

MAXIMUM_DIMENSIONS = 4096
MAXIMUM_INPUTS = 2048
MAXIMUM_TOKENS = 8192
# As many digits as float32 has around 0.1, so that JSON stays short and the nearest float32 is found again.
_DECIMALS = 8


class EmbeddingFault(Exception):
    """A request that OpenAI would refuse: HTTP `status` and its error envelope."""

    def __init__(self, message: str, parameter: str | None = None, *, status: int = 400) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.parameter = parameter

    def body(self) -> dict[str, object]:
        """OpenAI's envelope."""
        return {
            "error": {
                "message": self.message,
                "type": "invalid_request_error",
                "param": self.parameter,
                "code": None,
            }
        }


class Embeddings:
    """The models of this machine, each loaded when it is first asked for, and the cache of their vectors.

    `model` is an id of `models.names.local_model`. Raises EmbedderError for one that is not on this machine.
    """

    def __init__(self, cache: Path) -> None:
        self._loading = Lock()
        self._cache = EmbeddingCache(cache)

    def vectors(self, texts: Sequence[str], dimensions: int | None = None, *, model: str = WORDLLAMA) -> Vectors:
        """Unit vectors of shape (texts, `dimensions` or the model's own); blank texts get zero vectors."""
        vectors = self._cache.embed(self._embedder(model), texts)
        return vectors if dimensions is None else pad(vectors, dimensions)

    def passing(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of texts that are hardly asked for again, and so are not kept in the cache."""
        return self._embedder(WORDLLAMA).embed(texts)

    def numbers(
        self, texts: Sequence[str], dimensions: int | None = None, *, model: str = WORDLLAMA
    ) -> list[list[float]]:
        """The same vectors as JSON numbers, rounded to 8 decimals."""
        return _numbers(self.vectors(texts, dimensions, model=model))

    def unread(self, texts: Sequence[str], *, model: str = WORDLLAMA) -> list[int]:
        """How many tokens at the end of each text are beyond what the model reads."""
        return self._embedder(model).unread(texts)

    def _embedder(self, model: str) -> Embedder:
        with self._loading:
            return load_embedder(model)

    def close(self) -> None:
        """Lets go of the cache file."""
        self._cache.close()

    def embed_request(self, body: Mapping[str, Any], deployment: str) -> dict[str, Any]:
        """The answer to the body of an embeddings request. Raises EmbeddingFault."""
        texts = _texts(body.get("input"))
        dimensions = _dimensions(body.get("dimensions"))
        form = body.get("encoding_format", "float")
        if form not in ("float", "base64"):
            raise EmbeddingFault(f"'{form}' is not one of ['float', 'base64'] - 'encoding_format'", "encoding_format")
        counts = [tokenizer(EMBEDDING_ENCODING).count(text) for text in texts]
        longest = max(counts)
        if longest > MAXIMUM_TOKENS:
            raise EmbeddingFault(
                f"This model's maximum context length is {MAXIMUM_TOKENS} tokens, however you requested {longest} "
                "tokens. Please reduce your prompt.",
                "input",
            )
        asked = str(body.get("model") or "")
        model = local_model(deployment, asked)
        try:
            vectors = self.vectors(texts, dimensions, model=model)
        except EmbedderError as error:
            raise EmbeddingFault(f"{error.message}. {error.hint}", "model", status=404) from error
        items: Sequence[object] = (
            [base64.b64encode(vector.astype("<f4").tobytes()).decode("ascii") for vector in vectors]
            if form == "base64"
            else _numbers(vectors)
        )
        return {
            "object": "list",
            "data": [{"object": "embedding", "index": index, "embedding": item} for index, item in enumerate(items)],
            "model": asked or deployment or model,
            "usage": {"prompt_tokens": sum(counts), "total_tokens": sum(counts)},
        }


def _numbers(vectors: Vectors) -> list[list[float]]:
    return cast(list[list[float]], np.round(vectors.astype(np.float64), _DECIMALS).tolist())


def _texts(given: object) -> list[str]:
    """The texts of `input`: a string, strings, a list of token ids, or such lists."""
    items: list[Any]
    if isinstance(given, str):
        items = [given]
    elif isinstance(given, list) and given:
        items = [given] if all(_is_token(item) for item in given) else given
    else:
        raise EmbeddingFault("'$.input' is invalid. It must be a string or a list that is not empty.", "input")
    if len(items) > MAXIMUM_INPUTS:
        raise EmbeddingFault(f"'$.input' is invalid. It has more than {MAXIMUM_INPUTS} items.", "input")
    return [_text(item) for item in items]


def _text(item: object) -> str:
    if isinstance(item, list) and item and all(_is_token(token) for token in item):
        try:
            item = tokenizer(EMBEDDING_ENCODING).decode(item)
        except KeyError as error:
            raise EmbeddingFault(f"'$.input' is invalid. It holds the unknown token {error}.", "input") from error
    if not isinstance(item, str) or not item:
        raise EmbeddingFault("'$.input' is invalid. An item must be a text or token ids, and not empty.", "input")
    return item


def _is_token(item: object) -> bool:
    return isinstance(item, int) and not isinstance(item, bool) and 0 <= item < 2**31


def _dimensions(given: object) -> int | None:
    if given is None:
        return None
    if not isinstance(given, int) or isinstance(given, bool) or not 1 <= given <= MAXIMUM_DIMENSIONS:
        raise EmbeddingFault(f"'dimensions' must be a number from 1 to {MAXIMUM_DIMENSIONS}.", "dimensions")
    return given
