"""Wrong usage is exit code 1 with a line that says so, never a traceback; help and version are 0."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = Path(sys.executable).parent / "azsearch-ops"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--version"], 0, "."),
        ([], 0, "Exit codes"),
        (["local"], 0, "Usage"),
        (["ship", "--nonsense"], 1, "No such option"),
        (["nonsense"], 1, "No such command"),
        (["rollback"], 1, "NAME"),
    ],
    ids=["version", "help", "group", "option", "command", "argument"],
)
def test_usage(arguments: list[str], code: int, said: str) -> None:
    done = subprocess.run([str(COMMAND), *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
