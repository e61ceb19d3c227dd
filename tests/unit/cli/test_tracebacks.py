"""A fault of ours ends in a plain traceback, in which no value stands: frames on the way hold keys and tokens."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SECRET = "a-key-that-nobody-may-read"
BROKEN = """import azsearch_ops.service.client as client


class Broken:
    def __init__(self, endpoint, credential, **options):
        raise RuntimeError("a fault of ours")


client.Service = Broken
"""


def test_a_traceback_shows_no_value_of_any_variable(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(BROKEN, "utf-8")
    (tmp_path / "q.yaml").write_text("queries: [{query: a, relevant: [{document: b}]}]\n", "utf-8")
    executable = Path(sys.executable).parent / "azsearch-ops"
    environ = {**os.environ, "PYTHONPATH": str(tmp_path), "AZSEARCH_KEY": SECRET, "GITHUB_TOKEN": SECRET}
    asked = ["evaluate", "--index", "x", "--queries", "q.yaml", "--endpoint", "https://name.search.windows.net"]
    done = subprocess.run(
        [str(executable), *asked], cwd=tmp_path, env=environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "RuntimeError: a fault of ours" in done.stderr and "in connect" in done.stderr
    assert SECRET not in done.stdout + done.stderr
