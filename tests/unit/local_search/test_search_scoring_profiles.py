"""Scoring profiles: recorded and published factors, weights, refusals."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from search_indexes import STABLE, engine, ids, scores, text_field

from azsearch_ops.local.errors import ServiceFault
from azsearch_ops.local.search.odata.points import distances

HOTEL = {"type": "Point", "coordinates": [-122.131577, 48.316]}
FIELDS = [
    text_field("name"),
    text_field("text"),
    {"name": "place", "type": "Edm.GeographyPoint"},
    {"name": "rating", "type": "Edm.Double"},
    {"name": "rate", "type": "Edm.Int32"},
    {"name": "day", "type": "Edm.DateTimeOffset"},
]


def days_ago(days: float) -> str:
    return f"{datetime.now(UTC) - timedelta(days=days):%Y-%m-%dT%H:%M:%SZ}"


def documents():
    """Made when they are asked for: their ages are measured minutes after this module was read."""
    return [
        {"id": "1", "name": "x", "text": "x", "place": HOTEL, "rating": 4.0, "rate": 225, "day": days_ago(5)},
        {"id": "2", "name": "x", "text": "y", "place": None, "rating": None, "rate": 500, "day": days_ago(-1)},
    ]


def function(kind: str, field: str, boost: float = 2.0, interpolation: str | None = None, **settings):
    return {"type": kind, "fieldName": field, "boost": boost, "interpolation": interpolation, kind: settings}


NEAR = function("distance", "place", referencePointParameter="here", boostingDistance=100.0)
RATED = function("magnitude", "rating", 2.0, boostingRangeStart=1, boostingRangeEnd=5)
DEAR = function("magnitude", "rate", 1.5, boostingRangeStart=50, boostingRangeEnd=400)


def made(*functions, aggregation="sum", weights=None, default=None):
    profile = {"name": "p", "functions": list(functions), "functionAggregation": aggregation}
    if weights:
        profile["text"] = {"weights": weights}
    return engine(FIELDS, documents(), scoringProfiles=[profile], defaultScoringProfile=default)


def factors(*functions, parameters=(), **more):
    request = {"search": "*", "scoringProfile": "p", "scoringParameters": list(parameters)}
    return scores(made(*functions, **more).search(request, STABLE))


def test_distance_on_the_mean_radius():
    # Two points of the recordings: 76.0547 km and 147 km from (-122, 49)
    found = distances(np.array([-122.131577, -122.131577]), np.array([49.678581, 47.678581]), (-122.0, 49.0))
    assert found == pytest.approx([76.05, 147.24], abs=0.05)


def test_a_near_place_counts_up_to_the_boost():
    km = float(distances(np.array([-122.131577]), np.array([48.316]), (-122.0, 49.0))[0])
    found = factors(NEAR, parameters=["here--122,49"])
    assert found == {"1": pytest.approx(1 + (1 - km / 100), rel=1e-6), "2": 1.0}
    assert factors(NEAR, parameters=["here-'-122','49'"]) == found
    assert factors(NEAR, parameters=["here-0,0"]) == {"1": 1.0, "2": 1.0}


def test_magnitudes():
    assert factors(RATED) == {"1": 1.75, "2": 1.0}
    assert factors(DEAR) == {"1": 1.25, "2": 1.0}
    beyond = function(
        "magnitude", "rate", 1.5, boostingRangeStart=50, boostingRangeEnd=400, constantBoostBeyondRange=True
    )
    assert factors(beyond)["2"] == 1.5
    falling = function("magnitude", "rating", 3.0, boostingRangeStart=5, boostingRangeEnd=1)
    assert factors(falling)["1"] == 1.5
    quadratic = function("magnitude", "rating", 2.0, "quadratic", boostingRangeStart=1, boostingRangeEnd=5)
    assert factors(quadratic)["1"] == pytest.approx(1 + 0.75**2)


def test_freshness():
    fresh = function("freshness", "day", 10.0, boostingDuration="P15D")
    assert factors(fresh) == {"1": pytest.approx(1 + 9 * (1 - 5 / 15), rel=1e-3), "2": 1.0}
    quadratic = function("freshness", "day", 10.0, "quadratic", boostingDuration="P15D")
    assert factors(quadratic)["1"] == pytest.approx(1 + 9 * (1 - 5 / 15) ** 2, rel=1e-3)
    constant = function("freshness", "day", 10.0, "constant", boostingDuration="P5DT1H")
    assert factors(constant) == {"1": 10.0, "2": 1.0}
    coming = function("freshness", "day", 3.0, boostingDuration="-P2D")
    assert factors(coming) == {"1": 1.0, "2": pytest.approx(2.0, rel=1e-3)}


def test_several_functions_are_multiplied():
    assert factors(RATED, DEAR, aggregation="product") == {"1": 1.75 * 1.25, "2": 1.0}
    with pytest.raises(ServiceFault, match="'sum'"):
        factors(RATED, DEAR)


def test_weights_multiply_the_score_of_a_field():
    plain = made(weights={"name": 1.0})
    parts = [scores(plain.search({"search": "x", "searchFields": name}, STABLE)) for name in ("name", "text")]
    weighted = scores(made(weights={"name": 3.0}).search({"search": "x", "scoringProfile": "p"}, STABLE))
    assert weighted["1"] == pytest.approx(3 * parts[0]["1"] + parts[1]["1"], rel=1e-6)
    assert weighted["2"] == pytest.approx(3 * parts[0]["2"], rel=1e-6)


def test_the_default_profile_is_used_without_being_named():
    assert ids(made(DEAR, default="p").search({"search": "*"}, STABLE)) == ["1", "2"]
    assert scores(made(DEAR, default="p").search({"search": "*"}, STABLE))["1"] == 1.25


@pytest.mark.parametrize(
    ("functions", "request_body", "message"),
    [
        ([RATED], {"scoringProfile": "q"}, "'q' does not exist"),
        ([NEAR], {"scoringProfile": "p"}, "'here' of the scoring profile is missing"),
        ([NEAR], {"scoringProfile": "p", "scoringParameters": ["here-x"]}, "is not a point"),
        ([NEAR], {"scoringParameters": ["here-1,2"]}, "need a scoring profile"),
        ([function("tag", "name", tagsParameter="t")], {"scoringProfile": "p"}, "type 'tag'"),
        ([{**RATED, "interpolation": "logarithmic"}], {"scoringProfile": "p"}, "'logarithmic'"),
        ([function("freshness", "day", boostingDuration="365D")], {"scoringProfile": "p"}, "'365D' is not a duration"),
    ],
)
def test_refused_profiles(functions, request_body, message):
    with pytest.raises(ServiceFault, match=message) as caught:
        made(*functions).search({"search": "x", **request_body}, STABLE)
    assert caught.value.status == 400
