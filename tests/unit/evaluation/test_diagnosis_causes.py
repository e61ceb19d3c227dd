"""Every cause on a shelf of chunks whose ranking, limits and texts are known by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import pytest

from azsearch_ops.chunking.text_split import TextSplit, split
from azsearch_ops.errors import ServiceError, UnreachableError
from azsearch_ops.evaluation.diagnosis.diagnose import Diagnosis
from azsearch_ops.evaluation.diagnosis.instruments import Instruments, Making, Variation
from azsearch_ops.evaluation.diagnosis.truncation import window_of
from azsearch_ops.evaluation.outcome import ChangedQuery, Evaluation
from azsearch_ops.evaluation.run import evaluate
from azsearch_ops.evaluation.types import Chunk, Judgement, Query

ANSWER = "Claims for mileage are due within thirty days of the journey that they are for."
LATE = "Whoever claims later writes to the manager of the cost centre and says why it took so long."
BEFORE = "This page is about travel by car and by train, and about what is paid for it. "
AFTER = " Later ones are refused unless the manager of the cost centre signs for them."
DOCUMENT = BEFORE + ANSWER + AFTER
QUERY = Query("q1", "When are mileage claims due?", (Judgement("travel/car.md", ANSWER),))
NOISE = [Chunk(f"n_pages_{i}", f"other/{i}.md", f"Page {i} tells about something else entirely.") for i in range(60)]


@dataclass
class Shelf:
    """An index: chunks with their similarity, best first; only those at or above the threshold, of k, and allowed."""

    chunks: Sequence[Chunk]
    k: int = 50
    threshold: float | None = None
    forbidden: Callable[[Chunk], bool] | None = None
    making: Making = field(default_factory=Making)
    fails: ServiceError | None = None
    calls: list[object] = field(default_factory=list)

    def search(self, query: Query, depth: int) -> list[Chunk]:
        return [replace(chunk, subscores={}) for chunk in self._ranked(depth, Variation())]

    def instruments(self, name: str = "shelf") -> Instruments:
        def ask(query: Query, depth: int, variation: Variation) -> list[Chunk]:
            self.calls.append(variation)
            if self.fails is not None and variation.explained:
                raise self.fails
            found = self._ranked(depth, variation)
            return found if variation.explained else [replace(chunk, subscores={}) for chunk in found]

        def chunks_at(address: str) -> list[Chunk]:
            self.calls.append(address)
            return [chunk for chunk in self.chunks if chunk.document == address]

        return Instruments(
            index=name,
            ask=ask,
            chunks_at=chunks_at,
            chunks_with=lambda words: [],
            release=7,
            threshold=self.threshold,
            filter_of=lambda query: "group eq 'staff'" if self.forbidden else "",
            k=self.k,
            making=self.making,
        )

    def _ranked(self, depth: int, variation: Variation) -> list[Chunk]:
        found = sorted(self.chunks, key=lambda chunk: -(chunk.score or 0.0))
        if self.threshold is not None and not (variation.without_threshold or variation.deep):
            found = [chunk for chunk in found if (chunk.score or 0.0) >= self.threshold]
        if self.forbidden is not None and not variation.without_filter:
            found = [chunk for chunk in found if not self.forbidden(chunk)]
        return found[: depth if variation.deep else min(depth, self.k)]


def chunk(text: str, score: float, ordinal: int = 0, document: str = "travel/car.md", **legs: float) -> Chunk:
    return Chunk(f"{document}_pages_{ordinal}", document, text, score, {"vector": score, **legs})


def noise(count: int, score: float) -> list[Chunk]:
    return [
        replace(c, score=score - i / 1000, subscores={"vector": score - i / 1000}) for i, c in enumerate(NOISE[:count])
    ]


WHOLE = Shelf([chunk(DOCUMENT, 0.9), *noise(5, 0.5)])


def measured(live: Shelf, candidate: Shelf, query: Query = QUERY, most_calls: int = 100) -> Evaluation:
    diagnosis = Diagnosis(
        [query], candidate.instruments("candidate-1"), live.instruments("live-1"), most_calls=most_calls
    )
    result = evaluate(
        [query],
        live.search,
        candidate.search,
        ("recall@60t", "mrr@10"),
        lambda text: len(text.split()),
        resamples=10,
        diagnose=diagnosis,
    )
    return replace(result, diagnosed=diagnosis.diagnosed)


def change(live: Shelf, candidate: Shelf, query: Query = QUERY) -> ChangedQuery:
    (found,) = measured(live, candidate, query).changed
    return found


def test_equal_sides_are_not_asked_again() -> None:
    live, candidate = replace(WHOLE, calls=[]), replace(WHOLE, calls=[])
    result = measured(live, candidate)
    assert result.changed == ()
    assert (live.calls, candidate.calls) == ([], [])
    assert result.diagnosed is not None
    assert (result.diagnosed.queries, result.diagnosed.calls) == (0, 0)


PAIR = "Claims for mileage are due within thirty days. Later ones need the name of a manager."
PAGE_LENGTHS = [
    n
    for n in range(160, 400, 20)
    if any(
        len(BEFORE * 4) < p.end < len(BEFORE * 4 + PAIR)
        for p in split(BEFORE * 4 + PAIR + AFTER, TextSplit("pages", n, 0))
    )
]


@pytest.mark.parametrize("length", PAGE_LENGTHS)
def test_a_cut_names_its_place_and_an_overlap_that_holds_when_tried(length: int) -> None:
    text, start = BEFORE * 4 + PAIR + AFTER, len(BEFORE * 4)
    query = Query("q1", "When are mileage claims due?", (Judgement("travel/car.md", PAIR),))
    options = TextSplit("pages", length, 0)
    pages = split(text, options)
    at = next(p.end for p in pages if start < p.end < start + len(PAIR))
    chunks = [chunk(text[p.start : p.end], 0.9 if p.end == at else 0.1, i) for i, p in enumerate(pages)]
    making = Making(text={"travel/car.md": text}.get, split=options)
    found = change(Shelf([chunk(text[start:], 0.9)]), Shelf([*chunks, *noise(9, 0.7)], making=making), query)
    assert found.cause.kind == "cut"
    assert found.cause.data["at"] == at
    overlap = found.cause.data["overlap"]
    assert isinstance(overlap, int)
    again = split(text, replace(options, page_overlap_length=overlap))
    assert any(p.start <= start and start + len(PAIR) <= p.end for p in again)
    assert found.cause.detail.startswith(f"cut at {at:,}; an overlap of {overlap:,} keeps it whole (")


def test_there_are_page_lengths_that_cut_the_pair() -> None:
    assert len(PAGE_LENGTHS) >= 3


def halves(at: int, making: Making, first: float = 0.9, second: float = 0.8) -> Shelf:
    return Shelf([chunk(DOCUMENT[:at], first, 0), chunk(DOCUMENT[at:], second, 1), *noise(5, 0.5)], making=making)


def test_a_cut_says_which_chunk_holds_how_much_of_the_answer() -> None:
    at = DOCUMENT.index("thirty")
    making = Making(text={"travel/car.md": DOCUMENT}.get, split=TextSplit("pages", 120, 0))
    found = change(WHOLE, halves(at, making, second=0.1))
    assert found.cause.kind == "cut"
    assert found.cause.data["at"] == at
    parts = found.cause.data["parts"]
    assert isinstance(parts, list)
    begin = len(BEFORE)
    expected = {0: (at - begin) / len(ANSWER), 1: (begin + len(ANSWER) - at) / len(ANSWER)}
    assert {part["position"]: part["share"] for part in parts} == pytest.approx(expected, abs=0.02)
    assert "chunk 0 holds" in found.cause.detail


def test_sentences_have_no_overlap_to_offer() -> None:
    making = Making(text={"travel/car.md": DOCUMENT}.get, split=TextSplit("sentences", 300, 0))
    found = change(WHOLE, halves(DOCUMENT.index("thirty"), making, second=0.1))
    assert found.cause.detail.startswith(f"cut at {DOCUMENT.index('thirty')}; sentences have no overlap (")


def test_without_the_document_the_overlap_is_an_estimate_and_says_so() -> None:
    found = change(WHOLE, halves(DOCUMENT.index("thirty"), Making(), second=0.1))
    assert found.cause.kind == "cut"
    assert found.cause.data["at"] is None
    assert "would keep it whole" in found.cause.detail
    assert found.cause.data["remedy_tried"] is False


def test_an_outranked_answer_tells_by_which_leg() -> None:
    rival = Chunk("faq_pages_2", "travel/faq.md", "Questions that are asked often, and answers.", 0.95)
    rival = replace(rival, subscores={"vector": 0.88, "BM25": 4.1})
    candidate = Shelf([rival, chunk(DOCUMENT, 0.9, BM25=3.3), *noise(5, 0.5)])
    found = change(WHOLE, candidate)
    assert found.cause.kind == "outranked"
    assert found.cause.detail == "outranked by travel/faq.md chunk 2 (vector −0.02, BM25 +0.8)"
    assert found.cause.data["above"] == 1


def test_a_leg_that_does_not_find_the_answer_is_named() -> None:
    rival = Chunk("faq_pages_2", "travel/faq.md", "Questions that are asked often, and answers.", 0.95)
    candidate = Shelf([replace(rival, subscores={"vector": 0.5, "BM25": 4.1}), chunk(DOCUMENT, 0.9)])
    told = change(WHOLE, candidate).cause.detail
    assert told == "outranked by travel/faq.md chunk 2 (vector −0.4, answer not found by BM25)"


def test_a_second_answer_that_falls_is_told_apart_from_the_first_that_stays() -> None:
    both = replace(QUERY, judgements=(*QUERY.judgements, Judgement("travel/late.md", LATE)))
    late = chunk(LATE, 0.8, document="travel/late.md")
    rivals = [chunk("Something else came in between.", 0.85, n, "new.md") for n in range(2)]
    live = Shelf([chunk(DOCUMENT, 0.9), late])
    found = change(live, Shelf([chunk(DOCUMENT, 0.9), *rivals, late]), both)
    assert (found.live_rank, found.candidate_rank) == (1, 1)
    assert found.cause.detail.startswith("another answer, 2 → 4: outranked by new.md chunk 0")
    gained = change(Shelf([chunk(DOCUMENT, 0.9), *rivals, late]), live, both)
    assert gained.cause.detail.startswith("another answer, 4 → 2: no longer outranked by new.md chunk 0")


def test_what_stood_in_front_before_too_is_not_what_outranks() -> None:
    known = chunk("An introduction that was in front before.", 0.99, 3, "intro.md")
    rival = chunk("Something new that came in between them.", 0.95, 4, "new.md")
    live = Shelf([known, chunk(DOCUMENT, 0.9)])
    found = change(live, Shelf([known, rival, chunk(DOCUMENT, 0.9)]))
    assert found.cause.detail.startswith("outranked by new.md chunk 4")


def test_what_has_the_words_of_the_answer_and_no_judgement_is_to_be_judged() -> None:
    twin = chunk("Mileage: claims are due within thirty days after the journey.", 0.95, 1, "wiki/mileage.md")
    found = change(WHOLE, Shelf([twin, chunk(DOCUMENT, 0.9)]))
    assert found.cause.kind == "replaced by unjudged"
    assert "wiki/mileage.md chunk 1" in found.cause.detail


def test_a_threshold_that_is_too_high() -> None:
    candidate = Shelf([*noise(3, 0.7), chunk(DOCUMENT, 0.52)], threshold=0.6)
    found = change(WHOLE, candidate)
    assert found.cause.kind == "below the threshold"
    assert found.cause.detail == "below the threshold: travel/car.md chunk 0 has 0.52, asked is 0.6; without it rank 4"
    assert (found.cause.data["similarity"], found.cause.data["rank_without"]) == (0.52, 4)


def test_outside_k_tells_the_rank_found_by_asking_deeper() -> None:
    candidate = Shelf([*noise(30, 0.7), chunk(DOCUMENT, 0.3)], k=20)
    found = change(WHOLE, candidate)
    assert found.cause.kind == "outside k"
    assert (found.cause.data["rank"], found.cause.data["k"]) == (31, 20)
    assert "is at rank 31 when every leg brings 1,000, behind other/0.md chunk 0 (vector +0.4)" in found.cause.detail


def test_what_the_request_brings_further_down_than_is_read_is_not_outside_k() -> None:
    candidate = Shelf([*noise(30, 0.7), chunk(DOCUMENT, 0.3)], k=50)
    found = change(WHOLE, candidate)
    assert found.cause.detail == "beyond what is read: travel/car.md chunk 0 is at rank 31, and the first 10 were read"
    assert (found.cause.data["rank"], found.cause.data["k"], found.cause.data["depth"]) == (31, 50, 10)


@dataclass
class TwoLegs(Shelf):
    """The answer comes by text alone, unless each leg brings more than `k`: then it is at `deep_rank`."""

    deep_rank: int = 12

    def _ranked(self, depth: int, variation: Variation) -> list[Chunk]:
        *others, own = self.chunks
        if variation.deep:
            return [*others[: self.deep_rank - 1], own, *others[self.deep_rank - 1 :]][:depth]
        return [*others, replace(own, subscores={"BM25": 1.2})][:depth]


@pytest.mark.parametrize(
    ("deep_rank", "kind", "rank"), [(12, "outside k", 12), (31, "beyond what is read", 31), (1, "outside k", 1)]
)
def test_k_is_the_cause_where_more_of_a_leg_would_bring_it_up(deep_rank: int, kind: str, rank: int) -> None:
    shelf = TwoLegs([*noise(30, 0.7), chunk(DOCUMENT, 0.3)], k=20, deep_rank=deep_rank)
    found = change(WHOLE, shelf)
    assert (found.cause.kind, found.cause.data["rank"]) == (kind, rank)


def test_a_filter_that_hides_the_answer() -> None:
    candidate = replace(WHOLE, forbidden=lambda c: c.document == "travel/car.md")
    found = change(WHOLE, candidate)
    assert found.cause.kind == "filtered"
    assert found.cause.detail == "filtered: without `group eq 'staff'` travel/car.md chunk 0 is at rank 1"


def test_text_behind_what_the_model_reads() -> None:
    long = "word " * 600 + DOCUMENT
    window = window_of("BAAI/bge-base-en-v1.5", lambda text: len(text.split()))
    assert window is not None
    candidate = Shelf([*noise(30, 0.7), chunk(long, 0.2)], k=20, making=Making(window=window))
    found = change(Shelf([chunk(long, 0.9)], making=Making()), candidate)
    assert found.cause.kind == "truncated"
    over = len(long.split()) - 512
    assert (found.cause.data["over"], found.cause.data["window"]) == (over, 512)
    assert found.cause.data["answer_at"] == 600 + len(BEFORE.split())


def test_an_answer_within_what_the_model_reads_is_not_truncated() -> None:
    long = DOCUMENT + " word" * 600
    window = window_of("text-embedding-3-small", lambda text: len(text.split()), 512)
    candidate = Shelf([*noise(30, 0.7), chunk(long, 0.2)], k=20, making=Making(window=window))
    assert change(Shelf([chunk(long, 0.9)]), candidate).cause.kind == "outside k"


@pytest.mark.parametrize(
    ("making", "kind", "words"),
    [
        (Making(listed=frozenset({"travel/car.md"})), "document missing", "is in the source and has no chunk"),
        (Making(listed=frozenset()), "corpus differs", "corpus differs: only live has travel/car.md"),
        (Making(), "corpus differs", "corpus differs: only live has travel/car.md"),
        (
            Making(failed={"travel/car.md": "Document is encrypted"}),
            "document failed",
            "the indexer failed on travel/car.md: Document is encrypted",
        ),
    ],
)
def test_a_document_that_is_not_there(making: Making, kind: str, words: str) -> None:
    found = change(WHOLE, Shelf(noise(5, 0.5), making=making))
    assert found.cause.kind == kind
    assert words in found.cause.detail


def test_words_that_extraction_lost() -> None:
    candidate = Shelf([chunk(BEFORE, 0.9), *noise(5, 0.5)], making=Making(text={"travel/car.md": DOCUMENT}.get))
    found = change(WHOLE, candidate)
    assert found.cause.kind == "lost in extraction"
    assert f"it begins at {len(BEFORE)} of the document" in found.cause.detail


def test_a_few_words_that_are_left_are_no_cut() -> None:
    """A chunk that ends as the answer begins holds a part of it; where the rest is nowhere, no boundary took it."""
    left = f"{BEFORE}{ANSWER[: len(ANSWER) // 3]}"
    candidate = Shelf([chunk(left, 0.9), *noise(5, 0.5)], making=Making(text={"travel/car.md": DOCUMENT}.get))
    found = change(WHOLE, candidate)
    assert found.cause.kind == "lost in extraction"
    assert "the chunks of travel/car.md hold 34 % of the answer in all; it begins at" in found.cause.detail


def test_small_pieces_of_a_whole_answer_are_a_cut() -> None:
    """Each says too little to be taken for a part, and together they read as the answer does."""
    words = ANSWER.split(" ")
    pieces = [" ".join(words[i : i + 2]) for i in range(2, len(words), 2)]
    texts = [BEFORE + " ".join(words[:2]), *pieces, AFTER]
    candidate = Shelf([*(chunk(text, 0.9 - i / 100, i) for i, text in enumerate(texts)), *noise(5, 0.5)])
    assert change(WHOLE, candidate).cause.kind == "cut"


def test_pages_that_are_not_taken() -> None:
    making = Making(text={"travel/car.md": DOCUMENT}.get, split=TextSplit("pages", 300, 0, maximum_pages_to_take=1))
    found = change(WHOLE, Shelf([chunk(BEFORE, 0.9)], making=making))
    assert f"only the first page is taken: the answer begins at {len(BEFORE)}" in found.cause.detail


def test_an_answer_behind_the_budget() -> None:
    thick = [chunk("padding " * 80, 0.95, i, f"thick/{i}.md") for i in range(1)]
    thin = [chunk("padding " * 5, 0.95, i, f"thin/{i}.md") for i in range(1)]
    found = change(Shelf([*thin, chunk(DOCUMENT, 0.9)]), Shelf([*thick, chunk(DOCUMENT, 0.9)]))
    assert found.cause.kind == "outside the budget"
    assert found.cause.detail == "outside the budget: at rank 2, behind 80 tokens, and the reader takes 60"


def test_a_gain_says_what_no_longer_holds() -> None:
    live = Shelf([*noise(30, 0.7), chunk(DOCUMENT, 0.3)], k=20)
    found = change(live, WHOLE)
    assert (found.better, found.cause.kind, found.cause.data["side"]) == (True, "outside k", "live")
    assert found.cause.detail.startswith("no longer outside k: ")


def test_every_answer_can_be_traced_to_chunk_document_position_and_release() -> None:
    rival = chunk("Questions that are asked often, and answers.", 0.95, 2, "travel/faq.md")
    making = Making(text={"travel/car.md": DOCUMENT}.get)
    found = change(WHOLE, Shelf([rival, chunk(DOCUMENT, 0.9)], making=making))
    assert found.cause.data["candidate"] == {
        "index": "candidate-1",
        "release": 7,
        "document": "travel/car.md",
        "chunk": "travel/car.md_pages_0",
        "position": 0,
        "characters": [0, len(DOCUMENT)],
        "rank": 2,
        "share": 1.0,
    }
    live = found.cause.data["live"]
    assert isinstance(live, dict)
    assert (live["index"], live["rank"]) == ("live-1", 1)


def test_a_service_that_does_not_explain_is_said_and_the_cause_still_found() -> None:
    refusal = ServiceError("debug is not supported", status=400)
    candidate = Shelf([*noise(30, 0.7), chunk(DOCUMENT, 0.3)], k=20, fails=refusal)
    result = measured(WHOLE, candidate)
    assert result.changed[0].cause.kind == "outside k"
    assert "rank 31" in result.changed[0].cause.detail
    assert result.diagnosed is not None
    assert result.diagnosed.refused == (
        "candidate-1 could not be asked for the scores of each leg: debug is not supported",
    )


def test_a_service_that_is_gone_is_not_asked_again() -> None:
    candidate = Shelf([*noise(30, 0.7), chunk(DOCUMENT, 0.3)], k=20, fails=UnreachableError("no answer", status=0))
    result = measured(WHOLE, candidate)
    assert result.changed[0].cause.kind == "beyond what is read"
    assert result.diagnosed is not None
    assert "candidate-1 could not be asked for the scores of each leg: no answer" in result.diagnosed.refused


def test_searches_are_bound() -> None:
    candidate = replace(Shelf([*noise(30, 0.7), chunk(DOCUMENT, 0.3)], k=20), calls=[])
    result = measured(WHOLE, candidate, most_calls=0)
    assert candidate.calls == []
    told = "beyond what is read: the answer in travel/car.md is not in the first 10 chunks"
    assert result.changed[0].cause.detail == told
    assert result.diagnosed is not None
    assert (result.diagnosed.calls, result.diagnosed.refused) == (0, ("no further searches after 0",))


def test_a_whole_document_is_never_cut() -> None:
    query = Query("q1", "mileage", (Judgement("travel/car.md"),))
    rival = chunk("Questions that are asked often.", 0.95, 2, "travel/faq.md")
    found = change(WHOLE, Shelf([rival, chunk(BEFORE, 0.9, 0), chunk(AFTER, 0.8, 1)]), query)
    assert found.cause.kind == "outranked"
