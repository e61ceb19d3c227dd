"""Judgements held against the chunks of indexes."""

from __future__ import annotations

from azsearch_ops.evaluation.anchoring_chunks import HeldDocuments, bring_to_chunks, joined
from azsearch_ops.evaluation.types import Chunk, Judgement, Query

LEAVE = "Employees have 26 days of annual leave. Unused days lapse at the end of March, without exception."


def held(index: str, *texts: str, document: str = "leave.md", certain: bool = True) -> HeldDocuments:
    chunks = tuple(Chunk(f"aabbccddeeff_x_pages_{n}", document, text) for n, text in enumerate(texts))
    return HeldDocuments(index, {document: chunks} if chunks else {}, frozenset([document] if certain else ()))


def asked(excerpt: str | None, document: str = "leave.md", occurrence: int | None = None) -> Query:
    return Query("q1", "How many days?", (Judgement(document, excerpt, occurrence),))


def how(query: Query, *sides: HeldDocuments) -> tuple[str, ...]:
    _, (stands,) = bring_to_chunks([query], sides)
    return tuple(place.how for place in stands.places)


def test_an_excerpt_is_exact_normalised_or_in_parts() -> None:
    assert how(asked("26 days of annual leave."), held("a", LEAVE)) == ("exact",)
    assert how(asked("26  DAYS of annual leave."), held("a", LEAVE)) == ("normalised",)
    assert how(asked(None), held("a", LEAVE)) == ("whole document",)
    cut = held("a", LEAVE[:50], LEAVE[50:])
    assert how(asked("annual leave. Unused days lapse at the end of March"), cut) == ("normalised",)


def test_an_edited_passage_is_reanchored_with_its_likeness_only_where_no_index_has_the_words() -> None:
    old = "Unused days lapse at the end of January, without exception."
    coverage, (stands,) = bring_to_chunks([asked(old)], [held("a", LEAVE)])
    (place,) = stands.places
    assert place.how == "fuzzy" and 0.75 <= place.score < 1.0
    assert coverage.queries[0].judgements[0].excerpt == "Unused days lapse at the end of March, without exception"
    assert [moved.document for moved in coverage.moved] == ["leave.md"]
    edited = held("b", LEAVE.replace("March", "January"))
    coverage, (stands,) = bring_to_chunks([asked(old)], [held("a", LEAVE), edited])
    assert [place.how for place in stands.places] == ["fuzzy", "exact"]
    assert coverage.queries[0].judgements[0].excerpt == old and not coverage.moved


def test_lost_missing_and_not_seen_are_three_things() -> None:
    nowhere = "The cafeteria serves lunch between noon and two on working days."
    assert how(asked(nowhere), held("a", LEAVE)) == ("lost",)
    assert how(asked(nowhere), held("a", LEAVE, certain=False)) == ("not seen",)
    assert how(asked(nowhere), held("a")) == ("document missing",)
    assert how(asked(nowhere), held("a", certain=False)) == ("not seen",)


def test_what_no_index_has_is_left_out_and_what_one_has_stays() -> None:
    queries = [asked("26 days of annual leave."), Query("q2", "?", (Judgement("gone.md", "whatever it says"),))]
    sides = [
        HeldDocuments("a", {"leave.md": held("a", LEAVE).chunks["leave.md"]}, frozenset(["leave.md", "gone.md"])),
        HeldDocuments("b", {}, frozenset(["leave.md", "gone.md"])),
    ]
    coverage, standings = bring_to_chunks(queries, sides)
    assert [query.id for query in coverage.queries] == ["q1"]
    assert (coverage.scored, coverage.total, coverage.missing) == (1, 2, (("q2", "gone.md"),))
    assert [stands.nowhere for stands in standings] == [False, True]
    kept, _ = bring_to_chunks(queries, sides, leave_out=False)
    assert [query.id for query in kept.queries] == ["q1", "q2"]


def test_judgements_by_chunk_key_are_known_for_what_they_are() -> None:
    """agentops docs/retrieval-optimization.md: no verdict, and the reason, in place of recall 0."""
    key = "8f2a77c1d0e5_aHR0cHM6Ly9sb2NhbA_pages_0"
    side = HeldDocuments("a", {}, frozenset([key]))
    coverage, _ = bring_to_chunks([asked(None, document=key)], [side])
    assert not coverage.enough and "100 % of the judgements (1 of 1) are unresolved" in coverage.reason
    assert "they name chunks" in coverage.reason


def test_an_occurrence_gets_the_words_around_it_where_the_order_of_chunks_is_known() -> None:
    text = "First the fee is 5 euro for adults. Then the fee is 5 euro for groups of ten people."
    coverage, _ = bring_to_chunks([asked("the fee is 5 euro", occurrence=2)], [held("a", text[:40], text[30:])])
    (judged,) = coverage.queries[0].judgements
    assert judged.after.startswith(" for groups") and judged.before.endswith("Then ")


def test_joined_chunks_say_what_overlaps_once_and_stand_in_order() -> None:
    chunks = [Chunk(f"aabbccddeeff_x_pages_{n}", "d", LEAVE[at : at + 30]) for n, at in enumerate(range(0, 90, 20))]
    assert joined(chunks[::-1]) == LEAVE[:97][: len(joined(chunks))]
    assert len(joined(chunks)) == min(len(LEAVE), 80 + 30)


def test_neighbours_that_share_a_letter_by_chance_do_not_overlap() -> None:
    """The cut runs through a double letter, and each part says too little to be told from chance."""
    cut = held("a", "Whoever moves house gets one big let", "ter now and another one in the spring.")
    assert how(asked("big letter now"), cut) == ("normalised",)
    coverage, _ = bring_to_chunks([asked("big letter now")], [cut])
    assert coverage.moved == () and coverage.queries[0].judgements[0].excerpt == "big letter now"
