"""The parts of the running service, joined: store, engines, indexer runs, embeddings."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from azsearch_ops.contract.versions import aliases_supported
from azsearch_ops.local.engines import Engines
from azsearch_ops.local.errors import ServiceFault, invalid_request
from azsearch_ops.local.faults import Faults
from azsearch_ops.local.indexing_service import ServiceIO
from azsearch_ops.local.objects.kinds import KINDS, index_not_found
from azsearch_ops.local.roles import Roles
from azsearch_ops.local.runs import Runs
from azsearch_ops.local.store import Store

if TYPE_CHECKING:
    from azsearch_ops.local.embeddings import Embeddings
    from azsearch_ops.models.vectors import Vectors


@dataclass(frozen=True, slots=True)
class Settings:
    """What the service was started with. `stand_in_ranker`: semantic queries are answered, by a stand-in."""

    data: Path
    containers: Path
    key: str
    version: str
    stand_in_ranker: bool = False


class Service:
    """What handlers work on. Changes that look before they write do so inside `store.transaction()`."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.faults = Faults()
        self.roles = Roles()
        self.store = Store(settings.data / "store.sqlite")
        self._embeddings: Embeddings | None = None
        self._embeddings_lock = threading.Lock()
        self.engines = Engines(self.store, self.embed, self.read if settings.stand_in_ranker else None)
        self.runs = Runs(self.store, self.faults, self._io)

    def close(self) -> None:
        """Stops the scheduler and closes the store; a run on its way is found again at the next start."""
        self.runs.stop()
        self.store.close()

    def index(self, name: str, api_version: str = "") -> Mapping[str, Any]:
        """The definition of the index of that name, or of the one that an alias of that name maps to.

        Without an api-version, or with one that has no aliases, only an index is found.

        Raises:
            ServiceFault: 404 with the words of the document routes.
        """
        stored = self.store.get("index", name)
        if stored is None and api_version and aliases_supported(api_version):
            alias = self.store.get("alias", name)
            target = self.faults.target(name, alias.body["indexes"][0]) if alias else None
            stored = self.store.get("index", target) if target else None
        if stored is None:
            raise index_not_found(name)
        return stored.body

    @property
    def embeddings(self) -> Embeddings:
        """The embedding model, loaded when it is first asked for."""
        with self._embeddings_lock:
            if self._embeddings is None:
                from azsearch_ops.local.embeddings import Embeddings

                self._embeddings = Embeddings(self.settings.data / "embeddings.sqlite")
            return self._embeddings

    def embed(self, model: str, texts: Sequence[str], dimensions: int | None) -> list[list[float]]:
        """One vector a text, by the model of that id (`models.names.local_model`).

        Raises:
            ServiceFault: 400, naming the command to run, when that model is not on this machine.
        """
        from azsearch_ops.models.embedder import EmbedderError

        try:
            return self.embeddings.numbers(texts, dimensions, model=model)
        except EmbedderError as error:
            raise invalid_request(f"{error.message}. {error.hint}", "EmbeddingModelNotFound") from error

    def unread(self, model: str, texts: Sequence[str]) -> Sequence[int]:
        """How many tokens at the end of each text the model of that id does not read."""
        return self.embeddings.unread(texts, model=model)

    def read(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of passages, of which none is kept.

        Raises:
            ServiceFault: 400, when there is no embedding model on this machine.
        """
        from azsearch_ops.models.embedder import EmbedderError

        try:
            return self.embeddings.passing(texts)
        except EmbedderError as error:
            raise invalid_request(f"{error.message}. {error.hint}", "EmbeddingModelNotFound") from error

    def delete_index(self, name: str) -> None:
        """Removes an index with its documents.

        Raises:
            ServiceFault: 400 while an alias maps to it. Azure's own words are not known (azure-behaviour, open points).
        """
        with self.store.transaction():
            aliases = [a.name for a in self.store.all("alias") if name in a.body["indexes"]]
            if aliases:
                listed = ", ".join(f"'{alias}'" for alias in aliases)
                message = (
                    f"Cannot delete index '{name}' because the alias(es) {listed} map to it. Delete the alias(es), or "
                    "map them to another index, before deleting the index."
                )
                raise ServiceFault(400, "OperationNotAllowed", message, [("CannotDeleteIndexWithAlias", message)])
            self.store.delete("index", name)
            self.store.drop_documents(name)
            self.engines.forget(name)

    def wipe(self) -> None:
        """Removes everything but the cache of embeddings."""
        with self.store.transaction():
            self.runs.forget_all()
            self.store.wipe()
            self.engines.clear()

    def usage(self) -> dict[str, int]:
        """How many objects of each kind there are."""
        return {kind.name: self.store.count(kind.name) for kind in KINDS.values()}

    def _io(self, report: Callable[[int], None]) -> ServiceIO:
        return ServiceIO(
            self.store, self.engines, self.faults, self.settings.containers, self.embed, self.unread, report
        )
