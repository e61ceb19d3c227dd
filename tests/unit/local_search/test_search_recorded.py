"""Scores that the hosted service gave for the ten hotels of its SDK tests, where the recordings are at hand."""

import json
from pathlib import Path

import pytest
from search_indexes import STABLE

from azsearch_ops.local.search.engine import SearchEngine

FIXTURES = Path(__file__).parents[4] / "shared" / "recordings" / "fixtures"

# One shard (2020): query, extra parameters, recorded scores
SINGLE = [
    ("Cheapest hotel", {}, {"2": 3.4764762, "10": 2.054103, "3": 0.9327102, "4": 0.9327102, "5": 0.9327102,
                            "1": 0.8344315, "9": 0.35242796}),
    ("Cheapest hotel", {"searchMode": "all"}, {"2": 3.4764762}),
    ("cheapest hotel in town", {"filter": "rating lt 4"}, {"2": 4.982168, "10": 3.0031474}),
    ("luxury", {}, {"1": 2.9896069}),
]  # fmt: skip
# Six shards (2022, 2026): which keys lay together, recorded scores
SHARDS = [["3", "9"], ["2", "4", "5"], ["7"], ["6"], ["8"], ["1", "10"]]
SHARDED = {
    "budget": {"3": 1.4305377, "10": 1.1888826, "9": 0.7670169, "2": 0.25333932, "4": 0.25333932, "5": 0.25333932},
    "hotel": {"10": 0.7960079, "1": 0.27958742, "3": 0.26639014, "4": 0.12874341, "5": 0.12874341, "9": 0.11774718,
              "2": 0.113759264},
}  # fmt: skip


def hotels(fixture: str, keys: list[str] | None = None) -> SearchEngine:
    if not FIXTURES.is_dir():
        pytest.skip("the recordings of the hosted service are not beside this repository")
    index = json.loads((FIXTURES / "hotels-python.json").read_text(encoding="utf-8"))["index"]
    documents = json.loads((FIXTURES / f"{fixture}.json").read_text(encoding="utf-8"))["documents"]
    made = SearchEngine(index, lambda vectorizer, text: [])
    for document in documents:
        if keys is None or document["hotelId"] in keys:
            made.put(document["hotelId"], document)
    return made


def found(made: SearchEngine, request: dict[str, object]) -> dict[str, float]:
    return {row["hotelId"]: row["@search.score"] for row in made.search(request, STABLE)["value"]}


@pytest.mark.parametrize(("text", "more", "recorded"), SINGLE)
def test_one_shard(text, more, recorded):
    answered = found(hotels("hotels-net"), {"search": text, **more})
    assert list(answered) == list(recorded)
    assert answered == pytest.approx(recorded, rel=1e-6)


@pytest.mark.parametrize(("text", "fixture"), [("budget", "hotels-net"), ("hotel", "hotels-python-mojibake")])
def test_every_shard_by_itself(text, fixture):
    answered: dict[str, float] = {}
    for keys in SHARDS:
        answered |= found(hotels(fixture, keys), {"search": text})
    assert answered == pytest.approx(SHARDED[text], rel=1e-6)


# One shard (2020): the request, and the text of each completion
COMPLETED = [
    ({"search": "very po"}, ["point", "police", "polite", "pool", "popular"]),
    (
        {"search": "po", "autocompleteMode": "twoTerms"},
        ["point motel", "police station", "polite staff", "pool a", "popular hotel"],
    ),
    (
        {"search": "mod", "autocompleteMode": "twoTerms", "fuzzy": True},
        ["model suites", "modern architecture", "modern stay", "morel coverings", "motel"],
    ),
    (
        {"search": "very polit", "autocompleteMode": "oneTermWithContext", "fuzzy": True},
        ["very polite", "very police"],
    ),
    (
        {"search": "mod", "fuzzy": True,
         "filter": "hotelId ne '6' and (hotelName eq 'Modern Stay' or tags/any(t : t eq 'budget'))"},
        ["modern", "motel"],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("request_body", "recorded"), COMPLETED)
def test_completions(request_body, recorded):
    answer = hotels("hotels-net").autocomplete({"suggesterName": "sg", **request_body})
    assert [row["text"] for row in answer["value"]] == recorded


def test_suggestions():
    asked = {"search": "hotel", "suggesterName": "sg", "top": 3, "orderby": "hotelId"}
    rows = hotels("hotels-net").suggest(asked)["value"]
    assert [row["hotelId"] for row in rows] == ["1", "10", "2"]
    assert rows[2]["@search.text"] == "Cheapest hotel in town. Infact, a motel."
