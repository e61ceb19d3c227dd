"""What an indexer run needs from the service around it, and what it gives back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

RunStatus = Literal["success", "transientFailure"]


class IndexingIO(Protocol):
    """The service's side of a run. Every method may raise `ServiceFault`, which ends the run as failed."""

    def write(self, index_name: str, actions: Sequence[Mapping[str, object]]) -> Sequence[Mapping[str, object]]:
        """One `{key, status, errorMessage, statusCode}` an action, in the order of the actions.

        Actions are REST documents with `@search.action` (`upload`, `mergeOrUpload` or `delete`). A bad document is a
        result with `status` false, never a fault; a missing index is a fault.
        """
        ...

    def index_definition(self, name: str) -> Mapping[str, object] | None:
        """The definition of the index, or None when there is none of that name."""
        ...

    def embed(
        self, resource_uri: str, deployment: str, model: str, dimensions: int | None, texts: Sequence[str]
    ) -> Sequence[Sequence[float]]:
        """One vector of `dimensions` numbers a text (the model's own length for None), in order.

        Called with the texts of many documents at once, duplicates included.
        """
        ...

    def unread(self, deployment: str, model: str, texts: Sequence[str]) -> tuple[str, Sequence[int]]:
        """The name of the model that answers `embed`, and how many tokens at the end of each text it does not read."""
        ...

    def container(self, connection_string: str, container_name: str) -> Path:
        """The folder that stands for the container. It need not exist: the run then fails and names it."""
        ...

    def existing_children(
        self, index_name: str, parent_key_field: str, parent_keys: Sequence[str]
    ) -> Mapping[str, Sequence[str]]:
        """Document keys by parent key, for those of `parent_keys` that `parent_key_field` of the index holds.

        Asked once for a batch of parents, so that one pass over the index can answer it.
        """
        ...

    def progress(self, items_processed: int) -> None:
        """Told after each batch how many source documents are done so far."""
        ...


@dataclass(frozen=True, slots=True)
class RunResult:
    """One execution, field names as in Azure's status body; `state` is what the next run is to be given.

    `errors` and `warnings` are REST objects: `{key, errorMessage, statusCode, name, details, documentationLink}` and
    `{key, message, name, details, documentationLink}`. `state` is JSON; a blob that failed is in it only to be tried
    again, or removed if it is deleted. Without a stored state (first run, or reset) pass None: everything is indexed.
    """

    status: RunStatus
    errorMessage: str | None
    errors: tuple[Mapping[str, object], ...]
    warnings: tuple[Mapping[str, object], ...]
    itemsProcessed: int
    itemsFailed: int
    initialTrackingState: str | None
    finalTrackingState: str | None
    state: Mapping[str, object]
