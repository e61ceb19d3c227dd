"""Every query of a run as the page's own data: both rankings, the words where there are any, and what is marked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from azsearch_ops.reporting.report_curves import sides_of
from azsearch_ops.reporting.report_marks import marks
from azsearch_ops.reporting.report_wording import document_name

if TYPE_CHECKING:
    from azsearch_ops.evaluation.outcome import QueryResult, Ranked, SideResult
    from azsearch_ops.verbs.evaluating.run_files import Run

_SHOWN = 10
"""Ranks of a ranking that are listed; deeper ones only where they hold something of an answer."""

_READ = 5
"""Ranks whose words are there to be read, whether or not they hold anything."""

_ROOM = 6_000_000
"""Characters of chunks that a page carries; beyond them only chunks with an answer keep their words, and it says so."""


class Texts:
    """The distinct texts of a page, each once, by number."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._numbers: dict[str, int] = {}
        self._size = 0
        self.left_out = 0

    def number(self, text: str | None, *, needed: bool) -> int:
        """The number of `text`; -1 where there is none, or no more room for one that is not needed."""
        if text is None:
            return -1
        if text not in self._numbers:
            if self._size + len(text) > _ROOM and not needed:
                self.left_out += 1
                return -1
            self._numbers[text] = len(self.texts)
            self.texts.append(text)
            self._size += len(text)
        return self._numbers[text]


def query_data(run: Run) -> dict[str, Any]:
    """What the page's script reads: queries in the order in which they are listed, and the texts that they share."""
    texts = Texts()
    evaluation = run.outcome.evaluation
    changed = {query.id: query for query in evaluation.changed}
    order = {query.id: number for number, query in enumerate(evaluation.changed)}
    queries = sorted(
        evaluation.queries,
        key=lambda query: (order.get(query.id, len(order)), query.candidate.rank is not None, query.id),
    )
    rows = []
    for query in queries:
        change = changed.get(query.id)
        rows.append(
            {
                "id": query.id,
                "text": query.text,
                "tags": list(query.tags),
                "state": change.state if change else "same",
                "better": change.better if change else None,
                "cause": {"kind": change.cause.kind, "detail": change.cause.detail} if change else None,
                "values": [
                    [name, query.live.values[name] if query.live else None, value]
                    for name, value in query.candidate.values.items()
                ],
                "items": _items(run, query),
                "sides": {side: _side(run, query, side, texts) for side in sides_of(run)},
            }
        )
    return {"queries": rows, "texts": texts.texts, "leftOut": texts.left_out, "words": run.measured.text == "full"}


def _items(run: Run, query: QueryResult) -> list[dict[str, Any]]:
    excerpts = run.words.excerpts.get(query.id, ())
    return [
        {
            "document": judged.document,
            "grade": judged.grade,
            "length": judged.length,
            "excerpt": excerpts[number] if number < len(excerpts) else None,
        }
        for number, judged in enumerate(run.judged.get(query.id, ()))
    ]


def _side(run: Run, query: QueryResult, side: str, texts: Texts) -> dict[str, Any]:
    result: SideResult = getattr(query, side)
    words = run.words.chunks.get(side, {})
    excerpts = run.words.excerpts.get(query.id, ())
    judged = {item.document for item in run.judged.get(query.id, ())}
    lengths = [item.length for item in run.judged.get(query.id, ())]
    chunks = []
    spent = 0
    for rank, ranked in enumerate(result.ranking, start=1):
        holds = bool(ranked.covered)
        if rank <= _SHOWN or holds:
            text = words.get(ranked.key) if rank <= _READ or holds else None
            chunks.append(_chunk(ranked, rank, spent, text, excerpts, judged, lengths, texts))
        spent += ranked.tokens
    return {"rank": result.rank, "of": len(result.ranking), "chunks": chunks}


def _chunk(
    ranked: Ranked,
    rank: int,
    before: int,
    text: str | None,
    excerpts: Any,
    judged: set[str],
    lengths: list[int],
    texts: Texts,
) -> dict[str, Any]:
    name = document_name(ranked.document)
    held: dict[int, float] = {}
    for item, start, end in ranked.covered:
        length = lengths[item] if item < len(lengths) else 0
        held[item] = held.get(item, 0.0) + ((end - start) / length if length else 1.0)
    found = {
        "rank": rank,
        "document": name,
        "ordinal": ranked.position,
        "score": ranked.score,
        "tokens": ranked.tokens,
        "before": before,
        "held": [[item, round(share, 3)] for item, share in held.items()],
        "text": texts.number(text, needed=bool(ranked.covered)),
        "marks": [list(mark) for mark in marks(text, ranked.covered, excerpts)] if text is not None else [],
    }
    if not any(name == document or name.endswith(f"/{document}") for document in judged):
        found["unjudged"] = True
    return found
