"""What a change asks less than before is told, whatever part of the yardstick it is in."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from pydantic import TypeAdapter

from azsearch_ops.definitions.gate import GateBlock
from azsearch_ops.definitions.queries import load_queries
from azsearch_ops.verbs.evaluating.yardstick import Yardstick
from azsearch_ops.verbs.evaluating.yardstick_moves import softened

GATE: dict[str, Any] = {
    "recall@5": {"floor": 0.5, "max_drop": 0.1, "margin": 0.05},
    "slices": {"it": {"recall@5": {"max_drop": 0.1, "floor": 0.4}}},
    "lost_queries": 2,
    "growth": {"chunks": 0.5},
    "max_age": "2d",
}
QUESTIONS: tuple[dict[str, Any], ...] = ({"id": "q1"}, {"id": "q2"}, {"id": "q3", "draft": True})


def yardstick(folder: Path, gate: Mapping[str, Any], questions: Sequence[Mapping[str, Any]]) -> Yardstick:
    rows = [{"query": f"What is {q['id']}?", "relevant": [{"document": "a.md"}], **q} for q in questions]
    (folder / "q.jsonl").write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    block = TypeAdapter(GateBlock).validate_json(json.dumps(gate))
    index = SimpleNamespace(gate=block.metrics(), gate_rules=block.rules())
    return Yardstick(cast(Any, index), load_queries(folder / "q.jsonl", folder))


def told(folder: Path, gate: Mapping[str, Any], questions: Sequence[Mapping[str, Any]] = QUESTIONS) -> tuple[str, ...]:
    return softened(yardstick(folder, gate, questions), yardstick(folder, GATE, QUESTIONS))


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"recall@5": {"max_drop": 0.1}}, "lowers the floor of recall@5 from 0.5 to nothing"),
        ({"recall@5": {"floor": 0.5, "max_drop": 0.2}}, "widens the largest drop of recall@5 from 0.1 to 0.2"),
        ({"slices": {}}, "no longer holds recall@5 on the tag it"),
        (
            {"slices": {"it": {"recall@5": {"max_drop": 0.1, "floor": 0.3}}}},
            "lowers the floor of recall@5 on the tag it from 0.4 to 0.3",
        ),
        (
            {"slices": {"it": {"recall@5": {"floor": 0.4}}}},
            "widens the largest drop of recall@5 on the tag it from 0.1 to nothing",
        ),
        ({"lost_queries": 9}, "allows 9 lost queries instead of 2"),
        ({"lost_queries": None}, "allows any number of lost queries instead of 2"),
        ({"growth": {"chunks": 1}}, "widens the growth of chunks from 0.5 to 1"),
        ({"growth": {}}, "widens the growth of chunks from 0.5 to nothing"),
        ({"max_age": "3d"}, "lets an evaluation count for longer"),
        ({"max_age": None}, "lets an evaluation count for longer"),
    ],
)
def test_a_limit_that_asks_less_is_told(tmp_path: Path, changed: dict[str, Any], words: str) -> None:
    assert told(tmp_path, {**GATE, **changed}) == (words,)


def test_what_asks_as_much_or_more_is_not(tmp_path: Path) -> None:
    stricter = {
        "recall@5": {"floor": 0.6, "max_drop": 0.05, "margin": 0.04},
        "slices": {"it": {"recall@5": {"max_drop": 0.05, "floor": 0.5}}, "de": {"recall@5": {"floor": 0.1}}},
        "lost_queries": 0,
        "growth": {"chunks": 0.1, "p95": 0.5},
        "max_age": "12h",
    }
    assert told(tmp_path, GATE) == told(tmp_path, stricter) == ()
    assert told(tmp_path, GATE, [*QUESTIONS, {"id": "q4"}]) == ()


def test_an_age_where_none_was_said_may_be_longer_than_a_protected_environment_has(tmp_path: Path) -> None:
    before = yardstick(tmp_path, {**GATE, "max_age": None}, QUESTIONS)
    assert softened(yardstick(tmp_path, {**GATE, "max_age": "2d"}, QUESTIONS), before)
    assert not softened(yardstick(tmp_path, {**GATE, "max_age": "24h"}, QUESTIONS), before)


def test_a_question_that_counts_no_more_is_named_and_one_that_never_did_is_not(tmp_path: Path) -> None:
    assert told(tmp_path, GATE, [{"id": "q1", "draft": True}, {"id": "q2"}]) == ("no longer counts query q1",)
    assert told(tmp_path, GATE, [{"id": "q2"}, {"id": "q3"}]) == ("deletes query q1",)
