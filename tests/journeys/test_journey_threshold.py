"""A threshold calibrated on the sample, verified against the service, and why it is none for hybrid."""

from __future__ import annotations

from projects import Project


def test_a_threshold_is_read_off_this_query_set_and_holds_when_asked_again(sample: Project) -> None:
    sample.data("ship", "handbook")
    data = sample.data("threshold", "handbook")
    chosen = data["chosen"]
    assert (data["goal"], data["wanted"], data["model"], data["release"]) == ("recall", 0.95, "wordllama", 1)
    assert data["answers_found"] <= data["answers_judged"]
    assert chosen["low"] <= chosen["value"] <= chosen["high"]
    assert chosen["recall"] >= 0.95
    assert data["verified"] == {"recall": chosen["recall"], "precision": chosen["precision"], "refused": ""}
    relevant, irrelevant = (sum(b[side] for b in data["bins"]) for side in ("relevant", "irrelevant"))
    assert relevant >= data["answers_found"]
    assert irrelevant > relevant
    assert data["hybrid"]["below"] > 0

    higher = sample.data("threshold", "handbook", "--recall", "0.6")["chosen"]
    assert higher["value"] > chosen["value"]
    assert higher["precision"] > chosen["precision"]

    text = sample.run("threshold", "handbook", "--precision", "0.9").stdout
    assert "no threshold reaches precision 0.9" in text or "verified by asking again" in text

    told = sample.run("threshold", "handbook").stdout
    assert f"{chosen['value']:.4f}   95 % interval {chosen['low']:.4f} … {chosen['high']:.4f}" in told
    assert "does not limit what the released request returns: hybrid scores are sums of" in told
    assert "for wordllama on these documents alone" in told


def test_one_goal_at_a_time_and_vectors_are_needed(small: Project) -> None:
    small.data("ship", "handbook")
    both = small.run("threshold", "handbook", "--recall", "0.9", "--precision", "0.9")
    assert (both.returncode, "one goal at a time" in both.stderr) == (1, True)
    assert small.data("threshold", "handbook", "--recall", "1")["chosen"]["recall"] == 1.0


def test_a_judgement_that_lost_its_words_is_no_measure(small: Project) -> None:
    small.data("ship", "handbook")
    small.replace("indexes/handbook/queries.yaml", "within 30 days of the trip", "within 90 nights of the fair")
    for asked in (("threshold", "handbook"), ("evaluate", "handbook", "--modes")):
        lost = small.run(*asked)
        assert lost.returncode == 1 and "indexes/handbook/queries.yaml:" in lost.stderr, asked
