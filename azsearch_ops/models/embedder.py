"""Text to vectors on this machine: a real model whose weights are in an installed wheel. No network, ever."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from azsearch_ops.errors import AzsearchOpsError
from azsearch_ops.models.names import MINILM, WINDOWS, WORDLLAMA, models_folder, window_of
from azsearch_ops.models.vectors import Vectors, encodable, normalised

_BATCH_TOKENS = 16_384


class EmbedderError(AzsearchOpsError):
    """The model is not installed or not known."""

    code = "embedder"


class Embedder(Protocol):
    """A model. `name` identifies the weights, so that equal names may share cached vectors."""

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of shape (texts, dimensions); a text without any token gets the zero vector."""
        ...

    def unread(self, texts: Sequence[str]) -> list[int]:
        """How many tokens at the end of each text the model does not read."""
        ...


class WordLlama:
    """Static token vectors of 256 dimensions, averaged; reads any length. Weights and tokenizer from the wheel."""

    name = "wordllama-l2_supercat-256"
    dimensions = 256

    def __init__(self, package: Path) -> None:
        from safetensors import safe_open
        from tokenizers import Tokenizer

        # Half floats in the file; summing rows of full floats is five times faster.
        with safe_open(str(package / "weights" / "l2_supercat_256.safetensors"), framework="np") as tensors:
            self._weights: Vectors = tensors.get_tensor("embedding.weight").astype(np.float32)
        self._tokenizer: Any = Tokenizer.from_file(str(package / "tokenizers" / "l2_supercat_tokenizer_config.json"))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

    def embed(self, texts: Sequence[str]) -> Vectors:
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        written = [index for index, text in enumerate(texts) if text and not text.isspace()]
        encoded = self._tokenizer.encode_batch_fast(
            [encodable(texts[index]) for index in written], add_special_tokens=False
        )
        batch: list[tuple[int, list[int]]] = []
        size = 0
        for index, encoding in zip(written, encoded, strict=True):
            ids = encoding.ids
            if not ids:
                continue
            batch.append((index, ids))
            size += len(ids)
            if size >= _BATCH_TOKENS:
                self._average(batch, vectors)
                batch, size = [], 0
        if batch:
            self._average(batch, vectors)
        return normalised(vectors)

    def unread(self, texts: Sequence[str]) -> list[int]:
        """None: any length is read."""
        return [0] * len(texts)

    def _average(self, batch: Sequence[tuple[int, list[int]]], vectors: Vectors) -> None:
        """Sums stand for averages: the vectors are brought to unit length afterwards."""
        for index, ids in batch:
            np.take(self._weights, ids, axis=0, mode="clip").sum(axis=0, out=vectors[index])


def load_embedder(model: str = WORDLLAMA) -> Embedder:
    """The embedder of a model's id (see `names.local_model`), loaded once.

    Raises EmbedderError when there is no such model, or it is not on this machine; its hint is the command to run.
    """
    return _loaded(model, models_folder(os.environ))


@lru_cache(maxsize=4)
def _loaded(model: str, models: Path) -> Embedder:
    if model == WORDLLAMA:
        return _wordllama()
    window = window_of(model)
    if window is None:
        available = ", ".join((WORDLLAMA, *(f"{MINILM}-{size}" for size in WINDOWS)))
        raise EmbedderError(f"there is no embedding model '{model}' for this machine", hint=f"Available: {available}.")
    return _minilm(models, window)


def _minilm(models: Path, window: int) -> Embedder:
    from azsearch_ops.models.minilm_files import is_added, model_folder

    if not is_added(models):
        raise EmbedderError(
            f"the embedding model '{MINILM}' is not on this machine",
            hint=f"Run: azsearch-ops local model add {MINILM}",
        )
    for needed in ("onnxruntime", "tokenizers"):
        if find_spec(needed) is None:
            raise EmbedderError(
                f"the embedding model '{MINILM}' needs the package '{needed}'",
                hint="Run: pip install 'azsearch-ops[minilm]'.",
            )
    from azsearch_ops.models.minilm import MiniLM

    return MiniLM(model_folder(models), window)


def _wordllama() -> Embedder:
    spec = find_spec("wordllama")
    if spec is None or spec.origin is None:
        raise EmbedderError(
            "the embedding model 'wordllama' is not installed", hint="Run: pip install 'azsearch-ops[local]'."
        )
    return WordLlama(Path(spec.origin).parent)
