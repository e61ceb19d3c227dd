from dataclasses import replace

from azsearch_ops.reporting.noise import render_noise
from azsearch_ops.reporting.style import Style
from azsearch_ops.verbs.evaluating.noise import NoiseOutcome

QUIET = NoiseOutcome(
    name="handbook",
    alias="handbook-live",
    twins=("handbook-1-noise-a", "handbook-1-noise-b"),
    queries=150,
    changed=12,
    steady=True,
    probe="",
    chunks=(1204, 1204),
    deviations={"recall@2000t": 0.1, "ndcg@10": 0.2},
    differences={"recall@2000t": -0.01, "ndcg@10": 0.0},
    unseen={"recall@2000t": 0.023},
    seconds=8.0,
)


def test_what_changed_by_itself_and_what_that_hides() -> None:
    told = render_noise(QUIET, Style(color=False)).splitlines()
    assert told[0].startswith("noise     12 of 150 queries differ between two builds of the same definition")
    assert [line for line in told if "recall@2000t" in line and "0.023" in line]
    assert len(told) == 5, "nothing is said of builds that are equal and a service that is steady"


def test_unequal_builds_and_an_unsteady_service_are_said() -> None:
    probe = "handbook-1-noise-b answered 2 of 5 queries otherwise when asked again"
    told = render_noise(replace(QUIET, chunks=(1204, 1203), steady=False, probe=probe), Style(color=False))
    assert "the builds differ: 1,204 and 1,203 chunks" in told
    assert probe in told
