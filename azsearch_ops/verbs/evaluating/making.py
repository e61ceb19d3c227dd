"""How the indexes of a project were made from their documents, for the diagnosis of what was lost."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any
from urllib.parse import unquote

from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.errors import NotFoundError
from azsearch_ops.evaluation.diagnosis.instruments import Making, Window
from azsearch_ops.evaluation.diagnosis.truncation import window_of
from azsearch_ops.evaluation.types import CountTokens
from azsearch_ops.models.minilm_tokens import minilm_counter
from azsearch_ops.models.names import EMBEDDING_ENCODING, MINILM, local_model, models_folder
from azsearch_ops.models.tokenizer import ENCODINGS, tokenizer
from azsearch_ops.releasing.indexer_runs import last_messages
from azsearch_ops.service.client import Service
from azsearch_ops.verbs.evaluating.diagnosing import deployment_of, model_of, split_of
from azsearch_ops.verbs.session import Session
from azsearch_ops.verbs.sources import SourceTexts, source_documents, source_texts


class Documents:
    """The source documents of an index definition, read when they are first asked for."""

    def __init__(self, session: Session, index: IndexDefinition) -> None:
        self._project, self._index = session.project, index
        self._read = cache(self._texts)

    @property
    def is_local(self) -> bool:
        """Whether the local service indexes them."""
        return self._project.environment.is_local

    def text(self, document: str) -> str | None:
        """The text of a document as the indexer would read it, or None."""
        read = self._read()
        return read.texts.get(document) if read is not None else None

    def listed(self) -> frozenset[str] | None:
        """The documents of the source, or None where they cannot be listed from here."""
        found = source_documents(self._project, self._index)
        return frozenset(found) if found is not None else None

    def _texts(self) -> SourceTexts | None:
        return source_texts(self._project, self._index)


def making_of(
    service: Service, name: str, skillset: Mapping[str, Any] | None, documents: Documents, window: int | None = None
) -> Making:
    """How the index `name` was made: its skillset's split and model, its source, what its indexer said.

    `window` is how many tokens the embedding model reads, where the user says so.
    """
    options = split_of(skillset)
    starts = None
    if options is not None and options.unit == "azureOpenAITokens" and options.encoder in ENCODINGS:
        starts = _starts(options.encoder)
    listed = documents.listed()
    return Making(
        text=documents.text,
        split=options,
        token_starts=starts,
        window=_window(skillset, window, is_local=documents.is_local),
        listed=listed,
        failed=_failed(service, name, listed or frozenset()),
        model=model_of(skillset),
    )


def _window(skillset: Mapping[str, Any] | None, tokens: int | None, *, is_local: bool) -> Window | None:
    """What the model that answers reads: in the local service that is a local one, whatever the definition asks for."""
    model = model_of(skillset)
    count: CountTokens = tokenizer(EMBEDDING_ENCODING).count
    if is_local and model:
        answers = local_model(deployment_of(skillset), model)
        if answers.startswith(MINILM):
            model, count = answers, minilm_counter(models_folder(os.environ)) or count
        elif tokens is None:
            return None  # It reads texts of any length
    return window_of(model, count, tokens)


def _starts(encoder: str) -> Any:
    def starts(text: str) -> Sequence[int]:
        return tokenizer(encoder).starts(text)

    return starts


def _failed(service: Service, indexer: str, listed: frozenset[str]) -> dict[str, str]:
    """What the indexer said about documents that failed, by path; where the path is unknown by what it called them."""
    try:
        errors, _ = last_messages(service.indexer_status(indexer))
    except NotFoundError:
        return {}
    failed: dict[str, str] = {}
    for error in errors:
        where = unquote(str(error.get("key") or ""))
        named = [document for document in listed if f"/{document}" in f"/{where}"]
        failed[max(named, key=len, default=where)] = str(error.get("errorMessage") or "failed")
    return failed
