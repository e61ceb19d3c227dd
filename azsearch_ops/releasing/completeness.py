"""Is a candidate complete? Checked before anything is measured on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote

from azsearch_ops.bodies.render import Bodies
from azsearch_ops.errors import IndexingError, Problem
from azsearch_ops.releasing.chunks import key_field, read_chunks
from azsearch_ops.releasing.clock import Clock
from azsearch_ops.releasing.counts import settled_rows
from azsearch_ops.releasing.indexer_runs import last_messages
from azsearch_ops.releasing.outcomes import AcceptedDocument, Check, CheckState
from azsearch_ops.releasing.recut import Recut, check_recut
from azsearch_ops.service.client import Service

MOST_CHUNKS_READ: Final = 20_000  # Beyond it the chunk checks are a sample, and say so


@dataclass(frozen=True, slots=True)
class Source:
    """What a candidate is filled from. `documents` are paths below the container, None where they cannot be listed.

    `document_field` holds a chunk's document (a path or an address that ends with it), `text_field` its text; both
    are empty where the definition names none, which leaves documents unchecked. `longest` is the page length in UTF-16
    units that no chunk may exceed, or None. `is_blank` tells of a document whether it holds nothing but white space,
    so that no chunk can be made of it. `recut` says what another Text Split than live's is to change, if it is another.
    """

    documents: tuple[str, ...] | None
    accepted: tuple[AcceptedDocument, ...]
    document_field: str
    text_field: str
    longest: int | None
    is_blank: Callable[[str], bool] = lambda document: False
    recut: Recut | None = None


@dataclass(frozen=True, slots=True)
class Completeness:
    """Counts and checks of a complete candidate."""

    documents: int
    chunks: int
    checks: tuple[Check, ...]
    accepted: tuple[AcceptedDocument, ...]


def check_complete(
    service: Service, bodies: Bodies, source: Source, status: Mapping[str, Any], clock: Clock, *, settle: float
) -> Completeness:
    """Counts and checks; IndexingError with one problem for each document and check that fails.

    Counts have `settle` seconds to become steady; UnreachableError when they do not.
    """
    index = bodies.candidate
    key = key_field(bodies.index)
    select = [name for name in (source.document_field, source.text_field) if name]

    def read() -> list[dict[str, Any]]:
        return list(read_chunks(service, index, key, select, most=MOST_CHUNKS_READ))

    rows, count = settled_rows(service, index, read, MOST_CHUNKS_READ, clock, deadline=settle)
    sampled = count > MOST_CHUNKS_READ
    chunked = {unquote(str(row[source.document_field or key])) for row in rows}
    errors, warnings = last_messages(status)
    documents_of_chunks = [unquote(str(row.get(source.document_field) or "")) for row in rows]
    recut = source.recut if not sampled and source.document_field else None
    counted, problems = check_recut(recut, documents_of_chunks, len(chunked), count)
    problems += _too_long(rows, source, key, warnings)
    problems += _embedding_warnings(warnings)
    missing, failures = _missing(source, chunked, sampled), _failed(source, errors)
    blank = sorted(d for d in missing if d not in failures and source.is_blank(d))
    failed = {**{d: why for d, why in missing.items() if d not in blank}, **failures}
    accepted = tuple(a for a in source.accepted if a.document in failed)
    problems += [
        Problem(
            "document-failed",
            f"{document}: {why}",
            hint="mend the document, or accept it by name with a reason under source.accept",
        )
        for document, why in sorted(failed.items())
        if document not in {a.document for a in accepted}
    ]
    if problems:
        raise IndexingError(
            f"candidate '{index}' is not complete: {len(problems)} problem{'s' if len(problems) != 1 else ''}",
            problems=tuple(problems),
            hint="it is not evaluated and live is untouched",
        )
    how: CheckState = "sampled" if sampled else "checked"
    listed = source.documents is not None and source.document_field
    checks = (
        Check("documents", how if listed else "not checkable here", "every document has a chunk"),
        Check("counts", "checked", f"{count} {'chunk' if count == 1 else 'chunks'} on two reads"),
        Check("chunk length", how if source.longest else "not checkable here", _longest(rows, source)),
        *counted,
        Check("warnings", "checked", "no embedding warning"),
        *_blank(blank),
        *_read_in_part(warnings),
    )
    return Completeness(len(chunked), count, checks, accepted)


def _missing(source: Source, chunked: set[str], sampled: bool) -> dict[str, str]:
    if source.documents is None or not source.document_field or sampled:
        return {}
    known = {tail for name in chunked for tail in _tails(name)}
    return {d: "no chunk in the candidate" for d in source.documents if d not in known}


def _tails(path: str) -> Iterator[str]:
    """A path and every part of it that follows a slash: an address ends with the path below its container."""
    yield path
    at = path.find("/")
    while at >= 0:
        yield path[at + 1 :]
        at = path.find("/", at + 1)


def _failed(source: Source, errors: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Document → why, for the errors of the indexer; an error whose document is unknown stands under its key."""
    failed: dict[str, str] = {}
    for error in errors:
        where = unquote(str(error.get("key") or ""))
        named = [d for d in source.documents or () if f"/{d}" in f"/{where}"]
        document = max(named, key=len) if named else where or "(unknown document)"
        told, detail = str(error.get("errorMessage") or "failed"), str(error.get("details") or "")
        failed[document] = f"{told} ({detail})" if detail and detail not in told else told
    return failed


def _too_long(
    rows: Sequence[Mapping[str, Any]], source: Source, key: str, warnings: Sequence[Mapping[str, Any]]
) -> list[Problem]:
    if source.longest is None:
        return []
    long = [str(row[key]) for row in rows if _utf16(row.get(source.text_field)) > source.longest]
    if not long:
        return []
    many = f"{len(long)} chunks are" if len(long) > 1 else "1 chunk is"
    what = f"{many} longer than {source.longest} ({long[0]} first)"
    unsplit = [warning for warning in warnings if _is_of_a_language(warning)]
    if unsplit:
        why = f"Text Split left {len(unsplit)} of the documents whole, in languages that it does not know"
        hint = f"map their languageCode to one that it knows, by a conditional skill: {unsplit[0].get('details')}"
        return [Problem("chunk-too-long", f"{what}: {why}", hint=hint)]
    return [Problem("chunk-too-long", f"{what}: the candidate was built with old settings")]


def _is_of_a_language(warning: Mapping[str, Any]) -> bool:
    """Whether Text Split says that a document stays whole for its language."""
    return "SplitSkill" in str(warning.get("name", "")) and "languageCode" in str(warning.get("details", ""))


def _longest(rows: Sequence[Mapping[str, Any]], source: Source) -> str:
    longest = max((_utf16(row.get(source.text_field)) for row in rows), default=0)
    return f"longest chunk {longest:,}"


def _embedding_warnings(warnings: Sequence[Mapping[str, Any]]) -> list[Problem]:
    return [
        Problem("embedding-warning", f"{warning.get('key')}: {warning.get('message')}")
        for warning in warnings
        if "embedding" in str(warning.get("name", "")).lower()
    ]


def _blank(documents: Sequence[str]) -> tuple[Check, ...]:
    """Said and let pass: there is nothing in them that could be lost."""
    if not documents:
        return ()
    others = f" and {len(documents) - 3} more" if len(documents) > 3 else ""
    return (Check("blank", "checked", f"no chunk, for they hold no text: {', '.join(documents[:3])}{others}"),)


def _read_in_part(warnings: Sequence[Mapping[str, Any]]) -> tuple[Check, ...]:
    """What the local service says of texts that are longer than its model's window.

    The candidate is complete all the same, but chunk sizes beyond the window are not compared by its vectors.
    """
    told = [warning for warning in warnings if str(warning.get("name", "")).startswith("LocalService.Window")]
    if not told:
        return ()
    others = f"; and {len(told) - 1} more documents" if len(told) > 1 else ""
    return (Check("model window", "checked", f"{told[0].get('message')} {told[0].get('details')}{others}"),)


def _utf16(text: object) -> int:
    return len(str(text or "").encode("utf-16-le")) // 2
