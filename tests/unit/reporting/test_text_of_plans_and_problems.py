from dataclasses import replace

from azsearch_ops.errors import DefinitionError, Location, Problem, ServiceError
from azsearch_ops.planning.plan import Change, Plan
from azsearch_ops.reporting.style import Style
from azsearch_ops.reporting.terminal import (
    render_error,
    render_problems,
    render_result,
    render_validation,
)

WIDE = Style(120)


LENGTH = Change(
    kind="skillset",
    pointer="/skills/#1/maximumPageLength",
    name="maximumPageLength",
    before=2000,
    after=1600,
    change_class="rebuild",
    rule="documents that did not change are not enriched again",
    location=Location("skillsets/handbook.yaml", 4, 3),
)
PLAN = Plan(
    name="handbook",
    alias="handbook-live",
    action="rebuild",
    candidate="handbook-b7d20e55",
    live="handbook-3fa81c20",
    changes=(
        LENGTH,
        replace(
            LENGTH,
            kind="index",
            pointer="/fields/chunk/analyzer",
            name="analyzer",
            before=None,
            after="en.lucene",
            rule="Azure does not change this on an index that exists",
            location=Location("indexes/handbook/index.yaml", 44, 9),
        ),
    ),
    writes=(),
    steps=(),
    explanation="handbook-b7d20e55 is built beside handbook-3fa81c20",
)


def test_a_plan_names_the_line_the_values_and_the_class() -> None:
    assert render_result(PLAN, WIDE).splitlines() == [
        "handbook → handbook-live",
        "plan      REBUILD",
        "  skillsets/handbook.yaml:4       maximumPageLength      2000 → 1600    rebuild",
        "  indexes/handbook/index.yaml:44  fields/chunk/analyzer  – → en.lucene  rebuild",
        "  rebuild: documents that did not change are not enriched again",
        "  rebuild: Azure does not change this on an index that exists",
        "  handbook-b7d20e55 is built beside handbook-3fa81c20",
    ]


def test_a_breaking_plan_says_how_it_is_shipped() -> None:
    hidden = replace(LENGTH, change_class="breaking", rule="the consumer web reads path")
    told = render_result(replace(PLAN, changes=(hidden,)), WIDE).splitlines()
    assert told[2].endswith("breaking") and told[3:5] == [
        "  breaking: the consumer web reads path",
        "  ship refuses what is breaking without --accept-breaking --reason TEXT",
    ]


def test_a_plan_without_changes_says_so() -> None:
    nothing = replace(PLAN, action="none", changes=(), explanation="handbook-3fa81c20 is what the definitions say")
    assert render_result(nothing, WIDE).splitlines()[1:] == [
        "plan      no changes",
        "  handbook-3fa81c20 is what the definitions say",
    ]


PROBLEM = Problem("AZS101", "unknown key 'fieldz'", Location("indexes/a.yaml", 12, 3), hint="did you mean 'fields'?")


def test_problems_are_one_line_each_in_the_order_of_the_file() -> None:
    earlier = Problem("AZS204", "overlap is half of the length", Location("indexes/a.yaml", 4, 1), "warning")
    assert render_problems([PROBLEM, earlier], WIDE).splitlines() == [
        "indexes/a.yaml:4:1: warning: overlap is half of the length [AZS204]",
        "indexes/a.yaml:12:3: error: unknown key 'fieldz' [AZS101]",
        "  hint: did you mean 'fields'?",
    ]
    assert render_validation([PROBLEM, earlier], 0, WIDE).splitlines()[-1] == "1 error, 1 warning"
    assert render_validation([], 2, WIDE) == "✓ 2 index definitions checked, no problem"


def test_an_error_ends_with_what_to_do() -> None:
    assert render_error(DefinitionError((PROBLEM,)), WIDE).splitlines()[-1] == (
        "error: 1 problem in the definitions [definition]"
    )
    refused = ServiceError("no room", status=429, service_code="QuotaExceeded", call="PUT /indexes/a", hint="prune")
    assert render_error(refused, WIDE).splitlines() == [
        "error: no room [service]",
        "  call: PUT /indexes/a",
        "  status: 429",
        "  service code: QuotaExceeded",
        "  hint: prune",
    ]
