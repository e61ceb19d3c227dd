"""The files of a run: `evaluation.json` with every query, and `chunks.json` with the words that were retrieved."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError

from azsearch_ops.errors import EvaluationError
from azsearch_ops.evaluation.items import Item, relevant_items
from azsearch_ops.evaluation.record import from_summary, record
from azsearch_ops.evaluation.types import Chunk, Query, Search
from azsearch_ops.gate.outcome import EvaluationOutcome
from azsearch_ops.gate.record import verdict_from_json, verdict_to_json, yardstick_from_json, yardstick_to_json

EVALUATION = "evaluation.json"
CHUNKS = "chunks.json"
CHUNKS_SCHEMA = "azsearch-ops/chunks/1"

Side = Literal["live", "candidate"]


@dataclass(frozen=True, slots=True)
class Measured:
    """Where and on what an evaluation was measured; what nobody knew is None or empty.

    `documents` of `documents_expected` source documents were there to be found; `queries_given` counts the query set,
    scored or not. `chunks` and `search` are by side, live and candidate. `limits` maps a gated metric to its limits.
    `states` tells both sides as they were (releasing/state.py). `budget_encoding` is what the reader's tokens were
    counted with. `command` measures the same again, where that is not `evaluate NAME` of a project.
    """

    service: str = ""
    environment: str = ""
    is_local: bool = False
    api_version: str = ""
    model: str = ""
    dimensions: int | None = None
    documents: int | None = None
    documents_expected: int | None = None
    queries_given: int = 0
    chunks: Mapping[str, int] = field(default_factory=dict)
    states: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    search: Mapping[str, Any] = field(default_factory=dict)
    query_digest: str = ""
    yardstick: str = ""
    limits: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)
    commit: str | None = None
    by: str = ""
    at: str = ""
    budget_encoding: str = ""
    text: Literal["full", "ids"] = "full"
    command: str = ""


@dataclass(frozen=True, slots=True)
class ChangeNote:
    """One setting that the candidate has otherwise than live; `where` is file:line, `means` the class of the change."""

    where: str
    setting: str
    before: Any
    after: Any
    means: str


@dataclass(frozen=True, slots=True)
class Judged:
    """Something relevant to a query: its document, its grade, and the characters of its excerpt (0: the document)."""

    document: str
    grade: int
    length: int


@dataclass(frozen=True, slots=True)
class Words:
    """What `chunks.json` holds: chunk key → text by side, and query id → its excerpts in the order of `Judged`."""

    chunks: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    excerpts: Mapping[str, Sequence[str | None]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Run:
    """An evaluation with everything that a report shows of it. `words` is empty where only ids are kept.

    Read back from the ledger, it holds no single query.
    """

    outcome: EvaluationOutcome
    measured: Measured
    changes: tuple[ChangeNote, ...] = ()
    judged: Mapping[str, tuple[Judged, ...]] = field(default_factory=dict)
    words: Words = field(default_factory=Words)
    folder: Path | None = None

    @property
    def name(self) -> str:
        """The run's own name: its folder's, else its key."""
        return self.folder.name if self.folder else self.outcome.key


class Kept:
    """Remembers the chunks that searches return, so that a report can show them."""

    def __init__(self) -> None:
        self.chunks: dict[Side, dict[str, Chunk]] = {"live": {}, "candidate": {}}

    def watch(self, side: Side, search: Search) -> Search:
        """`search`, with what it returns remembered under `side`."""
        seen = self.chunks[side]

        def watched(query: Query, depth: int) -> Sequence[Chunk]:
            chunks = search(query, depth)
            seen.update((chunk.key, chunk) for chunk in chunks)
            return chunks

        return watched


def judged_items(queries: Sequence[Query]) -> dict[str, tuple[Judged, ...]]:
    """Query id → what is relevant to it, in the order in which rankings count it."""
    return {
        query.id: tuple(
            Judged(item.document, item.grade, item.span.length if item.span else 0)
            for item in relevant_items(query.judgements)
        )
        for query in queries
    }


def run_record(
    outcome: EvaluationOutcome,
    measured: Measured,
    judged: Mapping[str, Sequence[Judged]],
    changes: Sequence[ChangeNote] = (),
) -> dict[str, Any]:
    """What `evaluation.json` holds, as plain values. What is judged is told of the queries that it shows."""
    shown = {query.id for query in outcome.evaluation.queries}
    return {
        "key": outcome.key,
        "name": outcome.name,
        "alias": outcome.alias,
        "candidate": outcome.candidate,
        "live": outcome.live,
        "settings_only": outcome.settings_only,
        "verdict": outcome.verdict.outcome,
        "reasons": list(outcome.verdict.reasons),
        "gate": verdict_to_json(outcome.verdict),
        "yardstick": yardstick_to_json(outcome.yardstick),
        "tainted": outcome.tainted,
        "notes": list(outcome.notes),
        "seconds": outcome.seconds,
        "at": measured.at,
        "measured": asdict(measured),
        "changes": [asdict(change) for change in changes],
        "judged": {name: [asdict(item) for item in items] for name, items in judged.items() if name in shown},
        "evaluation": record(outcome.evaluation),
    }


def write_run(folder: Path, content: Mapping[str, Any], kept: Kept | None, queries: Sequence[Query]) -> None:
    """Write the files of a run; without `kept`, or where only ids are wanted, there is no `chunks.json`.

    It holds the words of the queries that the record shows: of one that is held out there are none.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if kept is not None:
        shown = content["evaluation"]["queries"]
        ids = {query["id"] for query in shown}
        words: dict[str, Any] = {
            "schema": CHUNKS_SCHEMA,
            "excerpts": {
                q.id: [_excerpt(item) for item in relevant_items(q.judgements)] for q in queries if q.id in ids
            },
        }
        for side, chunks in kept.chunks.items():
            keys = {ranked["key"] for query in shown if query[side] for ranked in query[side]["ranking"]}
            words[side] = {
                key: {"document": chunk.document, "text": chunk.text} for key, chunk in chunks.items() if key in keys
            }
        _write(folder / CHUNKS, words)
    _write(folder / EVALUATION, content)


def read_run(path: Path) -> Run:
    """The run behind an `evaluation.json`; `chunks.json` beside it is read where it is there.

    Raises:
        EvaluationError: the file is not a record of an evaluation, or one that an older version wrote.
    """
    content = _read(path)
    words = path.with_name(CHUNKS)
    return run_from(content, str(path), path.parent, _words(_read(words)) if words.is_file() else Words())


def run_from(content: Mapping[str, Any], path: str, folder: Path | None = None, words: Words | None = None) -> Run:
    """The run that `content` tells, whole (a file) or as a summary (the ledger); EvaluationError as in `read_run`."""
    try:
        outcome = EvaluationOutcome(
            name=content["name"],
            alias=content["alias"],
            candidate=content["candidate"],
            live=content["live"],
            settings_only=content["settings_only"],
            evaluation=from_summary(content.get("evaluation") or content["summary"]),
            verdict=verdict_from_json(content["gate"]),
            key=content["key"],
            path=path,
            tainted=content["tainted"],
            seconds=content["seconds"],
            yardstick=yardstick_from_json(content.get("yardstick")),
            notes=tuple(map(str, content.get("notes") or ())),
        )
        known = _adapter().validate_python({name: content[name] for name in ("measured", "changes", "judged")})
    except KeyError as missing:
        raise EvaluationError(
            f"{path} is not a record that a report can be made of: it has no {missing}",
            hint="evaluate again; records of older versions hold less",
            code="evaluation-record",
        ) from None
    except ValidationError as error:
        first = error.errors()[0]
        where = "/".join(map(str, first["loc"]))
        raise EvaluationError(f"{path}: {where}: {first['msg']}", code="evaluation-record") from error
    return Run(outcome, known.measured, known.changes, known.judged, words or Words(), folder)


@dataclass(frozen=True, slots=True)
class _Known:
    measured: Measured
    changes: tuple[ChangeNote, ...]
    judged: Mapping[str, tuple[Judged, ...]]


@cache
def _adapter() -> TypeAdapter[_Known]:
    return TypeAdapter(_Known)


def _excerpt(item: Item) -> str | None:
    """The excerpt's own words: an item is named after its document and them."""
    return None if item.span is None else item.name[len(item.document) + 2 :]


def _words(content: Mapping[str, Any]) -> Words:
    if content.get("schema") != CHUNKS_SCHEMA:
        raise EvaluationError(f"not a file of chunks of schema {CHUNKS_SCHEMA}", code="evaluation-record")
    chunks = {side: {key: str(chunk["text"]) for key, chunk in content[side].items()} for side in ("live", "candidate")}
    return Words(chunks, content["excerpts"])


def _read(path: Path) -> Mapping[str, Any]:
    try:
        content = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise EvaluationError(f"{path} cannot be read: {error.strerror}", code="evaluation-record") from error
    except ValueError as error:
        raise EvaluationError(f"{path} is not JSON: {error}", code="evaluation-record") from error
    if not isinstance(content, dict):
        raise EvaluationError(f"{path} is not a record but a JSON {type(content).__name__}", code="evaluation-record")
    return content


def _write(path: Path, content: Mapping[str, Any]) -> None:
    text = json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False)
    draft = path.with_suffix(".new")
    draft.write_text(text + "\n", "utf-8")
    draft.replace(path)  # Whole at once: another ship looks through the runs at any moment
