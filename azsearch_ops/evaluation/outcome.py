"""What comes out of an evaluation, as values that the gate judges, the ledger keeps and the reports show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

State = Literal["lost", "found", "moved"]
"""How a changed query changed: its answer fell out of reach, came into reach, or only moved."""


@dataclass(frozen=True, slots=True)
class MetricResult:
    """One metric over all scored queries. `live` and everything paired is None where there is no live side.

    `difference` is candidate minus live. `low` and `high` bound its bootstrap 95 % interval; `bound` is the
    one-sided 95 % lower bound that the gate holds against the margin. `p` belongs to the one-sided hypothesis
    that the candidate is worse. `deviation` is the standard deviation of the paired differences. `better` and
    `worse` count queries in the metric's own direction.
    """

    name: str
    candidate: float
    live: float | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    bound: float | None = None
    p: float | None = None
    deviation: float | None = None
    changed: int = 0
    better: int = 0
    worse: int = 0
    higher_is_better: bool = True


@dataclass(frozen=True, slots=True)
class SideCost:
    """What one side asks of the reader, the clock and the service, over all queries.

    `tokens` is the mean a query hands to the reader with its first `reader_top` chunks. `unjudged` is the share
    of the first five chunks whose document nobody judged for that query. `p50` and `p95` are seconds, None
    without a clock, over `timed` calls that were made while no other call of this evaluation ran. `calls` counts the
    searches made. `chunks`, `storage_bytes` and `vector_bytes` are the service's figures for the index, None where
    they were not asked for.
    """

    tokens: float
    unjudged: float
    p50: float | None
    p95: float | None
    calls: int
    timed: int = 0
    chunks: int | None = None
    storage_bytes: int | None = None
    vector_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Probe:
    """Whether asking the first `queries` queries again gave the same keys and scores; None where not asked.

    The counts are of those that gave something else.
    """

    queries: int
    live: bool | None
    candidate: bool | None
    live_otherwise: int = 0
    candidate_otherwise: int = 0

    @classmethod
    def of(cls, queries: int, otherwise: Sequence[int], *, compared: bool) -> Probe:
        """The probe of live and candidate, or of the candidate alone."""
        live = otherwise[0] if compared else 0
        return cls(queries, live == 0 if compared else None, otherwise[-1] == 0, live, otherwise[-1])

    @property
    def told(self) -> str:
        """Who answered otherwise when asked again; empty where nobody did."""
        return self.named("live", "candidate")

    def named(self, live: str, candidate: str) -> str:
        """The same with other names for the sides."""
        sides = ((live, self.live, self.live_otherwise), (candidate, self.candidate, self.candidate_otherwise))
        return ", ".join(
            f"{side} answered {f'{count} of {self.queries}' if count else 'some'} queries otherwise when asked again"
            for side, steady, count in sides
            if steady is False
        )


@dataclass(frozen=True, slots=True)
class Slice:
    """The queries that carry one tag: metric name → (live, candidate); live is None without a live side."""

    tag: str
    queries: int
    values: Mapping[str, tuple[float | None, float]]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A retrieved chunk without its text. `covered` holds (item, start, end) in characters of the item's excerpt.

    A document judged as a whole is written as (item, 0, 0).
    """

    key: str
    document: str
    position: int | None
    score: float | None
    tokens: int
    covered: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class SideResult:
    """One side of one query: metric values, the rank where the answer was found, and the ranking."""

    values: Mapping[str, float]
    rank: int | None
    ranking: tuple[Ranked, ...]


@dataclass(frozen=True, slots=True)
class QueryResult:
    """One scored query. `items` names its relevant judgements in the order that `Ranked.covered` counts them."""

    id: str
    text: str
    tags: tuple[str, ...]
    items: tuple[str, ...]
    candidate: SideResult
    live: SideResult | None = None


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a side does worse on a query: a stable `kind`, the words for people, and what they rest on.

    Kinds: `cut` (a chunk boundary runs through the answer), `outranked`, `replaced by unjudged` (by what may answer
    as well), `below the threshold`, `outside k` (of a leg), `beyond what is read` (of the ranking, as deep as the
    metrics need), `outside the budget`, `filtered`, `truncated` (before embedding), `document missing`,
    `document failed` (in the indexer), `lost in extraction`, `corpus differs`, `not retrieved` (no leg finds it) and
    `spread` (found, but less of the other passages with it). `data` are plain JSON values: `side` is the one that does
    worse, `document` what is at stake; the rest depends on the kind.
    """

    kind: str
    detail: str
    data: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Diagnosed:
    """How far causes were looked into: queries, searches made for it, and what could not be asked, in words."""

    queries: int
    calls: int
    refused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangedQuery:
    """A query whose values differ between the sides. `values` maps metric name → (live, candidate)."""

    id: str
    text: str
    tags: tuple[str, ...]
    state: State
    better: bool
    live_rank: int | None
    candidate_rank: int | None
    values: Mapping[str, tuple[float, float]]
    cause: Cause


@dataclass(frozen=True, slots=True)
class ChangedRanking:
    """A question whose documents came in another order: rank-biased overlap, and the first documents of each side."""

    id: str
    text: str
    overlap: float
    live: tuple[str, ...]
    candidate: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RankOverlap:
    """How alike the rankings of two sides are, where nothing is judged: the mean over `queries`, of which some changed.

    `persistence` is how likely a reader goes on to the next rank. `most_changed` has the least alike first.
    """

    mean: float
    persistence: float
    queries: int
    changed: int
    most_changed: tuple[ChangedRanking, ...]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Both sides on the same queries. Read back from a ledger summary, `queries` and `changed` are empty.

    `query_count` counts the scored queries; `unscored` names those without a relevant judgement. `seen` is the
    number of scored queries for which either side brought anything of what was judged relevant. `changed` lists
    the worst first. `better` and `worse` count it by direction, `lost` and `found` by state. `depth` is the deepest
    ranking that was read. `pauses` says how often the service asked to be left alone for a while.
    `diagnosed` is None where causes rest on the two rankings alone. `holdouts` of the scored queries are held out:
    they count in all figures and stand in no list. `overlap` is there where nothing is judged.
    """

    metrics: tuple[MetricResult, ...]
    query_count: int
    seen: int
    better: int
    worse: int
    candidate_cost: SideCost
    live_cost: SideCost | None
    probe: Probe
    slices: tuple[Slice, ...]
    unscored: tuple[str, ...]
    seed: int
    resamples: int
    depth: int
    reader_top: int
    lost: int = 0
    found: int = 0
    pauses: int = 0
    queries: tuple[QueryResult, ...] = ()
    changed: tuple[ChangedQuery, ...] = ()
    diagnosed: Diagnosed | None = None
    holdouts: int = 0
    overlap: RankOverlap | None = None

    def metric(self, name: str) -> MetricResult | None:
        """The result of the metric called `name`, or None where it was not measured."""
        return next((m for m in self.metrics if m.name == name), None)
