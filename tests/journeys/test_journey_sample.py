"""The repository's own sample: three edits with known outcomes, and a rollback that holds."""

from __future__ import annotations

from projects import Project


def test_improves_is_promoted_and_rolled_back_and_held(sample: Project) -> None:
    first = sample.data("ship", "handbook")
    assert (first["verdict"], first["promoted"]) == ("pass", True)
    sample.patch("improves")
    second = sample.data("ship", "handbook")
    assert (second["verdict"], second["promoted"]) == ("pass", True)
    differences = {name: metric["difference"] for name, metric in second["metrics"].items()}
    assert min(differences.values()) >= 0.0, differences
    assert differences["mrr@10"] > 0.02
    assert differences["ndcg@10"] > 0.02
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
    assert abs(neutral["metrics"]["mrr@10"]["difference"]) < 0.01
    sample.patch("neutral", back=True)
    sample.patch("loses")
    lost = sample.data("ship", "handbook", code=3)
    assert (lost["verdict"], lost["promoted"]) == ("fail", False)
    assert lost["metrics"]["mrr@10"]["difference"] < -0.1
    assert any(query["state"] == "lost" and query["cause"] for query in lost["evaluation"]["changed"])
    assert sample.data("status")["indexes"]["handbook"]["live"] == neutral["candidate"]
