"""One execution of a blob indexer, from the container to the indexes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from azsearch_ops.documents.folder import Blob, MissingContainerError, list_blobs
from azsearch_ops.errors import AzsearchOpsError
from azsearch_ops.local.errors import ServiceFault
from azsearch_ops.local.indexing.document import Document
from azsearch_ops.local.indexing.enrichment import enrich, read_skills
from azsearch_ops.local.indexing.findings import Finding, RunRefusedError
from azsearch_ops.local.indexing.io import IndexingIO, RunResult
from azsearch_ops.local.indexing.mapping import FieldMapping, read_mappings
from azsearch_ops.local.indexing.projection import key_field_of, read_projections
from azsearch_ops.local.indexing.settings import Settings, read_settings
from azsearch_ops.local.indexing.skills import Step
from azsearch_ops.local.indexing.source import load, map_fields
from azsearch_ops.local.indexing.writing import Target, forget, output_paths, remove, write_batch

_NEVER = "0001-01-01T00:00:00Z"
# Azure looks back by this much, so that a blob written while the container was listed is seen by the next run.
_LOOK_BACK = timedelta(seconds=30)
# Text, pages and vectors of so many bytes of blobs are in memory at a time.
_GROUP_BYTES = 4_000_000


def run_indexer(
    indexer: Mapping[str, Any],
    data_source: Mapping[str, Any],
    skillset: Mapping[str, Any] | None,
    target_index_definition: Mapping[str, Any],
    state: Mapping[str, Any] | None,
    io: IndexingIO,
    now: Callable[[], datetime],
    most: int | None = None,
) -> RunResult:
    """Indexes what is new or changed since `state`, removes what is gone, and says how it went.

    Bodies are REST JSON with a usable connection string; `now` gives aware UTC times. Never raises for anything that
    a definition or a document can cause: such a run ends as `transientFailure` with an `errorMessage`. A run that was
    cut off may be started again from the same `state` and ends as if it had not been. With `most` no more documents
    than that are taken, and the rest is left to the next run.
    """
    run = _Run(state or {}, now())
    try:
        settings = read_settings(indexer, data_source)
        mappings = read_mappings(indexer.get("fieldMappings"))
        steps = read_skills(skillset, io)
        target = Target(
            index_name=str(target_index_definition["name"]),
            key_field=key_field_of(target_index_definition),
            fields=frozenset(str(entry["name"]) for entry in target_index_definition.get("fields") or ()),
            outputs=output_paths(read_mappings(indexer.get("outputFieldMappings"))),
            projections=read_projections(skillset, io),
        )
        folder = io.container(settings.connection_string, settings.container)
        blobs = _listed(folder, settings)
        capped = _index_changed(run, blobs, folder, settings, mappings, steps, target, io, now, most)
        if run.stopped is None and not capped:
            _remove_deleted(run, blobs, settings, target, io)
    except RunRefusedError as refused:
        run.stopped = str(refused)
    except ServiceFault as fault:
        run.stopped = fault.message
    except AzsearchOpsError as error:
        run.stopped = f"{error.message} {error.hint}".strip()
    return run.result()


@dataclass(slots=True)
class _Run:
    """What has happened so far."""

    before: Mapping[str, Any]
    started: datetime
    processed: int = 0
    failed: int = 0
    stopped: str | None = None
    errors: list[Finding] = field(default_factory=list)
    warnings: list[Finding] = field(default_factory=list)
    blobs: dict[str, Mapping[str, str]] = field(init=False)

    def __post_init__(self) -> None:
        self.blobs = dict(self.before.get("blobs") or {})

    def settle(self, document: Document) -> None:
        """Counts a document and remembers it, so that the next run skips it unless it failed."""
        self.processed += 1
        self.errors += document.errors
        self.warnings += document.warnings
        path = document.blob.path
        if not document.failed:
            self.blobs[path] = {
                "lastModified": document.blob.last_modified.isoformat(),
                "md5": document.blob.md5,
                "key": document.key,
            }
            return
        self.failed += 1
        if path in self.blobs:
            # What it left in the index must still be found when the blob is deleted.
            self.blobs[path] = {**self.blobs[path], "md5": ""}

    def result(self) -> RunResult:
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


def _listed(folder: Path, settings: Settings) -> tuple[Blob, ...]:
    try:
        blobs = list_blobs(folder)
    except MissingContainerError as missing:
        raise RunRefusedError(
            f"The container '{settings.container}' of data source '{settings.source_name}' does not exist "
            f"(folder {folder})."
        ) from missing
    except OSError as error:
        raise RunRefusedError(
            f"The container '{settings.container}' of data source '{settings.source_name}' cannot be read: {error}."
        ) from error
    # The query names a virtual directory, so `people` does not take in `people-of-old/`.
    directory = settings.prefix.strip("/")
    return tuple(blob for blob in blobs if not directory or blob.path.startswith(f"{directory}/"))


def _index_changed(
    run: _Run,
    blobs: Sequence[Blob],
    folder: Path,
    settings: Settings,
    mappings: Sequence[FieldMapping],
    steps: Sequence[Step],
    target: Target,
    io: IndexingIO,
    now: Callable[[], datetime],
    most: int | None,
) -> bool:
    """Whether something is left because no more than `most` were to be taken."""
    new = [blob for blob in blobs if settings.takes(blob.extension) and _differs(blob, run.blobs.get(blob.path))]
    changed = new[:most]
    for first in range(0, len(changed), settings.batch_size):
        failed = run.failed
        for group in _groups(changed[first : first + settings.batch_size]):
            documents = [load(blob, folder, settings) for blob in group]
            for document in documents:
                if not document.failed:
                    map_fields(document, mappings, target.key_field)
            enrich(documents, steps)
            write_batch(documents, target, io, now())
            for document in documents:
                run.settle(document)
                forget(document)
            io.progress(run.processed)
        run.stopped = _limit_passed(run.failed - failed, run.failed, settings)
        if run.stopped is not None:
            break
    return len(changed) < len(new)


def _limit_passed(failed_in_batch: int, failed: int, settings: Settings) -> str | None:
    limits = (
        ("maxFailedItems", settings.max_failed, failed),
        ("maxFailedItemsPerBatch", settings.max_failed_per_batch, failed_in_batch),
    )
    for name, limit, count in limits:
        if 0 <= limit < count:
            documents = "document" if count == 1 else "documents"
            return f"Indexing was stopped: {count} {documents} failed, and {name} is {limit}."
    return None


def _remove_deleted(run: _Run, blobs: Sequence[Blob], settings: Settings, target: Target, io: IndexingIO) -> None:
    """What is gone from the container leaves the indexes, if a policy says so; else it stays, as with Azure."""
    present = {blob.path for blob in blobs}
    gone = [path for path in run.blobs if path not in present]
    if settings.removes_deleted and gone:
        remove([run.blobs[path]["key"] for path in gone], target, io)
        run.processed += len(gone)
        io.progress(run.processed)
    for path in gone:
        del run.blobs[path]


def _differs(blob: Blob, known: Mapping[str, str] | None) -> bool:
    if known is None:
        return True
    return known.get("md5") != blob.md5 or known.get("lastModified") != blob.last_modified.isoformat()


def _groups(batch: Sequence[Blob]) -> Iterator[Sequence[Blob]]:
    """The blobs of a batch in groups that are held in memory together."""
    group: list[Blob] = []
    size = 0
    for blob in batch:
        if group and size + blob.size > _GROUP_BYTES:
            yield group
            group, size = [], 0
        group.append(blob)
        size += blob.size
    if group:
        yield group
