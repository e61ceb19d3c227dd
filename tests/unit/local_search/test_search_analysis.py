"""Text to terms: what each analyzer makes of the same kinds of words."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from azsearch_ops.local.errors import ServiceFault
from azsearch_ops.local.search.analysis.analyzers import analyzer
from azsearch_ops.local.search.analysis.french import french_light_stem
from azsearch_ops.local.search.analysis.italian import italian_light_stem
from azsearch_ops.local.search.analysis.porter import porter_stem
from azsearch_ops.local.search.analyze import analyze

EMOJI = "\U0001f600"


def terms(name: str, text: str) -> list[str]:
    return [token.term for token in analyzer(name).tokens(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One's <two/>", ["one's", "two"]),
        ("123,456 3.14 1,2;3", ["123,456", "3.14", "1,2;3"]),
        ("air-condition a_b x.y,z", ["air", "condition", "a_b", "x.y", "z"]),
        ("mailto:someone@example.com", ["mailto:someone", "example.com"]),
        ("v2.1a 4x4", ["v2.1a", "4x4"]),
        ("漢字ひら カタカナ", ["漢", "字", "ひ", "ら", "カタカナ"]),
        ("한국어 ไทยแลนด์", ["한국어", "ไทยแลนด์"]),
        (f"go{EMOJI}od ☃ ©", ["go", "od"]),
        ("naïve CAFÉ Straße", ["naïve", "café", "straße"]),
        ("e\u0301te\u0301", ["e\u0301te\u0301"]),
        ("l’été", ["l’été"]),
        ("", []),
        ("...!?", []),
    ],
)
def test_standard_follows_the_word_breaks_of_unicode(text, expected):
    assert terms("standard.lucene", text) == expected


def test_ascii_and_other_texts_are_cut_alike():
    text = "It's 3.5 e_mails, sent at 10:30 to a.b@c.de; R2D2's"
    assert terms("standard.lucene", text) == terms("standard.lucene", text + " é")[:-1]
    assert terms("standard.lucene", text) == terms("standard.lucene", text + " " + EMOJI + " 𝒳")[:-1]


def test_offsets_and_positions():
    found = [(t.term, t.start, t.end, t.position) for t in analyzer("en.lucene").tokens("The hotels' view of Rome")]
    assert found == [("hotel", 4, 10, 1), ("view", 12, 16, 2), ("rome", 20, 24, 4)]


def test_long_tokens_are_cut_at_255_characters():
    assert [len(term) for term in terms("standard.lucene", "x" * 600)] == [255, 255, 90]
    assert [len(term) for term in terms("whitespace", "-" * 256)] == [255, 1]
    assert [len(term) for term in terms("keyword", "x" * 600)] == [600]


def test_the_plain_analyzers():
    text = "The QUICK-brown fox2 can't"
    assert terms("keyword", text) == [text]
    assert terms("whitespace", text) == ["The", "QUICK-brown", "fox2", "can't"]
    assert terms("simple", text) == ["the", "quick", "brown", "fox", "can", "t"]
    assert terms("stop", text) == ["quick", "brown", "fox", "can", "t"]
    assert terms("pattern", text) == ["the", "quick", "brown", "fox2", "can", "t"]
    assert terms("whitespace", "a\u00a0b c") == ["a\u00a0b", "c"]


def test_english():
    assert terms("en.lucene", "The traveller's libraries were relational") == ["travel", "librari", "were", "relat"]


def test_italian_elides_stops_and_stems():
    text = "All'inizio dell’anno gli uffici perché c'è qualità"
    assert terms("it.lucene", text) == ["iniz", "anno", "uffic", "qualit"]


def test_french_elides_stops_and_stems():
    assert terms("fr.lucene", "L'hôtel est à l'étage, qu'il activement") == ["hotel", "etag", "actif"]


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("caresses", "caress"), ("ponies", "poni"), ("ties", "ti"), ("cats", "cat"), ("feed", "feed"),
        ("agreed", "agre"), ("plastered", "plaster"), ("motoring", "motor"), ("sing", "sing"),
        ("conflated", "conflat"), ("hopping", "hop"), ("falling", "fall"), ("filing", "file"), ("happy", "happi"),
        ("sky", "sky"), ("digitizer", "digit"), ("possibly", "possibl"), ("technology", "technolog"),
        ("hopefulness", "hope"), ("formalize", "formal"), ("adoption", "adopt"), ("controll", "control"),
        ("probate", "probat"), ("rate", "rate"), ("us", "us"), ("vietnamization", "vietnam"),
    ],
)  # fmt: skip
def test_porter(word, stem):
    assert porter_stem(word) == stem


@pytest.mark.parametrize(
    ("word", "stem"),
    [("anno", "anno"), ("uffici", "uffic"), ("banche", "banc"), ("barche", "barc"), ("storia", "stor"),
     ("libreria", "librer"), ("studio", "stud"), ("nazionale", "nazional"), ("qualità", "qualit"),
     ("computer", "computer")],
)  # fmt: skip
def test_italian_light_stem(word, stem):
    assert italian_light_stem(word) == stem


@pytest.mark.parametrize(
    ("word", "stem"),
    [("chevaux", "cheval"), ("hôtel", "hotel"), ("hôtels", "hotel"), ("vivement", "vif"), ("activement", "actif"),
     ("chanteuse", "chant"), ("porteur", "port"), ("fabricatrice", "fabriqu"), ("unification", "unific"),
     ("ligne", "lign"), ("été", "été"), ("folle", "fou"), ("mille", "mile"), ("dernière", "dernier")],
)  # fmt: skip
def test_french_light_stem(word, stem):
    assert french_light_stem(word) == stem


def test_an_unknown_analyzer_is_named_in_the_refusal():
    with pytest.raises(ServiceFault, match=r"de\.microsoft"):
        analyzer("de.microsoft")


def test_analyze_counts_utf16_units():
    found = analyze({"text": f"a {EMOJI} bc", "analyzer": "standard.lucene"})
    assert found["tokens"][1] == {"token": "bc", "startOffset": 5, "endOffset": 7, "position": 1}
    assert analyze({"text": "A dog.", "tokenizer": "whitespace"})["tokens"][1]["token"] == "dog."
    assert analyze({"text": "A", "tokenizer": "whitespace", "tokenFilters": ["lowercase"]})["tokens"][0]["token"] == "a"


@pytest.mark.parametrize(
    "request_body",
    [{"analyzer": "keyword"}, {"text": "x"}, {"text": "x", "analyzer": "keyword", "tokenizer": "letter"},
     {"text": "x", "tokenizer": "nGram"}, {"text": "x", "analyzer": "ja.lucene"},
     {"text": "x", "normalizer": "lowercase"},
     {"text": "x", "tokenizer": "letter", "tokenFilters": ["stemmer"]}, {"text": 1, "analyzer": "keyword"}],
)  # fmt: skip
def test_analyze_refuses(request_body):
    with pytest.raises(ServiceFault) as caught:
        analyze(request_body)
    assert caught.value.status == 400


@given(
    st.text(max_size=60),
    st.sampled_from(["standard.lucene", "simple", "whitespace", "en.lucene", "it.lucene", "fr.lucene"]),
)
def test_tokens_stand_in_order_and_never_overlap(text, name):
    tokens = list(analyzer(name).tokens(text))
    assert all(a.end <= b.start and a.position < b.position for a, b in pairwise(tokens))
    assert all(0 <= t.start < t.end <= len(text) for t in tokens)


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyzàèéìòùç'", min_size=1, max_size=14))
def test_stemmers_take_any_word(word):
    for stem in (porter_stem, italian_light_stem, french_light_stem):
        assert len(stem(word)) <= len(word) + 1
