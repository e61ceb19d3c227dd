"""Projects that the journeys ship, and the command that ships them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[2]
COMMAND = Path(sys.executable).parent / "azsearch-ops"
KEY_VARIABLE = "JOURNEY_SEARCH_KEY"


@dataclass(frozen=True)
class Project:
    """A project in a folder of its own; `run` carries out a command there."""

    root: Path
    environ: dict[str, str]

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """A command that runs in the background, its output kept."""
        return subprocess.Popen(
            [str(COMMAND), *arguments, "--project", str(self.root)],
            env=self.environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """A command carried out to its end."""
        process = self.start(*arguments)
        out, err = process.communicate(timeout=300)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def data(self, *arguments: str, code: int = 0) -> Any:
        """The `data` of a command's JSON document; its exit code must be `code`."""
        done = self.run(*arguments, "--output", "json")
        assert done.returncode == code, f"exit {done.returncode}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        document = json.loads(done.stdout)
        assert document["exit_code"] == code
        return document["data"]

    def replace(self, file: str, old: str, new: str) -> None:
        """Edit a file; the old text must be there."""
        path = self.root / file
        text = path.read_text("utf-8")
        assert old in text, f"{old!r} is not in {file}"
        path.write_text(text.replace(old, new), "utf-8")

    def patch(self, name: str, *, back: bool = False) -> None:
        """Apply one of tests/journeys/edits, or take it back."""
        edit = REPOSITORY / "tests" / "journeys" / "edits" / f"{name}.patch"
        subprocess.run(["git", "apply", *(["--reverse"] if back else []), str(edit)], cwd=self.root, check=True)


def environ_for(home: Path) -> dict[str, str]:
    """An environment in which nothing of this machine's settings matters."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("AZSEARCH_", "GITHUB_", "AZURE_"))}
    return {**kept, "HOME": str(home), "NO_COLOR": "1", "GIT_CEILING_DIRECTORIES": str(home.parent)}


def sample_project(folder: Path) -> Project:
    """A copy of this repository's own sample."""
    for part in ("indexes", "skillsets", "infra/environments", "infra/local"):
        shutil.copytree(REPOSITORY / part, folder / "project" / part)
    (folder / "home").mkdir()
    return Project(folder / "project", environ_for(folder / "home"))


SMALL_DOCUMENTS = {
    "leave.md": "# Leave\n\nEmployees have 26 days of annual leave. Unused days lapse at the end of March.\n",
    "travel.md": "# Travel\n\nMileage is paid at 0.42 euro per kilometre. Claims are due within 30 days of the trip.\n",
    "parts.txt": "Spare part KX-204 is the seal of the pressure sensor. Order it from the Graz warehouse.\n",
    "visitors.html": "<html><head><title>Visitors</title></head><body><h1>Visitors</h1>"
    "<p>Visitors sign in at the north gate and wear an orange badge.</p></body></html>\n",
}
SMALL_QUERIES = """queries:
  - id: q1
    query: How many days of leave do employees have?
    tags: [lookup]
    relevant: [{document: leave.md, excerpt: "Employees have 26 days of annual leave."}]
  - id: q2
    query: When are travel claims due?
    tags: [lookup]
    relevant: [{document: travel.md, excerpt: "Claims are due within 30 days of the trip."}]
  - id: q3
    query: What is part KX-204?
    tags: [code]
    relevant: [{document: parts.txt, excerpt: "Spare part KX-204 is the seal of the pressure sensor."}]
  - id: q4
    query: What do visitors wear?
    tags: [lookup]
    relevant: [{document: visitors.html}]
"""


def project_at(folder: Path, endpoint: str, key: str, settings: str = "aliasPropagationSeconds: 0") -> Project:
    """The small project on a service at an address, as one in the cloud is reached; its environment has `settings`."""
    project = small_project(folder, endpoint=endpoint, key_variable=KEY_VARIABLE)
    project.replace("infra/environments/local.yaml", "connections:", f"{settings}\nconnections:")
    project.environ[KEY_VARIABLE] = key
    return project


def small_project(folder: Path, endpoint: str = "local", key_variable: str | None = None) -> Project:
    """Four documents and four queries under the sample's definitions."""
    root = folder / "project"
    for part in ("indexes", "skillsets", "infra/environments"):
        shutil.copytree(REPOSITORY / part, root / part)
    container = root / "infra/local/containers/handbook"
    container.mkdir(parents=True)
    for name, text in SMALL_DOCUMENTS.items():
        (container / name).write_text(text, "utf-8")
    (root / "indexes/handbook/queries.yaml").write_text(SMALL_QUERIES, "utf-8")
    (folder / "home").mkdir(exist_ok=True)
    project = Project(root, environ_for(folder / "home"))
    if endpoint != "local":
        key = f"\nkey: \"{{{{ secret('{key_variable}') }}}}\"" if key_variable else ""
        project.replace("infra/environments/local.yaml", "endpoint: local ", f"endpoint: {endpoint}{key}\n#")
    return project
