"""all-MiniLM-L6-v2 on the CPU: 384 dimensions, the first 256 or 512 tokens of a text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from azsearch_ops.models.minilm_files import GRAPH, TOKENIZER, WEIGHTS_SHA256
from azsearch_ops.models.names import MINILM
from azsearch_ops.models.vectors import Vectors, encodable, normalised

_SPECIAL: Final = 2  # [CLS] and [SEP], which count into the window


class MiniLM:
    """Mean over the token vectors, at unit length. Equal texts get equal vectors, whatever they are embedded with."""

    dimensions = 384

    def __init__(self, folder: Path, window: int) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        self.name = f"{MINILM}-{window}-{WEIGHTS_SHA256[:8]}"
        self._window = window
        self._tokenizer: Any = Tokenizer.from_file(str(folder / TOKENIZER))
        # The file has a length of 128 and padding to it built in.
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        options.enable_cpu_mem_arena = False  # No faster with one, and every new length makes it grow
        self._session: Any = onnxruntime.InferenceSession(
            str(folder / GRAPH), options, providers=["CPUExecutionProvider"]
        )

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of shape (texts, 384); a blank text gets the zero vector."""
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        written = [index for index, text in enumerate(texts) if text and not text.isspace()]
        for index, ids in zip(written, self._ids([texts[index] for index in written]), strict=True):
            # One at a time: in a batch the last bits of a vector depend on the others, and it is hardly faster.
            cut = ids if len(ids) <= self._window else [*ids[: self._window - 1], ids[-1]]
            vectors[index] = self._session.run(None, {"input_ids": np.asarray([cut], dtype=np.int32)})[0][0]
        return normalised(vectors)

    def unread(self, texts: Sequence[str]) -> list[int]:
        """How many tokens at the end of each text are beyond the window."""
        long = [index for index, text in enumerate(texts) if len(text) > self._window - _SPECIAL]
        found = [0] * len(texts)
        for index, ids in zip(long, self._ids([texts[index] for index in long]), strict=True):
            found[index] = max(0, len(ids) - self._window)
        return found

    def _ids(self, texts: Sequence[str]) -> list[list[int]]:
        return [encoding.ids for encoding in self._tokenizer.encode_batch_fast([encodable(text) for text in texts])]
