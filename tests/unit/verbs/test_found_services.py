"""A `service.json` that no local service wrote finds nothing, and nothing is signalled because of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from azsearch_ops.verbs.local.finding import find_local
from azsearch_ops.verbs.local.service import stop_local


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"endpoint": 5}',
        '{"endpoint": "nowhere", "key": "k", "pid": PID}',
        '{"endpoint": "http://127.0.0.1:x", "key": "k", "pid": PID}',
        '{"endpoint": "http://127.0.0.1:1", "key": "k", "pid": -1}',
        '{"endpoint": "http://127.0.0.1:1", "key": "k", "pid": 1}',
        '{"endpoint": "http://127.0.0.1:1", "key": "k", "pid": 99999999999999999999}',
        '{"endpoint": "http://127.0.0.1:1", "key": "k", "pid": null}',
    ],
)
def test_what_no_service_wrote_finds_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "service.json").write_text(text.replace("PID", str(os.getpid())), "utf-8")
    assert find_local(tmp_path) is None
    assert stop_local(tmp_path) is None


def test_a_folder_in_its_place_finds_none(tmp_path: Path) -> None:
    (tmp_path / "service.json").mkdir()
    assert find_local(tmp_path) is None
