import pytest
from hypothesis import given
from hypothesis import strategies as st

from azsearch_ops.evaluation.folding import fold, fold_with_offsets, weight


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Travel  expenses\n\tare paid", "travel expenses are paid"),
        ("the “quick” fox’s", 'the "quick" fox\'s'),
        ("infor-\nmation", "information"),
        ("infor\u00admation", "information"),
        ("self-service", "self‑service"),
        ("10 – 20", "10-20"),
        ("COVID-\n19", "COVID-19"),
        ("ﬁnal oﬀer", "final offer"),
        ("nai\u0308ve", "naïve"),
        ("Straße", "STRASSE"),
        ("ＡＢＣ１２３", "abc123"),
        ("情報 検索", "情報検索"),
        ("text\ufffd", "text"),
        ("a\u00a0b", "a b"),
    ],
)
def test_spellings_of_the_same_words_fold_alike(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(("one", "other"), [("-5 °C", "5 °C"), ("E-4711", "E 4711"), ("a.b", "a,b")])
def test_a_minus_sign_and_punctuation_still_tell_texts_apart(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@given(st.text(max_size=80))
def test_offsets_belong_to_the_folded_text_and_never_go_back(text: str) -> None:
    folded = fold_with_offsets(text)
    assert folded.text == fold(text)
    assert len(folded.starts) == len(folded.text) + 1
    assert folded.starts[-1] == len(text)
    assert list(folded.starts) == sorted(folded.starts)


def test_offsets_point_at_the_characters_they_came_from() -> None:
    source = "Café — ﬁve “days”, E-47"
    folded = fold_with_offsets(source)
    assert source[folded.starts[folded.text.index("five")]] == "ﬁ"
    assert source[folded.starts[folded.text.index("days")]] == "d"
    assert source[folded.starts[folded.text.index("47")]] == "4"


def test_a_chinese_character_weighs_as_much_as_three_letters() -> None:
    assert weight("abc") == 3
    assert weight("情報x") == 7
