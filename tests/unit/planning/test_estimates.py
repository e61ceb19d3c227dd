"""Estimates: the splitter's own counts, samples in proportion, sizes by the documented figures, room and budget."""

import pytest

from azsearch_ops.chunking.text_split import TextSplit
from azsearch_ops.planning.chunk_counts import choose, cut, rescaled, scale
from azsearch_ops.planning.estimate import Estimate, Quota, Standstill, Workload, quotas_of, standstill
from azsearch_ops.planning.room import no_room, over_budget
from azsearch_ops.planning.vector_size import vector_bytes, vector_disk_bytes

STATISTICS = {
    "counters": {
        "indexesCount": {"usage": 15, "quota": 15},
        "indexersCount": {"usage": 3, "quota": 15},
        "skillsetCount": {"usage": 3, "quota": 15},
        "dataSourcesCount": {"usage": 1, "quota": 15},
        "aliasesCount": {"usage": 0, "quota": 0},
        "vectorIndexSize": {"usage": 4_000_000_000, "quota": 5_000_000_000},
        "storageSize": {"usage": 10, "quota": None},
    }
}


def index(dimensions, *, kind="hnsw", vector="Collection(Edm.Single)", m=None, compression=None):
    parameters = {"hnswParameters": {"m": m}} if m else {}
    profile = {"name": "p", "algorithm": "a", **({"compression": "c"} if compression else {})}
    return {
        "fields": [{"name": "v", "type": vector, "dimensions": dimensions, "vectorSearchProfile": "p"}],
        "vectorSearch": {
            "algorithms": [{"name": "a", "kind": kind, **parameters}],
            "profiles": [profile],
            "compressions": [{"name": "c", **compression}] if compression else [],
        },
    }


def estimate(**changed):
    values = {
        "workload": Workload("documents", documents=10, chunks=100, tokens=50_000),
        "minutes": 2.5,
        "tokens_per_minute": 20_000.0,
        "cost": 0.001,
        "currency": "USD",
        "vectors": 1_000_000,
        "storage": 2_000_000,
        "live_chunks": 90,
        "live_vectors": 900_000,
        "built": False,
        "standstill": Standstill(0.0, 2, ""),
        "quotas": (),
    }
    return Estimate(**{**values, **changed})


def test_chunks_are_those_of_the_splitter():
    text = "One sentence of a page. " * 100
    counts = cut({"a.md": text, "b.md": "", "c.md": "short"}, TextSplit("pages", 600, 100), lambda _: [])
    assert [len(counts.chunks[name]) for name in ("a.md", "b.md", "c.md")] == [5, 0, 1]
    assert all(len(chunk) <= 600 for chunk in counts.texts())


def test_a_small_corpus_is_read_whole_and_counts_are_exact():
    sample = choose({"a.md": 10, "b.pdf": 20}, documents=5, size=100, seed=1)
    assert sample.whole and scale(sample, {"a.md": 3, "b.pdf": 4}) == 7


def test_a_sample_is_stable_and_scaled_by_kind_of_file():
    sizes = {f"{n:03}.md": 1000 for n in range(300)} | {f"{n:03}.pdf": 50_000 for n in range(30)}
    sample = choose(sizes, documents=66, size=10_000_000, seed=7)
    assert sample == choose(sizes, documents=66, size=10_000_000, seed=7)
    assert not sample.whole and 50 <= len(sample.chosen) <= 80
    counted = {path: 2 if path.endswith("md") else 5 for path in sample.chosen}
    assert scale(sample, counted) == 300 * 2 + 30 * 5  # PDF bytes are not counted as Markdown bytes


@pytest.mark.parametrize(("dimensions", "share"), [(96, 0.20), (200, 0.08), (768, 0.02), (1536, 0.01), (3072, 0.005)])
def test_vectors_take_what_the_documentation_says(dimensions, share):
    """learn.microsoft.com/azure/search/vector-search-index-size, overhead of the graph at m = 4."""
    raw = dimensions * 4 * 1000
    assert vector_bytes(index(dimensions), 1000) == pytest.approx(raw * (1 + share), rel=0.04)


def test_exhaustive_fields_take_no_quota_and_compression_takes_less():
    assert vector_bytes(index(1536, kind="exhaustiveKnn"), 1000) == 0
    assert vector_disk_bytes(index(1536), 1000) == 3 * 1536 * 4 * 1000
    plain = vector_bytes(index(1024), 1000)
    assert vector_bytes(index(1024, compression={"kind": "scalarQuantization"}), 1000) == pytest.approx(plain / 4, 0.06)
    binary = {"kind": "binaryQuantization", "truncationDimension": 512}
    assert vector_bytes(index(1024, compression=binary), 1000) == 1000 * (512 // 8 + 64)
    assert vector_bytes(index(1024, vector="Collection(Edm.Half)"), 1) == 1024 * 2 + 64


def test_live_is_rescaled_by_step_and_overlap():
    assert rescaled(1000, TextSplit("pages", 2000, 500), TextSplit("pages", 1000, 250)) == (2000, 1.0)
    chunks, grown = rescaled(1000, TextSplit("pages", 2000, 0), TextSplit("pages", 2000, 500))
    assert (chunks, round(grown, 3)) == (1333, 1.333)
    assert rescaled(1000, TextSplit("pages", 2000), TextSplit("sentences", 2000)) is None


def test_quotas_say_what_is_full():
    found = quotas_of(STATISTICS, {"indexes": 1, "indexers": 1, "aliases": 1, "vectors": 2_000_000_000, "storage": 9})
    assert {q.name for q in found if q.full} == {"indexes", "aliases", "vectors"}
    messages = [p.message for p in no_room(estimate(quotas=found), ("docs-00000001", "docs-00000002"))]
    assert messages == [
        "no room for one more of indexes: 15 of 15 are used",
        "no room for one more of aliases: 0 of 0 are used",
        "no room for 2,000,000,000 bytes more of vectors: 4,000,000,000 of 5,000,000,000 bytes are used",
    ]
    assert (
        "prune --yes deletes docs-00000001, docs-00000002"
        in no_room(estimate(quotas=(Quota("indexes", 15, 1, 15),)), ("docs-00000001", "docs-00000002"))[0].hint
    )
    assert not no_room(estimate(quotas=(Quota("indexes", 15, 0, 15),)), ())  # What is there already needs no room


def test_a_budget_names_the_number_that_is_over():
    found = over_budget(estimate(), {"tokens": 40_000.0, "chunks": 100.0, "cost": None, "minutes": 2.0})
    assert [(p.severity, p.message) for p in found] == [
        ("error", "tokens 50,000 is over the budget of 40,000"),
        ("error", "minutes 2.50 is over the budget of 2"),
    ]
    unknown = over_budget(estimate(cost=None), {"cost": 5.0})
    assert [p.severity for p in unknown] == ["warning"]


@pytest.mark.parametrize(
    ("units", "scheduled", "local", "minutes"),
    [
        (1, True, False, 30.0),
        (2, True, False, 0.0),
        (None, True, False, 30.0),
        (1, False, False, 0.0),
        (1, True, True, 0),
    ],
)
def test_live_waits_where_one_search_unit_fills_the_candidate(units, scheduled, local, minutes):
    assert standstill(30.0, units, scheduled=scheduled, local=local).minutes == minutes
