"""BM25 worked out by hand, and against a naive computation over any collection of documents."""

import math
import struct
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from search_indexes import KEY, STABLE, engine, ids, scores, text_field, texts

from azsearch_ops.local.search.norms import quantised


def test_lengths_after_the_one_byte_norm():
    lengths = {1: 1.0, 2: 2.56, 3: 4.0, 4: 4.0, 5: 5.2245, 7: 7.1111, 8: 10.24, 10: 10.24, 16: 16.0, 17: 20.898}
    lengths |= {28: 28.444, 29: 40.96, 41: 64.0, 64: 64.0, 0: 0.0}
    found = quantised(np.array(list(lengths), np.int64))
    assert found == pytest.approx(list(lengths.values()), rel=1e-4)


def test_three_documents_by_hand():
    # N = 3, avgdl = (2+3+4)/3 = 3, n = 2: idf = ln(1 + 1.5/2.5). Length 2 counts as 2.56, length 3 as 4.
    made = texts("red bike", "red red house", "blue boat on sea")
    idf = math.log(1.6)
    first = idf * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2.56 / 3))
    second = idf * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 4 / 3))
    found = scores(made.search({"search": "red"}, STABLE))
    assert found == {"2": pytest.approx(second, rel=1e-6), "1": pytest.approx(first, rel=1e-6)}
    assert second == pytest.approx(0.5908617, abs=1e-7)
    assert first == pytest.approx(0.5000039, abs=1e-7)


def test_documents_of_three_and_four_words_tie_and_keep_their_order():
    made = texts("one two three four", "one five six", "seven")
    found = made.search({"search": "one"}, STABLE)
    assert ids(found) == ["1", "2"]
    assert len(set(scores(found).values())) == 1


def test_documents_without_the_field_do_not_count():
    with_gaps = texts("red bike", None, "blue", None)
    without = texts("red bike", "blue")
    assert scores(with_gaps.search({"search": "red"}, STABLE)) == scores(without.search({"search": "red"}, STABLE))


def test_statistics_forget_removed_and_rewritten_documents():
    made = texts("red bike", "red red", "blue boat")
    made.remove("2")
    made.put("3", {"id": "3", "text": "red"})
    fresh = engine([text_field("text")], [{"id": "1", "text": "red bike"}, {"id": "3", "text": "red"}])
    assert made.search({"search": "red bike"}, STABLE) == fresh.search({"search": "red bike"}, STABLE)


def test_fields_and_terms_are_added_up():
    fields = [text_field("a"), text_field("b")]
    documents = [{"id": "1", "a": "red", "b": "red bike"}, {"id": "2", "a": "x", "b": "y"}]
    made = engine(fields, documents)
    both = scores(made.search({"search": "red"}, STABLE))["1"]
    parts = [scores(made.search({"search": "red", "searchFields": name}, STABLE))["1"] for name in "ab"]
    assert both == pytest.approx(sum(parts), rel=1e-6)


def test_values_of_a_collection_are_one_field():
    rooms = {"name": "rooms", "type": "Collection(Edm.ComplexType)", "fields": [text_field("type")]}
    nested = engine([rooms], [{"id": "1", "rooms": [{"type": "a b"}, {"type": "a"}]}, {"id": "2", "rooms": []}])
    flat = engine([text_field("text")], [{"id": "1", "text": "a b a"}])
    assert scores(nested.search({"search": "a"}, STABLE)) == scores(flat.search({"search": "a"}, STABLE))


def test_a_phrase_adds_the_weight_of_its_words_and_counts_its_places():
    made = texts("red bike", "red bike red bike shop", "bike", "red")
    idf = math.log(1 + 1.5 / 3.5) * 2
    average = (2 + 5 + 1 + 1) / 4
    expected = idf * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 5.22449 / average))
    assert scores(made.search({"search": '"red bike"'}, STABLE))["2"] == pytest.approx(expected, rel=1e-5)


def test_search_mode_all_drops_documents_and_changes_no_score():
    made = texts("red bike", "red", "bike")
    every = scores(made.search({"search": "red bike"}, STABLE))
    strict = scores(made.search({"search": "red bike", "searchMode": "all"}, STABLE))
    assert strict == {"1": every["1"]}


def test_k1_and_b_of_the_index():
    documents = [{"id": "1", "text": "red bike of mine"}, {"id": "2", "text": "x"}]
    made = engine([text_field("text")], documents, similarity={"k1": 0.0, "b": 0.5})
    assert scores(made.search({"search": "red"}, STABLE))["1"] == pytest.approx(math.log(1 + 1.5 / 1.5), rel=1e-6)


@pytest.mark.parametrize("text", ["*", "", "  ", None])
def test_matching_everything_scores_one(text):
    assert scores(texts("a", None).search({"search": text}, STABLE)) == {"1": 1.0, "2": 1.0}


def test_scores_are_single_precision_in_the_fewest_digits():
    for score in scores(texts("red bike", "red", "x").search({"search": "red"}, STABLE)).values():
        assert struct.unpack("f", struct.pack("f", score))[0] == pytest.approx(score, rel=1e-7)
        assert len(str(score)) < 12


def naive(documents: list[list[str]], term: str) -> dict[str, float]:
    holders = [words for words in documents if words]
    n = sum(term in words for words in documents)
    if not n:
        return {}
    idf = math.log(1 + (len(holders) - n + 0.5) / (n + 0.5))
    average = sum(map(len, holders)) / len(holders)
    lengths = quantised(np.array([len(words) for words in documents], np.int64))
    found = {}
    for number, words in enumerate(documents):
        tf = Counter(words)[term]
        if tf:
            found[str(number)] = idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * float(lengths[number]) / average))
    return found


WORDS = st.lists(st.sampled_from("abcdef"), max_size=12)


@given(st.lists(WORDS, max_size=12), st.lists(st.tuples(st.integers(0, 11), WORDS), max_size=6), st.data())
def test_equals_a_naive_loop_however_writes_and_reads_are_mixed(first, rewrites, data):
    made = engine([text_field("text")], [])
    kept: dict[str, list[str]] = {}
    for number, words in [*enumerate(first), *rewrites]:
        made.put(str(number), {"id": str(number), "text": " ".join(words)})
        kept[str(number)] = words
        if data.draw(st.booleans()):
            made.search({"search": "a"}, STABLE)
    if kept and data.draw(st.booleans()):
        gone = data.draw(st.sampled_from(sorted(kept)))
        made.remove(gone)
        del kept[gone]
    keys = list(kept)
    found = scores(made.search({"search": "b", "top": 100}, STABLE))
    expected = {keys[int(at)]: score for at, score in naive(list(kept.values()), "b").items()}
    assert found.keys() == expected.keys()
    for key, score in found.items():
        assert score == pytest.approx(expected[key], rel=1e-5)
    assert list(found.values()) == sorted(found.values(), reverse=True)


def test_the_key_may_be_searchable_too():
    made = engine([], [])
    assert made.search({"search": "x"}, STABLE)["value"] == []
    keyed = engine([], [{"id": "a-1"}])
    assert KEY["searchable"] is False
    assert keyed.search({"search": "a"}, STABLE)["value"] == []
