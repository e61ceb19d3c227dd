"""Wrong usage is exit code 1 with a line that says so, never a traceback; help and version are 0."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import azsearch_ops

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


@pytest.mark.parametrize("output", [["--output", "json"], ["--output=json"]])
def test_wrong_usage_is_an_envelope_too_where_json_is_asked_for(output: list[str]) -> None:
    done = subprocess.run([str(COMMAND), "history", *output], capture_output=True, text=True, check=False)
    envelope = json.loads(done.stdout)
    assert (done.returncode, envelope["exit_code"], envelope["status"]) == (1, 1, "usage")
    assert envelope["command"] == "history"
    assert "NAME" in envelope["problems"][0]["message"]


def test_an_interrupt_while_modules_are_imported_is_exit_code_130(tmp_path: Path) -> None:
    # The pause is where every Python looks for signals; from 3.12 on one could go unseen to the end of the module
    # A job in a shell's background inherits that it ignores Ctrl-C
    heed = "signal.signal(signal.SIGINT, signal.default_int_handler)"
    interrupts = f"import os, signal, time\n{heed}\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(10)\n"
    (tmp_path / "typer.py").write_text(interrupts, "utf-8")
    program = "from azsearch_ops.cli.main import main; main()"
    place = str(Path(azsearch_ops.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", program, "status"],
        env={"PYTHONPATH": f"{tmp_path}:{place}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 130
    assert done.stderr.startswith("interrupted")
