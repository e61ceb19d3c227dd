"""Every command of the README, carried out on the sample."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

from projects import COMMAND as EXECUTABLE
from projects import REPOSITORY, Project

README = (REPOSITORY / "README.md").read_text("utf-8")
COMMAND = re.compile(r"(?:`|^\$ |^)azsearch-ops ([a-z][^`\n]*)", re.MULTILINE)
STANDS_FOR = {"TEXT": "'said by a test'", "REF": "HEAD", "REASON": "'said by a test'", "RUN": "", "CODE": "AZS101"}
NOT_COMMANDS = ("keeps ",)  # The sentence that begins with the tool's name
# What a command needs that this machine has not, and what it then says
NEEDS = {
    "doctor --env prod": "prod",
    "env from-outputs outputs.json": "outputs.json",
    "queries convert IN OUT": "IN",
}


def _commands() -> list[str]:
    found = (c.strip() for c in COMMAND.findall(README))
    kept = dict.fromkeys(c for c in found if not c.startswith(NOT_COMMANDS))
    return sorted(kept, key=lambda c: c.startswith("local "))  # What empties or stops the service comes last


def test_the_readme_names_commands() -> None:
    assert {"ship handbook", "validate", "plan handbook", "rollback handbook --reason TEXT"} <= set(_commands())


def test_every_command_of_the_readme_runs(sample: Project, tmp_path: Path) -> None:
    first = sample.data("ship", "handbook")["candidate"]
    sample.patch("improves")
    second = sample.data("ship", "handbook")["candidate"]
    running = sample.data("local", "status")["running"]
    sample.environ.update(AZSEARCH_ENDPOINT=running["endpoint"], AZSEARCH_KEY=running["key"])
    questions = str(sample.root / "indexes/handbook/queries.yaml")
    stands_for = {**STANDS_FOR, "my-index": first, "my-other-index": second, "questions.yaml": questions}
    for command in _commands():
        words = shlex.split(" ".join(stands_for.get(word, word) for word in command.split()))
        if words[0] == "init":  # Makes the project, so it takes none
            made = [str(EXECUTABLE), "init", str(tmp_path / "made"), "--github"]
            done = subprocess.run(made, env=sample.environ, capture_output=True, text=True, check=False)
        else:
            done = sample.run(*words)
        said = done.stdout + done.stderr
        assert "Traceback" not in said, f"{command}\n{said}"
        if command in NEEDS:
            assert done.returncode == 1 and NEEDS[command] in said, f"{command}\n{said}"
        else:
            assert done.returncode in (0, 3), f"{command} ended with {done.returncode}\n{said}"
            assert "No such" not in said, f"{command}\n{said}"
