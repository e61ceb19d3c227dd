"""The definitions of the sample load without a problem and hold what later edits start from."""

from azsearch_ops.definitions.project import Project
from azsearch_ops.rules.check import check_project


def test_the_sample_has_no_problems(sample: Project) -> None:
    assert check_project(sample) == ()


def test_it_starts_with_pages_of_2000_characters_that_overlap_by_500(sample: Project) -> None:
    assert sample.skillsets["handbook"].chunking == {
        "textSplitMode": "pages",
        "maximumPageLength": 2000,
        "pageOverlapLength": 500,
        "defaultLanguageCode": "en",
    }


def test_every_field_of_the_projection_is_in_the_index(sample: Project) -> None:
    definition = sample.indexes["handbook"]
    fields = {field["name"]: field for field in definition.index["fields"]}
    assert set(definition.projection) == set(fields) - {"chunk_id"}
    assert fields["chunk_id"]["key"]
    assert fields["text_vector"]["dimensions"] == sample.skillsets["handbook"].embedding["dimensions"] == 256


def test_the_gate_rests_on_recall_at_a_reader_budget_and_on_mrr(sample: Project) -> None:
    definition = sample.indexes["handbook"]
    assert set(definition.gate) == {"recall@2000t", "mrr@10"}
    assert set(definition.gate) <= set(definition.evaluation.metrics)
    assert (definition.retrieval.mode, definition.retrieval.top, definition.retrieval.k) == ("hybrid", 5, 50)
