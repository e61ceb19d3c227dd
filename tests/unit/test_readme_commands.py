"""The README's commands are those that CI runs, and what it names exists."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
COMMANDS = sorted(set(re.findall(r"`azsearch-ops ((?:local )?[a-z-]+)", README)))


def test_ci_runs_the_test_command_exactly_as_the_readme_gives_it() -> None:
    blocks = re.findall(r"```bash\n(.+?)\n```", README)
    tests = [block for block in blocks if block.endswith("pytest")]
    assert len(tests) == 1
    assert (ROOT / ".ci/run").read_text("utf-8").rstrip().splitlines()[-1] == tests[0]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_that_the_readme_names_has_help(command: str) -> None:
    executable = Path(sys.executable).parent / "azsearch-ops"
    done = subprocess.run([str(executable), *command.split(), "--help"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Usage" in done.stdout
