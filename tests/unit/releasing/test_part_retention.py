"""Which scoring profiles an index that stays may lose: ours, of no kept release, and not put there just now."""

from datetime import UTC, datetime, timedelta

import pytest

from azsearch_ops.bodies.ranking_parts import part_name
from azsearch_ops.releasing.part_retention import SparePart, kept_releases, spare_in, without_spare
from azsearch_ops.releasing.retention import Rules

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
RULES = Rules(keep=2, fresh_for=timedelta(days=7), failed=timedelta(days=1))


def profile(weight):
    part = {"name": "s", "text": {"weights": {"chunk": weight}}}
    return {**part, "name": part_name("scoringProfile", part, "s")}


def release(weight, days_ago, identity=None):
    part = profile(weight)
    return {
        "identity": identity or f"i{weight}",
        "at": (NOW - timedelta(days=days_ago)).isoformat().replace("+00:00", "Z"),
        "index": "docs-00000001",
        "search": {"scoringProfile": part["name"]},
        "bodies": {"index": {"name": "docs-00000001", "scoringProfiles": [part]}},
    }


def index(*parts, default=None):
    return {"name": "docs-00000001", "scoringProfiles": list(parts), "defaultScoringProfile": default}


def spare(body, kept, hours=48):
    ages = {("scoringProfile", part["name"]): NOW - timedelta(hours=hours) for part in body["scoringProfiles"]}
    return [part.name for part in spare_in(body, kept, ages, RULES, NOW)]


def weights(releases):
    return [record["identity"] for record in kept_releases(releases, RULES, NOW)]


def test_as_many_different_releases_are_kept_as_retention_says():
    assert weights([release(4, 10), release(3, 20), release(2, 30), release(1, 40)]) == ["i4", "i3"]


def test_one_that_was_left_a_short_while_ago_is_kept_too():
    assert weights([release(4, 1), release(3, 2), release(2, 30), release(1, 40)]) == ["i4", "i3", "i2"]


def test_a_rollback_stands_for_what_it_went_back_to():
    back = release(3, 10, identity="i3")
    assert weights([back, release(4, 20), release(3, 30), release(2, 40)]) == ["i3", "i4", "i3"]


def test_only_what_no_kept_release_refers_to_goes():
    body = index(profile(1), profile(2), profile(3), profile(4))
    assert spare(body, [release(4, 10), release(3, 20)]) == [profile(1)["name"], profile(2)["name"]]


@pytest.mark.parametrize(
    ("body", "hours"),
    [
        (index({"name": "theirs", "text": {"weights": {"chunk": 1}}}), 48),
        (index({**profile(1), "text": {"weights": {"chunk": 9}}}), 48),
        (index(profile(1), default=profile(1)["name"]), 48),
        (index(profile(1)), 23),
    ],
    ids=["not called by its content", "edited on the service", "the default", "put there just now"],
)
def test_what_stays_all_the_same(body, hours):
    assert spare(body, [release(4, 10)], hours) == []


def test_one_whose_age_nobody_knows_stays():
    assert spare_in(index(profile(1)), [release(4, 10)], {}, RULES, NOW) == ()


def test_the_rest_of_the_index_stays_as_it_is():
    body = {**index(profile(1), profile(2)), "semantic": {"configurations": [{"name": profile(1)["name"]}]}}
    gone = SparePart("docs-00000001", "scoringProfile", profile(1)["name"])
    assert without_spare(body, (gone,)) == {**body, "scoringProfiles": [profile(2)]}
    assert without_spare({**body, "name": "other"}, (gone,))["scoringProfiles"] == [profile(1), profile(2)]
