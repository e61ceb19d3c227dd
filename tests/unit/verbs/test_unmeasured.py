"""What an evaluation does not measure is told: defaults that no question is ranked by, and what is not asked for."""

from azsearch_ops.evaluation.types import Query
from azsearch_ops.planning.live import LiveState
from azsearch_ops.verbs.evaluating.contest import Contest
from azsearch_ops.verbs.evaluating.unmeasured import unmeasured

PROFILES = "  scoringProfiles: [{name: s, text: {weights: {chunk: 2}}}, {name: t, text: {weights: {chunk: 3}}}]\n"
PLAIN = Query("q1", "how many?", ())
NAMING_T = Query("q2", "how long?", (), (), None, {"scoringProfile": "t"})


def contest(workspace, before):
    bodies = workspace.render()
    live = LiveState(before.candidate, before.index, before.skillset, before.data_source, None, before.search, None)
    return Contest(workspace.load().indexes["docs"], bodies, bodies.candidate, live)


def test_a_default_that_no_question_is_ranked_by(workspace):
    workspace.edit(workspace.index, "  vectorSearch:", f"{PROFILES}  defaultScoringProfile: s\n  vectorSearch:")
    before = workspace.render()
    assert unmeasured(contest(workspace, before), [PLAIN]) == ()
    workspace.edit(workspace.index, "defaultScoringProfile: s", "defaultScoringProfile: t")
    assert unmeasured(contest(workspace, before), [PLAIN]) == (), "the request names none, so it is measured"
    workspace.edit(workspace.index, "request: {", "request: {scoringProfile: s, ")
    assert unmeasured(contest(workspace, before), [PLAIN]) == (
        "the default scoring profile changes (s → t): requests that name none are ranked by it, and no question "
        "measures it",
    )
    assert unmeasured(contest(workspace, before), [PLAIN, NAMING_T]) == ()
    workspace.edit(workspace.index, "  defaultScoringProfile: t\n", "")
    (note,) = unmeasured(contest(workspace, before), [NAMING_T])
    assert "(s → none)" in note


def test_captions_and_answers_are_left_out_and_that_is_told(workspace):
    request = "request: {captions: extractive, answers: extractive, "
    workspace.edit(workspace.index, "request: {", request)
    (note,) = unmeasured(contest(workspace, workspace.render()), [PLAIN])
    assert note.startswith("asked without the answers and captions of the request")
