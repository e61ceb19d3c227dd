"""`query`: one question, answered by live (and the candidate) with the scores of each leg."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.errors import ServiceError, UnreachableError, UsageError
from azsearch_ops.evaluation.asking import in_stated_order
from azsearch_ops.evaluation.chunk_keys import position
from azsearch_ops.evaluation.diagnosis.boundary import chunk_in
from azsearch_ops.evaluation.diagnosis.instruments import Variation
from azsearch_ops.evaluation.diagnosis.stake import share_of
from azsearch_ops.evaluation.items import relevant_items
from azsearch_ops.evaluation.paths import DocumentPaths, below_container
from azsearch_ops.evaluation.placing import Places
from azsearch_ops.evaluation.reading import Reader
from azsearch_ops.evaluation.types import Chunk, Query
from azsearch_ops.models.tokenizer import tokenizer
from azsearch_ops.verbs.evaluating.bringing import brought_to
from azsearch_ops.verbs.evaluating.chunk_fields import ChunkFields
from azsearch_ops.verbs.evaluating.diagnosing import instruments
from azsearch_ops.verbs.evaluating.evaluating import READER_ENCODING
from azsearch_ops.verbs.evaluating.modes import mode_of
from azsearch_ops.verbs.evaluating.queries import query_set
from azsearch_ops.verbs.evaluating.sides import MeasuredSide, candidate_side, live_side
from azsearch_ops.verbs.session import Session, chosen_indexes
from azsearch_ops.verbs.shipping.steps import contest_for


@dataclass(frozen=True, slots=True)
class ExplainedChunk:
    """A result: where it is from and why it is here.

    `characters` is its place in the document's text, where that can be read. `holds` is the share that it has of a
    judged answer, where the question is one of the query set.
    """

    rank: int
    key: str
    document: str
    position: int | None
    characters: tuple[int, int] | None
    score: float | None
    legs: Mapping[str, float]
    tokens: int
    holds: float | None
    text: str


@dataclass(frozen=True, slots=True)
class ExplainedSide:
    """The answer of one index. `release` is None for a candidate; `refused` says what the service did not tell."""

    side: str
    index: str
    release: int | None
    mode: str
    chunks: tuple[ExplainedChunk, ...]
    refused: str = ""


@dataclass(frozen=True, slots=True)
class ExplainedQuery:
    """One question on every side that was asked; `id` where it is one of the query set."""

    name: str
    text: str
    id: str | None
    sides: tuple[ExplainedSide, ...]


def explain_query(
    session: Session, name: str, text: str, *, candidate: bool = False, top: int | None = None
) -> ExplainedQuery:
    """Ask live, and with `candidate` the built candidate too, under the requests of each; nothing is written.

    `text` may be the id of a query of the query set. `top` is how many results are wanted, else the request says.

    UsageError when `text` is blank: no search mode takes that.
    """
    if not text.strip():
        raise UsageError("there is no question to ask", hint=f'azsearch-ops query {name} "how many days of leave?"')
    index = chosen_indexes(session.project, (name,))[0]
    contest = contest_for(session, index)
    sides = [("live", live_side(session, contest))]
    if candidate:
        sides.append(("candidate", candidate_side(session, contest)))
    query, known = _question(session, index, text, {side.index: side.fields for _, side in sides})
    words = session.project.environment.reports.text == "full"
    answers = tuple(_answer(role, side, query, top, words) for role, side in sides)
    return ExplainedQuery(name, query.text, query.id if known else None, answers)


def _question(
    session: Session, index: IndexDefinition, text: str, sides: Mapping[str, ChunkFields]
) -> tuple[Query, bool]:
    """What is asked, with its judgements where it is a question of the query set."""
    whole = query_set(session.project, index)
    entry = next((e for e in whole.accepted if text in (e.id, e.query) and not e.holdout), None)
    if entry is None:
        return Query("asked", text, ()), False
    found = brought_to(session.service, session.project, index, replace(whole, entries=(entry,)), sides)
    return next(iter(found.coverage.queries)), True


def _answer(role: str, side: MeasuredSide, query: Query, top: int | None, words: bool) -> ExplainedSide:
    asked = instruments(side.service, side.index, side.settings, side.fields, names=side.names)
    depth = top or int(side.settings.get("top") or 5)
    refused = ""
    try:
        chunks = asked.ask(query, depth, Variation())
    except UnreachableError:
        raise
    except ServiceError as refusal:
        refused = refusal.message
        chunks = asked.ask(query, depth, Variation(explained=False))
    paths = DocumentPaths(j.document for j in query.judgements)
    reader = Reader(paths, tokenizer(READER_ENCODING).count)
    items = relevant_items(query.judgements)
    texts = {j.document: text for j in query.judgements if (text := side.making.text(j.document))}
    places = Places(paths, texts, query.judgements, asked.chunks_at)
    places.learn(chunks)
    ranking = reader.ranking(items, in_stated_order(chunks), (), places)
    explained: list[ExplainedChunk] = []
    for rank, (chunk, held) in enumerate(zip(ranking.chunks, ranking.held, strict=True), start=1):
        holds = max((share_of(items[item], parts) for item, parts in held), default=0.0) if items else None
        explained.append(_explained(rank, chunk, side, reader.tokens(chunk.text), holds, words))
    return ExplainedSide(role, side.index, side.release, mode_of(side.settings), tuple(explained), refused)


def _explained(
    rank: int, chunk: Chunk, side: MeasuredSide, tokens: int, holds: float | None, words: bool
) -> ExplainedChunk:
    path = below_container(chunk.document)
    text = side.making.text(path)
    return ExplainedChunk(
        rank=rank,
        key=chunk.key,
        document=path,
        position=position(chunk),
        characters=chunk_in(text, chunk.text) if text is not None else None,
        score=chunk.score,
        legs=chunk.subscores,
        tokens=tokens,
        holds=holds,
        text=chunk.text if words else "",
    )
