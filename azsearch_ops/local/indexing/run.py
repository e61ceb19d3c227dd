"""One execution of a blob indexer, from the container to the indexes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from azsearch_ops.documents.folder import Blob, MissingContainerError, list_blobs
from azsearch_ops.errors import AzsearchOpsError
from azsearch_ops.local.errors import ServiceFault
from azsearch_ops.local.indexing.account import Account, Outcome, keys_of, to_do
from azsearch_ops.local.indexing.enrichment import enrich, read_skills
from azsearch_ops.local.indexing.findings import RunRefusedError
from azsearch_ops.local.indexing.io import IndexingIO, RunResult
from azsearch_ops.local.indexing.mapping import FieldMapping, read_mappings
from azsearch_ops.local.indexing.projection import key_field_of, read_projections
from azsearch_ops.local.indexing.settings import Settings, read_settings
from azsearch_ops.local.indexing.skills import Step
from azsearch_ops.local.indexing.source import address, load, map_fields
from azsearch_ops.local.indexing.writing import Target, forget, output_paths, remove, write_batch

# Text, pages and vectors of so many bytes of blobs are in memory at a time.
_GROUP_BYTES = 4_000_000
# And so many documents, where a blob has many.
_PART = 1000


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
    run = Account(state or {}, now())
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
    run: Account,
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
    wanted = {blob.path: to_do(blob, run.blobs.get(blob.path)) for blob in blobs if settings.takes(blob.extension)}
    new = [blob for blob in blobs if wanted.get(blob.path) is not None]
    changed = new[:most]
    for first in range(0, len(changed), settings.batch_size):
        failed = run.failed
        for group in _groups(changed[first : first + settings.batch_size]):
            outcomes = {blob.path: Outcome() for blob in group}
            loaded = (d for blob in group for d in filter(wanted[blob.path], load(blob, folder, settings)))
            while documents := list(islice(loaded, _PART)):
                for document in documents:
                    if not document.failed:
                        map_fields(document, mappings, target.key_field)
                enrich(documents, steps)
                write_batch(documents, target, io, now())
                for document in documents:
                    run.count(document)
                    outcomes[document.blob.path].add(document)
                    forget(document)
                io.progress(run.processed)
            for blob in group:
                run.settle(blob, address(settings, blob.path), outcomes[blob.path])
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


def _remove_deleted(run: Account, blobs: Sequence[Blob], settings: Settings, target: Target, io: IndexingIO) -> None:
    """What is gone from the container leaves the indexes, if a policy says so; else it stays, as with Azure."""
    present = {blob.path for blob in blobs}
    gone = [path for path in run.blobs if path not in present]
    if settings.removes_deleted and gone:
        keys = [key for path in gone for key in keys_of(run.blobs[path])]
        remove(keys, target, io)
        run.processed += len(keys)
        io.progress(run.processed)
    for path in gone:
        del run.blobs[path]


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
