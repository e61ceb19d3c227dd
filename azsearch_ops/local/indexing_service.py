"""What a run of an indexer gets from the service: documents to write, definitions, folders, vectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from azsearch_ops.contract.limits import BATCH_DOCUMENTS
from azsearch_ops.local.containers import container_folder
from azsearch_ops.local.documents.batch import Action, apply, read_action, result
from azsearch_ops.local.documents.schema import schema_of
from azsearch_ops.local.documents.values import ValueFault
from azsearch_ops.local.engines import Embed, Engines
from azsearch_ops.local.faults import Faults
from azsearch_ops.local.objects.kinds import index_not_found
from azsearch_ops.local.store import Store
from azsearch_ops.models.names import local_model

Unread = Callable[[str, Sequence[str]], Sequence[int]]
"""(id of a local model, texts) → how many tokens at the end of each text it does not read."""


@dataclass(frozen=True, slots=True)
class ServiceIO:
    """The service's side of a run (`IndexingIO`). Index names are never aliases here: Azure refuses those.

    `containers` is the folder that holds those of the containers, `report` is told how many items are processed, and
    `model_unread` answers for the models whose vectors `model_embed` gives.
    """

    store: Store
    engines: Engines
    faults: Faults
    containers: Path
    model_embed: Embed
    model_unread: Unread
    report: Callable[[int], None]

    def write(self, index_name: str, actions: Sequence[Mapping[str, object]]) -> Sequence[Mapping[str, object]]:
        """A result an action. Unlike a request, a document that does not fit its index fails alone."""
        results: list[Mapping[str, object]] = []
        for start in range(0, len(actions), BATCH_DOCUMENTS):
            results += self._batch(index_name, actions[start : start + BATCH_DOCUMENTS])
        return results

    def _batch(self, index_name: str, rows: Sequence[Mapping[str, object]]) -> list[Mapping[str, object]]:
        with self.store.transaction():
            index = self.index_definition(index_name)
            if index is None:
                raise index_not_found(index_name)
            schema = schema_of(index)
            results: dict[int, Mapping[str, object]] = {}
            good: list[tuple[int, Action]] = []
            for number, row in enumerate(rows):
                try:
                    good.append((number, read_action(row, schema)))
                except ValueFault as fault:
                    results[number] = result(str(row.get(schema.key) or ""), 400, fault.message)
            outcome = apply(self.store, index, schema, [action for _, action in good])
            self.engines.write(index, outcome.changes)
        self.faults.wrote(index_name)
        for (number, _), item in zip(good, outcome.results, strict=True):
            results[number] = item
        return [results[number] for number in range(len(rows))]

    def index_definition(self, name: str) -> Mapping[str, object] | None:
        """The definition of an index, in full form."""
        stored = self.store.get("index", name)
        return stored.body if stored else None

    def embed(
        self, resource_uri: str, deployment: str, model: str, dimensions: int | None, texts: Sequence[str]
    ) -> Sequence[Sequence[float]]:
        """Vectors of a model on this machine, whatever address the skill names."""
        return self.model_embed(local_model(deployment, model), texts, dimensions)

    def unread(self, deployment: str, model: str, texts: Sequence[str]) -> tuple[str, Sequence[int]]:
        """The model that answers, and what it does not read of each text."""
        name = local_model(deployment, model)
        return name, self.model_unread(name, texts)

    def container(self, connection_string: str, container_name: str) -> Path:
        """The folder that stands for the container."""
        return container_folder(connection_string, container_name, self.containers)

    def existing_children(
        self, index_name: str, parent_key_field: str, parent_keys: Sequence[str]
    ) -> Mapping[str, Sequence[str]]:
        """Keys of the documents that came from each of these parents."""
        return self.store.keys_by(index_name, parent_key_field, parent_keys)

    def progress(self, items_processed: int) -> None:
        """Shows in the status of the indexer while the run is on its way."""
        self.report(items_processed)
