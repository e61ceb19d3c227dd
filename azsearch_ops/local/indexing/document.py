"""One document on its way through a run: a blob, or an entity of one."""

from __future__ import annotations

from dataclasses import dataclass, field

from azsearch_ops.documents.folder import Blob
from azsearch_ops.local.indexing.findings import Finding
from azsearch_ops.local.indexing.tree import Node


@dataclass(slots=True, eq=False)
class Document:
    """A blob, or an entity of it, with its address, the document key once that is known, its enriched tree and what
    was found about it.

    `number` is the entity's in its blob, from 1, or 0 for the blob itself. `unread` has, by embedding model, the
    tokens at the end of each text that the model did not read.
    """

    blob: Blob
    address: str
    number: int = 0
    key: str = ""
    root: Node = field(default_factory=Node)
    fields: dict[str, object] = field(default_factory=dict)
    errors: list[Finding] = field(default_factory=list)
    warnings: list[Finding] = field(default_factory=list)
    unread: dict[str, list[int]] = field(default_factory=dict)

    @property
    def failed(self) -> bool:
        """Whether an error has ended the document's part in the run."""
        return bool(self.errors)

    def warn(self, message: str, name: str, details: str) -> None:
        """Notes what does not stop the document."""
        self.warnings.append(Finding(self.address, message, name, details))

    def fail(self, message: str, name: str, details: str, *, status: int) -> None:
        """Notes what ends the document's part in the run."""
        self.errors.append(Finding(self.address, message, name, details, status))
