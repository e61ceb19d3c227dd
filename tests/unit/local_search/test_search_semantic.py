"""The stand-in semantic ranker: asked for by name only, in Azure's form, and never more than the first 50."""

import numpy as np
import pytest
from search_indexes import KEY, STABLE, engine, ids, text_field

from azsearch_ops.local.errors import ServiceFault
from azsearch_ops.local.search.engine import SearchEngine
from azsearch_ops.local.search.passages import pieces

FIELDS = [
    KEY,
    text_field("title"),
    text_field("text", analyzer="en.lucene"),
    {"name": "tags", "type": "Collection(Edm.String)", "searchable": True},
    {"name": "year", "type": "Edm.Int32", "filterable": True, "sortable": True},
]
CONFIGURATIONS = [
    {
        "name": "mine",
        "prioritizedFields": {
            "titleField": {"fieldName": "title"},
            "prioritizedContentFields": [{"fieldName": "text"}],
            "prioritizedKeywordsFields": [{"fieldName": "tags"}],
        },
    }
]
DOCUMENTS = [
    {"id": "1", "title": "Leave", "text": "Leave. " * 30 + "Ask.", "tags": ["leave"]},
    {
        "id": "2",
        "title": "Parents",
        "text": "Parental leave lasts twelve weeks. It is paid in full.",
        "tags": ["birth"],
    },
    {"id": "3", "title": "Travel", "text": "Trains are booked by the travel desk.", "tags": ["trains"]},
]
QUESTION = {"search": "how long does parental leave last", "queryType": "semantic"}


def letters(texts):
    """Unit vectors of how often each letter stands in a text: a real, if blunt, likeness of texts."""
    counts = np.array([[text.lower().count(chr(97 + i)) for i in range(26)] for text in texts], np.float32)
    lengths = np.linalg.norm(counts, axis=1, keepdims=True)
    return counts / np.maximum(lengths, 1e-9)


def ranked(documents=DOCUMENTS, default="mine", configurations=CONFIGURATIONS, **definition):
    semantic = {"defaultConfiguration": default, "configurations": configurations}
    made = SearchEngine({"name": "i", "fields": FIELDS, "semantic": semantic, **definition}, lambda v, t: [], letters)
    for document in documents:
        made.put(document["id"], document)
    return made


def refusal(request, searched=None):
    with pytest.raises(ServiceFault) as caught:
        (ranked() if searched is None else searched).search(request, STABLE)
    return caught.value


def test_results_are_ordered_by_the_ranker_and_keep_their_own_score():
    plain = ranked().search({"search": "leave in weeks"}, STABLE)
    answer = ranked().search({"search": "leave in weeks", "queryType": "semantic"}, STABLE)
    assert ids(plain)[0] == "1" and ids(answer)[0] == "2"  # one word stands in every field of 1, both in 2
    assert {row["id"]: row["@search.score"] for row in plain["value"]} == {
        row["id"]: row["@search.score"] for row in answer["value"]
    }
    scores = [row["@search.rerankerScore"] for row in answer["value"]]
    assert scores == sorted(scores, reverse=True)
    assert 0 < scores[-1] < scores[0] <= 4


def test_the_score_is_the_formula_that_is_told():
    row = ranked().search({"search": "parental leave", "queryType": "semantic"}, STABLE)["value"][0]
    cosine = float(letters([DOCUMENTS[1]["text"]])[0] @ letters(["parental leave"])[0])
    assert row["@search.rerankerScore"] == pytest.approx(4 * (0.7 * cosine + 0.3), abs=1e-6)


def test_only_the_first_fifty_are_ranked_and_the_rest_follows_as_it_was():
    documents = [{"id": str(n), "title": "", "text": "leave " * (60 - n), "tags": []} for n in range(60)]
    searched = ranked(documents)
    plain = searched.search({"search": "leave", "top": 60}, STABLE)
    answer = searched.search({"search": "leave", "queryType": "semantic", "top": 60}, STABLE)
    assert ["@search.rerankerScore" in row for row in answer["value"]] == [True] * 50 + [False] * 10
    assert sorted(ids(answer)[:50]) == sorted(ids(plain)[:50]) and ids(answer)[50:] == ids(plain)[50:]
    second = searched.search({"search": "leave", "queryType": "semantic", "top": 5, "skip": 48}, STABLE)
    assert ids(second) == ids(answer)[48:53]


def test_a_search_for_everything_is_not_ranked():
    answer = ranked().search({"search": "*", "queryType": "semantic", "answers": "extractive"}, STABLE)
    assert ids(answer) == ["1", "2", "3"] and answer["@search.answers"] == []
    assert all("@search.rerankerScore" not in row for row in answer["value"])


def test_captions_are_passages_of_the_content_with_the_words_marked():
    row = ranked().search({**QUESTION, "captions": "extractive"}, STABLE)["value"][0]
    text = DOCUMENTS[1]["text"]
    marks = "<em>Parental</em> <em>leave</em> <em>lasts</em> twelve weeks. It is paid in full."
    assert row["@search.captions"] == [{"text": text, "highlights": marks}]
    plain = ranked().search({**QUESTION, "captions": "extractive|highlight-false"}, STABLE)["value"][0]
    assert plain["@search.captions"] == [{"text": text, "highlights": ""}]
    tagged = {**QUESTION, "captions": "extractive|highlight-true", "highlightPreTag": "[", "highlightPostTag": "]"}
    row = ranked().search(tagged, STABLE)["value"][0]
    assert row["@search.captions"][0]["highlights"].startswith("[Parental] [leave] [lasts] twelve")
    assert "@search.captions" not in ranked().search(QUESTION, STABLE)["value"][0]


def test_answers_need_a_question_and_a_passage_that_is_near_enough():
    asked = {**QUESTION, "answers": "extractive|count-2,threshold-0.6"}
    answers = ranked().search(asked, STABLE)["@search.answers"]
    assert [answer["key"] for answer in answers] == ["2"]
    assert set(answers[0]) == {"key", "text", "highlights", "score"} and 0.6 <= answers[0]["score"] <= 1
    statement = {**asked, "search": "parental leave lasts"}
    assert ranked().search(statement, STABLE)["@search.answers"] == []
    assert "@search.answers" not in ranked().search(QUESTION, STABLE)


def test_semantic_query_is_what_is_ranked_and_the_search_what_is_found():
    request = {"search": "trains | leave", "semanticQuery": "parental leave", "semanticConfiguration": "mine"}
    assert ids(ranked().search(request, STABLE))[0] == "2"
    filtered = {"semanticQuery": "booked travel", "filter": "year eq null", "semanticConfiguration": "mine"}
    assert ids(ranked().search(filtered, STABLE))[0] == "3"


def test_debug_tells_which_fields_were_read():
    row = ranked().search({**QUESTION, "debug": "semantic"}, STABLE)["value"][0]
    told = row["@search.documentDebugInfo"]["semantic"]
    assert told["titleField"] == {"name": "title", "state": "used"}
    assert told["contentFields"] == [{"name": "text", "state": "used"}]
    assert told["rerankerInput"] == {"title": "Parents", "content": DOCUMENTS[1]["text"], "keywords": "birth"}


def test_a_long_value_is_read_in_part():
    found, whole = pieces("One two three. " * 1000)
    assert not whole and 2000 <= sum(len(text.split()) for text in found) < 2100
    assert pieces("One sentence. Another one.") == (("One sentence. Another one.",), True)
    assert pieces("") == ((), True)


@pytest.mark.parametrize(
    ("request_body", "message", "detail"),
    [
        (
            {**QUESTION, "semanticConfiguration": "other"},
            "Unknown semantic configuration 'other'.\r\nParameter name: semanticConfiguration",
            "UnknownSemanticConfiguration",
        ),
        ({**QUESTION, "orderby": "year"}, "'orderby' cannot be used together with semantic ranking.", ""),
        ({**QUESTION, "captions": "abstractive"}, "'abstractive' is not a valid value of 'captions'", ""),
        ({**QUESTION, "answers": "extractive|count-11"}, "is not a valid value of 'answers'", ""),
        ({**QUESTION, "answers": "extractive|threshold-2"}, "is not a valid value of 'answers'", ""),
        ({**QUESTION, "semanticErrorHandling": "ignore"}, "one of partial, fail", ""),
        ({**QUESTION, "semanticMaxWaitInMilliseconds": 10}, "semanticMaxWaitInMilliseconds", ""),
        ({"search": "leave", "captions": "extractive"}, "without the query type 'semantic'", ""),
        ({**QUESTION, "queryRewrites": "generative"}, "does not support", "NotSupportedByLocalService"),
    ],
)
def test_what_azure_refuses_is_refused(request_body, message, detail):
    fault = refusal(request_body)
    assert fault.status == 400 and message in fault.message
    assert not detail or fault.details[0][0] == detail


def test_without_a_default_a_configuration_must_be_named():
    assert "needs a semantic configuration" in refusal(QUESTION, ranked(default=None)).message
    named = ranked(default=None).search({**QUESTION, "semanticConfiguration": "mine"}, STABLE)
    assert ids(named)[0] == "2"
    assert (
        "Unknown semantic configuration"
        in refusal({**QUESTION, "semanticConfiguration": "mine"}, ranked(default=None, configurations=[])).message
    )


def test_without_the_stand_in_it_is_refused_and_says_how_to_have_it():
    fault = refusal(QUESTION, engine([text_field("text")], []))
    assert "--semantic-ranker stand-in" in fault.message
    assert fault.details[0][0] == "NotSupportedByLocalService"


def test_scoring_functions_are_refused_beside_it():
    functions = [
        {"type": "magnitude", "fieldName": "year", "boost": 2, "interpolation": "linear",
         "magnitude": {"boostingRangeStart": 1, "boostingRangeEnd": 9}}
    ]  # fmt: skip
    searched = ranked(scoringProfiles=[{"name": "new", "functions": functions}])
    assert "scoring functions" in refusal({**QUESTION, "scoringProfile": "new"}, searched).message
