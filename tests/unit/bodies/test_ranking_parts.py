"""Names by content: the same for what says the same, new for what is new, and carried into everything that refers."""

import pytest

from azsearch_ops.bodies.ranking_parts import (
    explicit,
    is_named_by_content,
    own_name,
    part_name,
    parts_of,
    plain_names,
    with_kept_parts,
    without_parts_by_content,
)
from azsearch_ops.contract.names import check_name

WEIGHTS = {"name": "boost", "text": {"weights": {"chunk": 2}}}
PROFILES = "  scoringProfiles: [{name: s, text: {weights: {chunk: 2}}}, {name: t, text: {weights: {chunk: 3}}}]\n"
SEMANTIC = "  semantic: {configurations: [{name: c, prioritizedFields: {titleField: {fieldName: path}}}]}\n"


def profile_name(part, own="boost"):
    return part_name("scoringProfile", part, own)


def test_a_name_follows_what_is_said_and_nothing_else():
    name = profile_name(WEIGHTS)
    assert own_name(name) == "boost" and len(name) == len("boost-") + 8
    said_in_full = {**WEIGHTS, "functions": [], "functionAggregation": "sum", "text": {"weights": {"chunk": 2.0}}}
    assert profile_name(said_in_full) == name, "defaults and nulls of an answer are not content"
    assert profile_name({**WEIGHTS, "text": {"weights": {"chunk": 4}}}) != name
    assert profile_name(WEIGHTS, "other").removeprefix("other") == name.removeprefix("boost")


def test_a_name_copied_from_a_service_is_not_named_again():
    name = profile_name(WEIGHTS)
    assert profile_name(WEIGHTS, name) == name
    edited = {**WEIGHTS, "name": name, "text": {"weights": {"chunk": 9}}}
    assert is_named_by_content("scoringProfile", {**WEIGHTS, "name": name})
    assert not is_named_by_content("scoringProfile", edited)
    assert not is_named_by_content("scoringProfile", WEIGHTS)


def test_a_plain_name_is_enough_where_one_part_is_meant():
    once, other = ({**WEIGHTS, "text": {"weights": {"chunk": n}}} for n in (2, 3))
    named = [{**part, "name": profile_name(part, own)} for part, own in ((once, "a"), (once, "b"), (other, "b"))]
    assert plain_names({"scoringProfiles": named}) == {("scoringProfile", "a"): named[0]["name"]}
    shadowed = {"scoringProfiles": [named[0], {**other, "name": "a"}]}
    assert plain_names(shadowed) == {}, "what is called so is what is asked for"
    assert plain_names({}) == {}


def test_without_parts_that_cannot_change_what_a_request_means():
    ours = {**WEIGHTS, "name": profile_name(WEIGHTS)}
    edited = {**ours, "text": {"weights": {"chunk": 9}}}
    index = {"name": "i", "scoringProfiles": [WEIGHTS, ours], "defaultScoringProfile": "boost"}
    assert without_parts_by_content(index) == {**index, "scoringProfiles": [WEIGHTS]}
    assert without_parts_by_content({**index, "scoringProfiles": [edited]})["scoringProfiles"] == [edited]
    assert without_parts_by_content({"name": "i"}) == {"name": "i"}


@pytest.mark.parametrize("length", [1, 119, 120, 128])
def test_azure_takes_the_name_whatever_the_length(length):
    assert check_name("scoringProfile", profile_name(WEIGHTS, "p" * length)) is None


def test_parameters_of_functions_are_content():
    def freshness(parameter):
        function = {"type": "tag", "fieldName": "tags", "boost": 2, "tag": {"tagsParameter": parameter}}
        return {"name": "boost", "functions": [function]}

    assert profile_name(freshness("mine")) != profile_name(freshness("yours"))


def test_index_request_and_defaults_name_the_same(workspace):
    workspace.edit(workspace.index, "  vectorSearch:", f"{PROFILES}{SEMANTIC}  vectorSearch:")
    workspace.edit(workspace.index, "request: {", "request: {scoringProfile: s, ")
    workspace.edit(workspace.index, "  scoringProfiles:", "  defaultScoringProfile: t\n  scoringProfiles:")
    workspace.edit(workspace.index, "semantic: {", "semantic: {defaultConfiguration: c, ")
    bodies = workspace.render()
    names = {(part.kind, part.own): part.name for part in bodies.ranked}
    assert list(parts_of(bodies.index, "scoringProfile")) == [names["scoringProfile", n] for n in ("s", "t")]
    assert bodies.search["scoringProfile"] == names["scoringProfile", "s"]
    assert bodies.index["defaultScoringProfile"] == names["scoringProfile", "t"]
    assert bodies.index["semantic"]["defaultConfiguration"] == names["semanticConfiguration", "c"]
    assert "semanticConfiguration" not in bodies.search, "the request does not rank by meaning"


def test_a_request_says_the_default_that_it_ranks_by(workspace):
    workspace.edit(workspace.index, "  vectorSearch:", f"{PROFILES}  defaultScoringProfile: s\n  vectorSearch:")
    bodies = workspace.render()
    assert bodies.search["scoringProfile"] == bodies.index["defaultScoringProfile"]
    index = {"semantic": {"defaultConfiguration": "c"}, "defaultScoringProfile": None}
    assert explicit({"queryType": "semantic"}, index)["semanticConfiguration"] == "c"
    assert explicit({"search": "x"}, index) == {"search": "x"}


def test_no_index_is_built_for_it_and_the_settings_know(workspace):
    workspace.edit(workspace.index, "  vectorSearch:", f"{PROFILES}  vectorSearch:")
    workspace.edit(workspace.index, "request: {", "request: {scoringProfile: s, ")
    before = workspace.render()
    workspace.edit(workspace.index, "chunk: 2", "chunk: 4")
    after = workspace.render()
    assert after.rebuild_digest == before.rebuild_digest
    assert after.body_digest != before.body_digest and after.settings_digest != before.settings_digest


def test_without_any_a_body_is_as_it_was(workspace):
    bodies = workspace.render()
    assert bodies.ranked == () and "scoringProfiles" not in bodies.index and "semantic" not in bodies.index


def test_what_an_index_has_besides_is_kept():
    there = {"scoringProfiles": [{"name": "a", "text": None}, {"name": "b"}], "semantic": None}
    body = {"name": "x", "scoringProfiles": [{"name": "a", "text": {"weights": {"chunk": 1}}}]}
    kept = with_kept_parts(body, there)
    assert kept["scoringProfiles"] == [*body["scoringProfiles"], {"name": "b"}]
    assert with_kept_parts({"name": "x"}, {"semantic": {"configurations": [{"name": "c"}]}})["semantic"] == {
        "configurations": [{"name": "c"}]
    }
