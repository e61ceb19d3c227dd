"""The account of a run: what was processed, what failed and was left unread, and what the next run is to know."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from azsearch_ops.documents.folder import Blob
from azsearch_ops.local.indexing.document import Document
from azsearch_ops.local.indexing.findings import Finding
from azsearch_ops.local.indexing.io import RunResult

_NEVER = "0001-01-01T00:00:00Z"
# Azure looks back by this much, so that a blob written while the container was listed is seen by the next run.
_LOOK_BACK = timedelta(seconds=30)
UNREAD = "LocalService.Window"
"""Begins the name of warnings about texts that are longer than the model's window.

The word embedding is not in it: warnings of embedding skills mean vectors that are missing, these do not.
"""


@dataclass(slots=True)
class Account:
    """What has happened so far. `stopped` says why the run ended before its time."""

    before: Mapping[str, Any]
    started: datetime
    processed: int = 0
    failed: int = 0
    stopped: str | None = None
    errors: list[Finding] = field(default_factory=list)
    warnings: list[Finding] = field(default_factory=list)
    blobs: dict[str, Mapping[str, Any]] = field(init=False)

    def __post_init__(self) -> None:
        self.blobs = dict(self.before.get("blobs") or {})

    def count(self, document: Document) -> None:
        """Counts a document that is done, well or badly."""
        self.processed += 1
        self.failed += document.failed
        self.errors += document.errors
        self.warnings += document.warnings

    def settle(self, blob: Blob, address: str, outcome: Outcome) -> None:
        """Remembers a blob of which every document is done, so that the next run skips it unless one failed."""
        self.warnings += outcome.unread(address)
        known = self.blobs.get(blob.path)
        keys = list(dict.fromkeys([*(keys_of(known) if known else ()), *outcome.keys]))
        if outcome.failed_whole and not keys:
            return
        # What a failed blob has left in the index must still be found when it is deleted.
        entry: dict[str, Any] = {
            "lastModified": blob.last_modified.isoformat(),
            "md5": "" if outcome.failed_whole else blob.md5,
            **({"key": keys[0]} if len(keys) == 1 else {"keys": keys}),
        }
        self.blobs[blob.path] = {**entry, "failed": outcome.failed} if outcome.failed else entry

    def result(self) -> RunResult:
        """The execution as the service stores it."""
        last = str(self.before.get("enumerated") or _NEVER)
        enumerated = last if self.stopped else (self.started - _LOOK_BACK).isoformat()
        initial = {
            "lastFullEnumerationStartTime": last,
            "lastAttemptedEnumerationStartTime": self.started.isoformat(),
            "nameHighWaterMark": None,
        }
        final = {
            "LastFullEnumerationStartTime": enumerated,
            "LastAttemptedEnumerationStartTime": (self.started - _LOOK_BACK).isoformat(),
            "NameHighWaterMark": None,
        }
        return RunResult(
            status="success" if self.stopped is None else "transientFailure",
            errorMessage=self.stopped,
            errors=tuple(finding.body() for finding in self.errors),
            warnings=tuple(finding.body() for finding in self.warnings),
            itemsProcessed=self.processed,
            itemsFailed=self.failed,
            initialTrackingState=json.dumps(initial, indent=2).replace("\n", "\r\n"),
            finalTrackingState=json.dumps(final, separators=(",", ":")),
            state={"blobs": self.blobs, "enumerated": enumerated},
        )


@dataclass(slots=True)
class Outcome:
    """What became of one blob: the keys of its documents, the numbers of the entities that failed, whether it failed
    as a whole, and the tokens of each text that a model did not read."""

    keys: list[str] = field(default_factory=list)
    failed: list[int] = field(default_factory=list)
    failed_whole: bool = False
    _unread: dict[str, list[int]] = field(default_factory=dict)

    def add(self, document: Document) -> None:
        """Takes in a document of the blob."""
        if not document.failed:
            self.keys.append(document.key)
        elif document.number:
            self.failed.append(document.number)
        else:
            self.failed_whole = True
        for model, counts in document.unread.items():
            self._unread.setdefault(model, []).extend(counts)

    def unread(self, address: str) -> list[Finding]:
        """One warning a model that did not read all of the blob's texts."""
        return [
            Finding(address, _unread_message(model, counts), f"{UNREAD}.{model}", _unread_details(counts))
            for model, counts in self._unread.items()
            if any(counts)
        ]


def to_do(blob: Blob, known: Mapping[str, Any] | None) -> Callable[[Document], bool] | None:
    """Which documents of a blob a run has to do: None for none of them.

    Of an unchanged blob only the entities that failed are tried again.
    """
    if known is None or known.get("md5") != blob.md5 or known.get("lastModified") != blob.last_modified.isoformat():
        return lambda document: True
    failed = frozenset(known.get("failed") or ())
    return (lambda document: document.number in failed) if failed else None


def keys_of(entry: Mapping[str, Any]) -> Sequence[str]:
    """The document keys that a blob's entry of the state holds."""
    return [str(key) for key in entry["keys"]] if "keys" in entry else [str(entry["key"])]


def _unread_message(model: str, counts: Sequence[int]) -> str:
    long = sum(count > 0 for count in counts)
    return f"{long} of {len(counts)} texts are longer than what the embedding model {model} reads."


def _unread_details(counts: Sequence[int]) -> str:
    return (
        f"{sum(counts)} tokens are not in the vectors, {max(counts)} of one text at most; "
        "the whole texts can be found by their words."
    )
