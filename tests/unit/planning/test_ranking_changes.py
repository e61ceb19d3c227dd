"""Changes of what ranks: put beside the old on live, told line by line, never tried on what is released."""

import copy
from dataclasses import replace

import pytest

from azsearch_ops.bodies.ranking_parts import own_name, parts_of
from azsearch_ops.bodies.render import render
from azsearch_ops.errors import DefinitionError
from azsearch_ops.planning.alignment import aligned, answerable, names_on_live
from azsearch_ops.planning.builder import build_plan
from azsearch_ops.planning.drift import drifted_objects
from azsearch_ops.planning.live import LiveState
from azsearch_ops.planning.room import no_room_for_parts
from azsearch_ops.planning.saved import live_digest

PROFILES = "  scoringProfiles: [{name: s, text: {weights: {chunk: 2}}}, {name: t, text: {weights: {chunk: 3}}}]\n"
SEMANTIC = (
    "  semantic: {configurations: [{name: c, prioritizedFields: {prioritizedContentFields: [{fieldName: chunk}]}}]}\n"
)


@pytest.fixture
def ranked(workspace):
    """A project with two scoring profiles, of which the request names one."""
    workspace.edit(workspace.index, "  vectorSearch:", f"{PROFILES}  vectorSearch:")
    workspace.edit(workspace.index, "request: {", "request: {scoringProfile: s, ")
    return workspace


def live_of(bodies, **replaced):
    state = {
        "index_name": bodies.candidate,
        "index": copy.deepcopy(dict(bodies.index)),
        "skillset": bodies.skillset,
        "data_source": bodies.data_source,
        "indexer": {**bodies.indexer, "schedule": bodies.schedule},
        "search": bodies.search,
        "rebuild_digest": bodies.rebuild_digest,
    }
    return LiveState(**{**state, **replaced})


def plainly(bodies, **replaced):
    """Live under the names of the definition, as an adopted index and earlier versions have it."""
    names = {(part.kind, part.name): part.own for part in bodies.ranked}
    from azsearch_ops.bodies.ranking_parts import called, renamed_parts

    search = called(bodies.search, names)
    return live_of(bodies, **{"index": renamed_parts(bodies.index, names), "search": search, **replaced})


def plan(workspace, live):
    project = workspace.load()
    return build_plan(render(project, "docs"), live, project.locate_for("docs"))


def refusal(workspace, live):
    with pytest.raises(DefinitionError) as refused:
        plan(workspace, live)
    assert {problem.code for problem in refused.value.problems} == {"AZS410"}
    return refused.value.problems[0]


def told(plan):
    return [(c.pointer, c.before, c.after, c.change_class) for c in plan.changes]


def names_of(bodies):
    return {part.own: part.name for part in bodies.ranked}


def test_a_weight_in_use_is_put_beside_the_old_one_and_named_by_the_request(ranked):
    before = ranked.render()
    ranked.edit(ranked.index, "chunk: 2", "chunk: 4")
    after = ranked.render()
    made = plan(ranked, live_of(before))
    assert made.action == "settings"
    assert told(made) == [
        ("/scoringProfiles/s/text/weights/chunk", 2, 4, "in place"),
        ("/scoringProfile", names_of(before)["s"], names_of(after)["s"], "settings only"),
    ]
    assert [c.location.line for c in made.changes] == [17, 21]
    assert "3 of 100 scoring profiles" in made.changes[0].rule
    (write,) = made.writes
    assert names_of(after)["s"] in parts_of(write.body, "scoringProfile")
    assert [step.verb for step in made.steps] == ["update", "evaluate", "gate", "record"]


def test_one_that_no_request_names_moves_nothing(ranked):
    before = ranked.render()
    ranked.edit(ranked.index, "chunk: 3", "chunk: 4")
    made = plan(ranked, live_of(before))
    assert made.action == "in_place"
    assert told(made) == [
        ("/scoringProfiles/t", None, {"functionAggregation": "sum", "text": {"weights": {"chunk": 4}}}, "in place")
    ]


def test_what_goes_from_the_definition_stays_on_live_until_prune(ranked):
    live = live_of(ranked.render())
    ranked.edit(ranked.index, ", {name: t, text: {weights: {chunk: 3}}}", "")
    assert plan(ranked, live).action == "none"
    ranked.edit(ranked.index, PROFILES.replace(", {name: t, text: {weights: {chunk: 3}}}", ""), "")
    ranked.edit(ranked.index, "scoringProfile: s, ", "")
    gone = plan(ranked, live)
    assert (gone.action, gone.writes) == ("settings", ())
    assert told(gone) == [("/scoringProfile", live.search["scoringProfile"], None, "settings only")]


def test_names_that_are_swapped_are_contents_that_are_swapped(ranked):
    before = ranked.render()
    ranked.edit(ranked.index, "{name: s,", "{name: x,")
    ranked.edit(ranked.index, "{name: t,", "{name: s,")
    ranked.edit(ranked.index, "{name: x,", "{name: t,")
    for live in (live_of(before), plainly(before)):
        made = plan(ranked, live)
        assert made.action == "settings"
        named = made.changes[-1].after
        (write,) = made.writes
        assert parts_of(write.body, "scoringProfile")[named]["text"]["weights"] == {"chunk": 3}
        assert named not in parts_of(live.index, "scoringProfile")


def test_the_same_content_under_two_names_is_two_parts(ranked):
    ranked.edit(ranked.index, "chunk: 3", "chunk: 2")
    bodies = ranked.render()
    assert len(parts_of(bodies.index, "scoringProfile")) == 2
    for live in (live_of(bodies), plainly(bodies)):
        assert plan(ranked, live).action == "none"
    only_s = plainly(bodies)
    only_s = replace(only_s, index={**only_s.index, "scoringProfiles": only_s.index["scoringProfiles"][:1]})
    assert plan(ranked, only_s).action == "in_place"


def test_another_name_for_what_live_has_is_no_change(ranked):
    live = live_of(ranked.render())
    ranked.edit(ranked.index, "{name: s,", "{name: renamed,")
    ranked.edit(ranked.index, "scoringProfile: s,", "scoringProfile: renamed,")
    assert plan(ranked, live).action == "none"


def test_plain_names_of_live_stay_where_they_say_the_same(ranked):
    bodies = ranked.render()
    live = plainly(bodies)
    assert plan(ranked, live).action == "none"
    kept = aligned(bodies, live)
    assert list(parts_of(kept.index, "scoringProfile")) == ["s", "t"] and kept.search["scoringProfile"] == "s"
    assert aligned(kept, live) == kept
    ranked.edit(ranked.index, "chunk: 2", "chunk: 4")
    made = plan(ranked, live)
    assert told(made)[0] == ("/scoringProfiles/s/text/weights/chunk", 2, 4, "in place")
    assert own_name(made.changes[-1].after) == "s" and made.changes[-1].before == "s"


@pytest.mark.parametrize("put", [{"name": "theirs"}, {"name": "s-00000000", "text": {"weights": {"path": 2}}}])
def test_parts_of_others_are_left_alone_and_told_as_drift(ranked, put):
    bodies = ranked.render()
    live = live_of(bodies)
    live.index["scoringProfiles"].append(put)
    assert plan(ranked, live).action == "none"
    (found,) = drifted_objects(live_of(bodies), live)
    assert found.released is None and put["name"] in found.pointer
    earlier = frozenset({("scoringProfile", put["name"])})
    assert drifted_objects(live_of(bodies), live, earlier) == (), "an earlier release had it"
    assert live_digest(live) == live_digest(live_of(bodies)), "a saved plan outlives them"


def test_a_part_of_a_change_to_come_is_no_drift(ranked):
    bodies = ranked.render()
    ranked.edit(ranked.index, "chunk: 2", "chunk: 4")
    live = live_of(bodies)
    live.index["scoringProfiles"].append(ranked.render().index["scoringProfiles"][0])
    assert drifted_objects(live_of(bodies), live) == ()


def test_an_edit_behind_our_back_is_drift_and_is_not_undone_unmeasured(ranked):
    bodies = ranked.render()
    live = live_of(bodies)
    live.index["scoringProfiles"][0]["text"] = {"weights": {"chunk": 9}}
    (found,) = drifted_objects(live_of(bodies), live)
    assert (found.released, found.found) == (2, 9)
    problem = refusal(ranked, live)
    assert "edited on the service" in problem.message and problem.location.path == "indexes/docs/index.yaml"
    ranked.edit(ranked.index, "chunk: 2", "chunk: 9")
    taken = plan(ranked, live)
    assert taken.action == "settings" and taken.writes, "taken into the definitions it is measured"
    assert live_digest(live) != live_digest(live_of(bodies))


def test_an_edit_of_what_nothing_released_uses_is_put_back(ranked):
    bodies = ranked.render()
    live = live_of(bodies)
    live.index["scoringProfiles"][1]["text"] = {"weights": {"chunk": 9}}
    assert plan(ranked, live).action == "in_place"


def test_a_default_changes_with_the_promotion(ranked):
    before = ranked.render()
    ranked.edit(ranked.index, "  scoringProfiles:", "  defaultScoringProfile: t\n  scoringProfiles:")
    made = plan(ranked, live_of(before))
    assert told(made) == [("/defaultScoringProfile", None, names_of(before)["t"], "settings only")]
    assert (made.action, made.writes) == ("settings", ())
    assert made.changes[0].rule.endswith("no question measures it unless one names it"), "the request names another"
    assert [(s.verb, s.kind) for s in made.steps] == [
        ("evaluate", "index"),
        ("gate", "index"),
        ("update", "index"),
        ("record", "ledger"),
    ]


def test_a_request_that_ranks_by_the_default_is_measured_under_the_new_one(ranked):
    ranked.edit(ranked.index, "scoringProfile: s, ", "")
    ranked.edit(ranked.index, "  scoringProfiles:", "  defaultScoringProfile: s\n  scoringProfiles:")
    before = ranked.render()
    unsaid = {name: value for name, value in before.search.items() if name != "scoringProfile"}
    assert plan(ranked, live_of(before, search=unsaid)).action == "none", "an earlier version left it unsaid"
    ranked.edit(ranked.index, "defaultScoringProfile: s", "defaultScoringProfile: t")
    ranked.edit(ranked.index, "chunk: 3", "chunk: 5")
    made = plan(ranked, live_of(before))
    assert [c.change_class for c in made.changes] == ["in place", "settings only", "settings only"]
    (write,) = made.writes
    assert write.body["defaultScoringProfile"] == before.index["defaultScoringProfile"], "not before the gate"
    assert "no question measures it" not in made.changes[-1].rule
    assert made.changes[-1].after == ranked.render().index["defaultScoringProfile"]


def test_a_default_goes_only_where_the_request_does_without_it(ranked):
    ranked.edit(ranked.index, "  scoringProfiles:", "  defaultScoringProfile: s\n  scoringProfiles:")
    live = live_of(ranked.render())
    ranked.edit(ranked.index, "  defaultScoringProfile: s\n", "")
    assert plan(ranked, live).action == "settings", "the request names its own"
    ranked.edit(ranked.index, "scoringProfile: s, ", "")
    assert "empty scoring profile" in refusal(ranked, live).message
    ranked.edit(ranked.index, "scoringProfiles: [", "scoringProfiles: [{name: none}, ")
    ranked.edit(ranked.index, "request: {", "request: {scoringProfile: none, ")
    assert plan(ranked, live).action == "settings"


def test_with_a_chunking_change_the_candidate_has_both(ranked):
    live = live_of(ranked.render())
    ranked.edit(ranked.index, "chunk: 2", "chunk: 4")
    ranked.edit(ranked.skillset, "maximumPageLength: 2000", "maximumPageLength: 1600")
    made = plan(ranked, live)
    assert made.action == "rebuild" and made.writes == ()
    assert [c.change_class for c in made.changes] == ["rebuild", "rebuild", "settings only"]
    assert made.explanation.endswith("Rebuilt because of: maximumPageLength")
    ((kind, part),) = aligned(ranked.render(), live).carried
    assert (kind, part["name"]) == ("scoringProfile", live.search["scoringProfile"])


def test_a_field_that_the_released_request_needs_is_not_renamed_under_it(ranked):
    live = live_of(ranked.render())
    for old, new in (("  chunk: /document", "  body: /document"), ("{name: chunk,", "{name: body,")):
        ranked.edit(ranked.index, old, new)
    for weight in (2, 3):
        ranked.edit(ranked.index, f"weights: {{chunk: {weight}}}", f"weights: {{body: {weight}}}")
    ranked.edit(ranked.index, "path,chunk", "path,body")
    problem = refusal(ranked, live)
    assert "'chunk'" in problem.message and "first release a request" in problem.hint
    without = {name: value for name, value in live.search.items() if name != "scoringProfile"}
    assert plan(ranked, replace(live, search=without)).action == "rebuild"


def test_a_flag_that_the_released_part_needs_is_not_taken_away_either(ranked):
    function = "functions: [{type: tag, fieldName: path, boost: 2, tag: {tagsParameter: mine}}]"
    ranked.edit(ranked.index, "text: {weights: {chunk: 2}}", function)
    live = live_of(ranked.render())
    ranked.edit(
        ranked.index,
        "searchable: false}\n    - {name: chunk",
        "searchable: false, filterable: false}\n    - {name: chunk",
    )
    ranked.edit(ranked.index, f"{{name: s, {function}}}, ", "")
    ranked.edit(ranked.index, "scoringProfile: s,", "scoringProfile: t,")
    assert "'path'" in refusal(ranked, live).message


def test_function_parameters_are_new_content_and_come_with_the_request(ranked):
    function = "functions: [{type: tag, fieldName: path, boost: 2, tag: {tagsParameter: mine}}]"
    ranked.edit(ranked.index, "text: {weights: {chunk: 2}}", function)
    ranked.edit(ranked.index, "request: {", 'request: {scoringParameters: ["mine-a"], ')
    live = live_of(ranked.render())
    ranked.edit(ranked.index, "tagsParameter: mine", "tagsParameter: yours")
    ranked.edit(ranked.index, "mine-a", "yours-a")
    made = plan(ranked, live)
    assert made.action == "settings"
    assert ("/scoringProfiles/s/functions/0/tag/tagsParameter", "mine", "yours", "in place") in told(made)


def test_semantic_configurations_likewise(workspace):
    workspace.edit(workspace.index, "  vectorSearch:", f"{SEMANTIC}  vectorSearch:")
    workspace.edit(workspace.index, "request: {", "request: {queryType: semantic, semanticConfiguration: c, ")
    before = workspace.render()
    workspace.edit(workspace.index, "prioritizedFields: {", "prioritizedFields: {titleField: {fieldName: path}, ")
    made = plan(workspace, live_of(before))
    assert made.action == "settings"
    assert [c.change_class for c in made.changes] == ["in place", "settings only"]
    assert made.changes[0].pointer == "/semantic/configurations/c/prioritizedFields/titleField"
    workspace.edit(workspace.index, "semantic: {", "semantic: {defaultConfiguration: c, ")
    again = plan(workspace, live_of(before))
    assert [c.pointer for c in again.changes][1] == "/semantic/defaultConfiguration"
    (write,) = again.writes
    assert "defaultConfiguration" not in write.body["semantic"]


def test_the_first_configuration_of_an_index_is_an_addition(workspace):
    live = live_of(workspace.render())
    live.index["semantic"] = None
    workspace.edit(workspace.index, "  vectorSearch:", f"{SEMANTIC}  vectorSearch:")
    assert plan(workspace, live).action == "in_place"


def test_live_that_is_not_released_is_asked_what_it_can_answer(ranked):
    bodies = ranked.render()
    plain = plainly(bodies).index
    assert answerable(bodies.search, bodies, plain)["scoringProfile"] == "s"
    assert "scoringProfile" not in answerable(bodies.search, bodies, {"scoringProfiles": []})
    ranked.edit(ranked.index, "chunk: 2", "chunk: 4")
    edited = ranked.render()
    adopted = replace(plainly(bodies), search=answerable(edited.search, edited, plain), adopted=True)
    assert plan(ranked, adopted).action == "settings", "edited before it was adopted"


def test_questions_that_name_a_part_find_it_on_either_side(ranked):
    bodies = ranked.render()
    ranked.edit(ranked.index, "chunk: 2", "chunk: 4")
    edited = ranked.render()
    own = {("scoringProfile", name): names_of(bodies)[name] for name in ("s", "t")}
    live = live_of(bodies)
    assert names_on_live(edited, live) == own
    live.index["scoringProfiles"].insert(0, {"name": names_of(edited)["s"], "text": {"weights": {"chunk": 4}}})
    assert names_on_live(edited, live) == own, "the released one, though the new one is there already"
    assert names_on_live(edited, plainly(bodies)) == {("scoringProfile", n): n for n in ("s", "t")}
    assert names_on_live(edited, live_of(bodies, index={"fields": []})) == {}


def test_an_index_that_is_full_of_them_says_what_to_prune(ranked):
    bodies = ranked.render()
    live = live_of(bodies)
    live.index["scoringProfiles"] += [{"name": f"old-{n}"} for n in range(98)]
    assert no_room_for_parts(aligned(bodies, live), live) == ()
    ranked.edit(ranked.index, "chunk: 2", "chunk: 4")
    (problem,) = no_room_for_parts(aligned(ranked.render(), live), live)
    assert "101 of 100" in problem.message and "prune --yes" in problem.hint
