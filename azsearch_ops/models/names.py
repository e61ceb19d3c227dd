"""Which model on this machine answers for a deployment or model name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

WORDLLAMA: Final = "wordllama"
"""Answers for every name that is not another model's."""

MINILM: Final = "all-MiniLM-L6-v2"
WINDOWS: Final = (256, 512)
"""Tokens that MiniLM reads of a text: 256 as it is published, 512 as far as its positions go."""

EMBEDDING_ENCODING: Final = "cl100k_base"
"""By which text-embedding-ada-002 and 3-* count their tokens."""


def local_model(deployment: str | None, model: str | None) -> str:
    """The id of the model that answers, window included: `wordllama`, `all-MiniLM-L6-v2-256` or `all-MiniLM-L6-v2-512`.

    The deployment's name decides, then the model's. A name with another window comes back as it is, for whoever loads
    it to refuse: a different model in its place would go unseen.
    """
    for name in (deployment, model):
        if name and name.lower().startswith(MINILM.lower()):
            rest = name[len(MINILM) :]
            return f"{MINILM}{rest or f'-{WINDOWS[0]}'}"
    return WORDLLAMA


def window_of(name: str) -> int | None:
    """The window of a MiniLM id, or None for any other name or window."""
    return next((window for window in WINDOWS if name == f"{MINILM}-{window}"), None)


def models_folder(environ: Mapping[str, str]) -> Path:
    """Where models are kept on this machine, for all projects: AZSEARCH_MODELS, else below the user's cache folder."""
    chosen = environ.get("AZSEARCH_MODELS")
    if chosen:
        return Path(chosen).expanduser().absolute()
    cache = environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "azsearch-ops" / "models"
