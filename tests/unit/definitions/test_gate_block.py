import json
from datetime import timedelta

import pytest
from pydantic import TypeAdapter, ValidationError

from azsearch_ops.definitions.gate import GateBlock, GateLimits, SliceLimits

BLOCK = TypeAdapter(GateBlock)


def read(block: object) -> GateBlock:
    return BLOCK.validate_json(json.dumps(block))


def test_every_key_that_is_not_a_rule_is_a_metric() -> None:
    block = read(
        {
            "recall@2000t": {"floor": 0.8},
            "mrr@10": None,
            "slices": {"it": {"recall@2000t": {"max_drop": 0.15}}},
            "lost_queries": 3,
            "growth": {"chunks": 0.5, "p95": 1},
            "max_age": "2d",
        }
    )
    assert block.metrics() == {"recall@2000t": GateLimits(floor=0.8), "mrr@10": GateLimits()}
    rules = block.rules()
    assert rules.slices == {"it": {"recall@2000t": SliceLimits(max_drop=0.15)}}
    assert (rules.lost_queries, rules.growth.said(), rules.max_age) == (3, {"chunks": 0.5, "p95": 1}, timedelta(days=2))


def test_a_gate_that_says_nothing_holds_nothing_back() -> None:
    assert read({}).metrics() == {}
    assert GateBlock.empty().rules() == read({}).rules()


@pytest.mark.parametrize(
    ("block", "where", "words"),
    [
        ({"lost_query": 3}, "lost_query", "should be an object"),
        ({"lost_queries": -1}, "lost_queries", "greater than or equal to 0"),
        ({"max_age": "60d"}, "max_age", "at most 30d"),
        ({"slices": {"it": {"mrr@10": {}}}}, "mrr@10", "needs a max_drop or a floor"),
        ({"slices": {"it": {"mrr@10": {"margin": 0.1}}}}, "margin", "nexpected keyword"),
        ({"growth": {"chunk": 1}}, "chunk", "nexpected keyword"),
        ({"mrr@10": {"max_drop": 2}}, "max_drop", "less than or equal to 1"),
    ],
)
def test_what_a_gate_does_not_take_is_told_with_its_place(block: object, where: str, words: str) -> None:
    with pytest.raises(ValidationError) as refused:
        read(block)
    error = refused.value.errors()[0]
    assert error["loc"][-1] == where
    assert words in error["msg"]
