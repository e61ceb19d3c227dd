"""The tokens of all-MiniLM-L6-v2 as the model counts them, to say how much of a text it does not read."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from azsearch_ops.models.minilm_files import TOKENIZER, is_added, model_folder
from azsearch_ops.models.vectors import encodable


@lru_cache(maxsize=2)
def minilm_counter(models: Path) -> Callable[[str], int] | None:
    """How many tokens of the model a text has, the two special ones included; None where it is not on this machine."""
    if not is_added(models) or find_spec("tokenizers") is None:
        return None
    from tokenizers import Tokenizer

    tokens: Any = Tokenizer.from_file(str(model_folder(models) / TOKENIZER))
    tokens.no_padding()
    tokens.no_truncation()
    return lambda text: len(tokens.encode(encodable(text)).ids)
