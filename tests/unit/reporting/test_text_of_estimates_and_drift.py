"""Text and Markdown of estimates, drift and pruning: everything shown, foreign words kept in their cell."""

from dataclasses import dataclass, replace

import pytest

from azsearch_ops.errors import Location, Problem
from azsearch_ops.planning.drift import Drifted
from azsearch_ops.planning.estimate import Estimate, Quota, Standstill, Workload
from azsearch_ops.planning.plan import Change, Plan, Step
from azsearch_ops.releasing.pruning import Pruned
from azsearch_ops.reporting.drifts import drift_markdown, render_drift
from azsearch_ops.reporting.estimates import estimate_lines, size
from azsearch_ops.reporting.plans_markdown import plans_markdown
from azsearch_ops.reporting.prunes import render_prune
from azsearch_ops.reporting.style import Style
from azsearch_ops.verbs.shipping.drifting import Drift
from azsearch_ops.verbs.shipping.planning import PlannedIndex
from azsearch_ops.verbs.shipping.pruning import PruneOutcome

ESTIMATE = Estimate(
    workload=Workload("documents", documents=2310, chunks=48_510, tokens=19_200_000),
    minutes=32.0,
    tokens_per_minute=600_000.0,
    cost=0.384,
    currency="USD",
    vectors=331 * 1024**2,
    storage=1_200 * 1024**2,
    live_chunks=41_580,
    live_vectors=284 * 1024**2,
    built=False,
    standstill=Standstill(32.0, 1, "one search unit runs one indexer at a time"),
    quotas=(Quota("indexes", 9, 1, 50), Quota("aliases", 3, 0, None), Quota("vectors", 284 * 1024**2, 9, 35 * 1024**3)),
)
PLAN = Plan(
    name="handbook",
    alias="handbook-live",
    action="rebuild",
    candidate="handbook-b7d20e55",
    live="handbook-3fa81c20",
    changes=(
        Change("skillset", "/skills/chunking/maximumPageLength", "maximumPageLength", 2000, 1600, "rebuild", "because",
               Location("skillsets/handbook.yaml", 4, 3)),
        Change("index", "/fields/<b>", "<b>", None, "a|b", "rebuild", "because", None),
    ),
    writes=(),
    steps=(Step("create", "index", "handbook-b7d20e55", "read back"),),
    explanation="handbook-b7d20e55 is built beside handbook-3fa81c20",
)  # fmt: skip


def test_an_estimate_is_told_in_four_lines():
    assert estimate_lines(ESTIMATE) == [
        "documents 2,310   chunks 41,580 → 48,510   embed 19.2 M tokens ≈ 0.38 USD, 32 m 00 s at 600 k tokens a minute",
        "vectors 284 MB → 331 MB (284 MB of 35 GB used)   storage ≈ 1.2 GB",
        "index slots 9 → 10 of 50   aliases 3",
        "live keeps answering, and is not refreshed for about 32 m 00 s (one search unit runs one indexer at a time)",
    ]


def test_what_is_not_known_is_said_or_left_out():
    unknown = replace(
        ESTIMATE,
        workload=Workload("unknown", note="the documents cannot be listed from here"),
        minutes=None, cost=None, vectors=None, storage=None, live_chunks=None, quotas=(), built=True,
    )  # fmt: skip
    assert estimate_lines(unknown) == [
        "chunks and tokens are not known: the documents cannot be listed from here",
        "a candidate of this name is there already: what it has is kept",
    ]
    cached = replace(
        ESTIMATE, workload=replace(ESTIMATE.workload, cached=4_000, basis="sample", note="7 of 9 were read")
    )
    assert "(4,000 of them cached)" in estimate_lines(cached)[0] and "≈ 48,510" in estimate_lines(cached)[0]


@pytest.mark.parametrize(
    ("number", "text"), [(12, "12 B"), (2048, "2 kB"), (1.5 * 1024**2, "1.5 MB"), (35 * 1024**3, "35 GB")]
)
def test_sizes(number, text):
    assert size(number) == text


@dataclass
class _Index:
    name: str = "handbook"


def planned(**changed):
    values = {"index": _Index(), "bodies": None, "live": None, "plan": PLAN, "estimate": ESTIMATE, "problems": ()}
    return PlannedIndex(**{**values, **changed})


def test_a_plan_as_markdown():
    problem = Problem("no-room", "no room for one more of indexes", hint="azsearch-ops prune --yes deletes x")
    text = plans_markdown([planned(problems=(problem,))])
    assert text.startswith("### handbook → `handbook-live`: rebuild\n")
    assert "| `skillsets/handbook.yaml:4` | skills/chunking/maximumPageLength | 2000 | 1600 | rebuild |" in text
    assert "<b>" not in text and "a|b" not in text, "foreign words are no markup"
    assert "❌ no room for one more of indexes" in text and "<summary>Steps</summary>" in text
    assert "drift was not checked" in plans_markdown([planned(source="ledger", estimate=None)])


DRIFT = Drift(
    "handbook",
    "handbook-live",
    3,
    "handbook-3fa81c20",
    (Drifted("skillset", "s", "/skills/x/maximumPageLength", 2000, 3000, "skillset 's': x was changed"),),
    "",
)


def test_drift_names_both_sides():
    text = render_drift([DRIFT], Style(120))
    assert text.splitlines() == [
        "handbook → handbook-live   release 3, handbook-3fa81c20",
        "  ! skillset 's': x was changed  2000 → 3000",
    ]
    assert "✓ as released" in render_drift([replace(DRIFT, drifted=())], Style(120))
    assert "no release says so" in render_drift(
        [replace(DRIFT, release=None, drifted=(), note="no release says so")], Style()
    )
    assert "| skillset 's': x was changed | 2000 | 3000 |" in drift_markdown([DRIFT])


def test_pruning_says_what_and_why():
    entries = (Pruned("index", "a-00000001", "would delete", "old"), Pruned("index", "a-00000002", "kept", "alias x"))
    outcome = PruneOutcome("a", "a-live", entries, False, ("a note",))
    lines = render_prune([outcome], Style(120)).splitlines()
    assert lines[0] == "a → a-live" and lines[-1] == "nothing was changed: prune --yes carries it out"
    assert lines[1].split() == ["would", "delete", "index", "a-00000001", "old"]
    assert outcome.exit_code == 0
    assert replace(outcome, pruned=(replace(entries[0], done="refused"),)).exit_code == 1
