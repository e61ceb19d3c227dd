"""The repository's own sample: three edits with known outcomes, and a rollback that holds."""

from __future__ import annotations

from projects import Project


def test_improves_is_promoted_and_rolled_back_and_held(sample: Project) -> None:
    first = sample.data("ship", "handbook")
    assert (first["verdict"], first["promoted"]) == ("pass", True)
    sample.patch("improves")
    second = sample.data("ship", "handbook")
    assert (second["verdict"], second["promoted"]) == ("pass", True)
    for name in ("recall@2000t", "mrr@10", "recall@5", "ndcg@10"):
        assert second["metrics"][name]["difference"] > 0.01, name
    assert sample.data("status")["indexes"]["handbook"]["live"] == second["candidate"]
    sample.data("rollback", "handbook", "--reason", "shown by a test")
    assert sample.data("status")["indexes"]["handbook"]["live"] == first["candidate"]
    assert sample.run("ship", "handbook").returncode == 3
    assert sample.data("status")["indexes"]["handbook"]["live"] == first["candidate"]


def test_neutral_is_promoted_and_loses_is_not(sample: Project) -> None:
    sample.data("ship", "handbook")
    sample.patch("neutral")
    neutral = sample.data("ship", "handbook")
    assert (neutral["verdict"], neutral["promoted"]) == ("pass", True)
    assert abs(neutral["metrics"]["recall@2000t"]["difference"]) < 0.01
    sample.replace("skillsets/handbook.yaml", "pageOverlapLength: 490", "pageOverlapLength: 500")
    sample.patch("loses")
    lost = sample.data("ship", "handbook", code=3)
    assert (lost["verdict"], lost["promoted"]) == ("fail", False)
    assert lost["metrics"]["mrr@10"]["difference"] < -0.1
    assert any(query["state"] == "lost" and query["cause"] for query in lost["evaluation"]["changed"])
    assert sample.data("status")["indexes"]["handbook"]["live"] == neutral["candidate"]
