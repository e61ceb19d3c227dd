"""A run as trec_eval's files: `qrels.txt`, and a ranking a side.

trec_eval counts documents that are relevant or not; here a chunk can bring a part of an answer, or two answers at
once. So the unit of these files is what is relevant: the chunk at which an item (a judged passage or document) is
found stands under that item's name, every other chunk under its own, and every chunk keeps its rank. Hit and MRR
are equal to ours for every query. Recall, precision, nDCG and MAP at k are equal for a query whose chunks bring
whole items, one each; `comparable` names those queries.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import quote

from azsearch_ops.evaluation.alignment import Interval, merge
from azsearch_ops.evaluation.counted import queries_of
from azsearch_ops.evaluation.reading import ENOUGH

if TYPE_CHECKING:
    from azsearch_ops.evaluation.outcome import QueryResult, SideResult
    from azsearch_ops.verbs.evaluating.run_files import Judged, Run

_SLACK = 1e-9
_NOTHING = "nothing-retrieved"
"""trec_eval leaves out queries without a result, and a mean over fewer queries is another mean."""


def run_trec(run: Run) -> Mapping[str, str]:
    """File name → content: `qrels.txt`, `candidate.run`, and `live.run` where there is a live side."""
    queries = run.outcome.evaluation.queries
    files = {"qrels.txt": "".join(_qrels(query, run.judged.get(query.id, ())) for query in queries)}
    for side in ("candidate", "live"):
        lines = []
        for query in queries:
            result: SideResult | None = getattr(query, side)
            if result is not None:
                lines += _ranking(query, result, run.judged.get(query.id, ()), side)
        if lines:
            files[f"{side}.run"] = "".join(lines)
    return files


def comparable(run: Run, side: str = "candidate") -> tuple[str, ...]:
    """Ids of the queries of which recall, precision, nDCG and MAP at k are equal in trec_eval and here."""
    found = []
    for query in run.outcome.evaluation.queries:
        result: SideResult | None = getattr(query, side)
        if result is not None and all(
            len(added) == 0 or (len(added) == 1 and added[0][1] >= 1.0 - _SLACK)
            for added in _added(result, run.judged.get(query.id, ()))
        ):
            found.append(query.id)
    return tuple(found)


def trec_note(run: Run) -> str:
    """Which metrics trec_eval reads from these files as they are here, for how many queries, and what is left out.

    A record holds nothing of a held-out query, so neither do the files that are made of it.
    """
    if run.outcome.evaluation.overlap is not None:
        return "nothing is judged, so there is nothing in them that trec_eval could count"
    hidden = run.outcome.evaluation.holdouts
    asked = run.outcome.evaluation.query_count - hidden
    note = (
        "trec_eval reads hit and mrr from them as they are here; recall, precision, ndcg and map for "
        f"{len(comparable(run))} of {queries_of(asked)} of the candidate (a chunk brings part of an answer elsewhere)"
    )
    if hidden:
        note += (
            f"; {hidden} held-out {'query is' if hidden == 1 else 'queries are'} in none of the files, so trec_eval's "
            "means are over fewer queries than those of the report"
        )
    return note


def _qrels(query: QueryResult, judged: tuple[Judged, ...]) -> str:
    return "".join(f"{_token(query.id)} 0 {_item(item, number)} {item.grade}\n" for number, item in enumerate(judged))


def _ranking(query: QueryResult, result: SideResult, judged: tuple[Judged, ...], tag: str) -> list[str]:
    """One line a rank; where two items are found at one rank, the second follows directly."""
    names: list[str] = []
    read = [0.0] * len(judged)
    for ranked, added in zip(result.ranking, _added(result, judged), strict=True):
        found = []
        for number, share in added:
            before, read[number] = read[number], read[number] + share
            if before < ENOUGH - _SLACK <= read[number]:
                found.append(_item(judged[number], number))
        names += found or [f"chunk:{_token(ranked.key)}"]
    names = names or [_NOTHING]
    # trec_eval orders by score and does not look at the rank, so equal scores would be put in another order.
    return [
        f"{_token(query.id)} Q0 {name} {rank} {len(names) - rank + 1} {tag}\n" for rank, name in enumerate(names, 1)
    ]


def _added(result: SideResult, judged: tuple[Judged, ...]) -> list[list[tuple[int, float]]]:
    """For each rank, the items of which the reader newly learns something, with the share."""
    covered: dict[int, list[Interval]] = {}
    ranks: list[list[tuple[int, float]]] = []
    for ranked in result.ranking:
        added: list[tuple[int, float]] = []
        parts: dict[int, list[Interval]] = {}
        for number, start, end in ranked.covered:
            parts.setdefault(number, []).append((start, end))
        for number, intervals in parts.items():
            before = covered.get(number)
            if judged[number].length == 0:
                if before is None:
                    covered[number] = []
                    added.append((number, 1.0))
                continue
            after = merge([*(before or []), *intervals])
            new = _size(after) - _size(before or [])
            covered[number] = after
            if new:
                added.append((number, new / judged[number].length))
        ranks.append(added)
    return ranks


def _size(intervals: list[Interval]) -> int:
    return sum(end - start for start, end in intervals)


def _item(item: Judged, number: int) -> str:
    return f"item:{number}:{_token(item.document)}"


def _token(text: str) -> str:
    """`text` as one word, since the files are separated by white space."""
    return quote(text, safe="/:@=+-_.,~") or "-"
