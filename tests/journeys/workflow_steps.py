"""Run the `run:` steps of a workflow as a runner does: jobs by their needs, files and variables, conditions.

Every job begins in a clone of its own, with nothing from the jobs before it but their outputs and artifacts.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml


class Values(dict[str, Any]):
    """A context of expressions: what is not there is null, names are compared without case."""

    def __getattr__(self, name: str) -> Any:
        found = self.get(name, self.get(name.replace("_", "-")))
        return Values(found or {}) if isinstance(found, dict) or found is None else found


@dataclass
class Job:
    """What became of a job."""

    name: str
    result: str = "skipped"
    outputs: dict[str, str] = field(default_factory=dict)
    exit_codes: list[int] = field(default_factory=list)
    summary: str = ""
    said: str = ""
    folder: Path = Path()


@dataclass
class Run:
    """A run of a workflow for a repository. `said` collects every byte that any step printed or wrote for GitHub.

    `before` is called with the name of each job before its first step; `keys` are those of the local services that the
    jobs started.
    """

    folder: Path
    environ: dict[str, str]
    event_name: str
    event: dict[str, Any]
    variables: dict[str, str] = field(default_factory=dict)
    token: str = "github-token-of-this-job"
    repository: str = "acme/search"
    jobs: dict[str, Job] = field(default_factory=dict)
    before: Callable[[str], None] = field(default=lambda name: None)
    keys: list[str] = field(default_factory=list)

    @property
    def artifacts(self) -> Path:
        """Where what jobs upload is kept, by name; whoever may read the repository may read it."""
        return self.folder.parent / f"artifacts-{id(self)}"

    @property
    def said(self) -> str:
        """Everything."""
        return "\n".join(job.said + job.summary + json.dumps(job.outputs) for job in self.jobs.values())

    def workflow(self, name: str, inputs: Mapping[str, Any] | None = None, prefix: str = "") -> None:
        """Carry out every job of `.github/workflows/NAME.yml`; of a run that was made already, the jobs that failed."""
        text = (self.folder / f".github/workflows/{name}.yml").read_text("utf-8")
        jobs: dict[str, Any] = yaml.safe_load(text)["jobs"]
        for job_name, job in jobs.items():
            if self.jobs.get(prefix + job_name, Job("")).result == "success":
                continue
            needs = [job["needs"]] if isinstance(job.get("needs"), str) else list(job.get("needs", ()))
            before = {n: self.jobs[prefix + n] for n in needs}
            context = self._context(inputs or {}, before)
            condition = str(job.get("if", "true"))
            fine = all(b.result == "success" for b in before.values())
            wanted = _true(condition, context) and (fine or "cancelled()" in condition or "always()" in condition)
            self.jobs[prefix + job_name] = Job(prefix + job_name)
            if not wanted:
                continue
            if "uses" in job:
                self._call(job, context, prefix + job_name)
            else:
                self._steps(job, context, self.jobs[prefix + job_name])

    def _call(self, job: dict[str, Any], context: dict[str, Any], name: str) -> None:
        matrix = {k: _filled(v, context) for k, v in job.get("strategy", {}).get("matrix", {}).items()}
        for value in next(iter(matrix.values()), [None]):
            inner = {**context, "matrix": Values({next(iter(matrix), ""): value})}
            inputs = {k: _filled(v, inner) for k, v in job.get("with", {}).items()}
            self.workflow(Path(job["uses"]).stem, inputs, f"{name}/{value}/")
        parts = [j for n, j in self.jobs.items() if n.startswith(f"{name}/")]
        self.jobs[name].result = "success" if all(j.result == "success" for j in parts) else "failure"

    def _steps(self, job: dict[str, Any], context: dict[str, Any], done: Job) -> None:
        self.before(done.name)
        done.result = "success"
        done.folder = self._checked_out(job, done.name)
        steps = Values()
        files = self.folder.parent / "runner"
        files.mkdir(exist_ok=True)
        event, summary, output = (files / n for n in ("event.json", "summary.md", "output.txt"))
        event.write_text(json.dumps(self.event), "utf-8")
        for step in job["steps"]:
            fine = done.result == "success"
            if not _true(str(step.get("if", str(fine).lower())), {**context, "steps": steps}):
                continue
            if "run" not in step:
                self._artifact(step, context, done)
                continue
            summary.write_text("", "utf-8")
            output.write_text("", "utf-8")
            own = {k: str(_filled(v, {**context, "steps": steps})) for k, v in step.get("env", {}).items()}
            ran = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                cwd=done.folder,
                env={**self.environ, **self._variables(event, summary, output, job), **own},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=300,
                check=False,
            )
            assert "${{" not in step["run"], "no expression may stand in a script"
            done.exit_codes.append(ran.returncode)
            done.said += ran.stdout + ran.stderr + output.read_text("utf-8")
            done.summary += summary.read_text("utf-8")
            outputs = _outputs(output.read_text("utf-8"))
            if "id" in step:
                steps[step["id"]] = {"outputs": outputs}
            done.outputs |= outputs
            if ran.returncode:
                done.result = "failure"
        done.outputs |= {k: str(_filled(v, {**context, "steps": steps})) for k, v in job.get("outputs", {}).items()}
        service = done.folder / ".azsearch/local/service.json"
        if service.is_file():  # What a job started ends with its runner
            self.keys.append(json.loads(service.read_text("utf-8"))["key"])
            stop = ["azsearch-ops", "local", "stop"]
            subprocess.run(stop, cwd=done.folder, env=self.environ, capture_output=True, check=True)

    def _checked_out(self, job: dict[str, Any], name: str) -> Path:
        """A clone for one job; without its history unless the job asks for that."""
        folder = self.folder.parent / f"job-{id(self)}-{name.replace('/', '-')}"
        shutil.rmtree(folder, ignore_errors=True)  # It was run before
        asked = next((s["with"] for s in job["steps"] if s.get("uses", "").startswith("actions/checkout@")), {})
        depth = [] if asked.get("fetch-depth") == 0 else ["--depth=1"]
        clone = ["git", "clone", "--quiet", *depth, self.folder.as_uri(), str(folder)]
        subprocess.run(clone, check=True, capture_output=True)
        return folder

    def _artifact(self, step: dict[str, Any], context: dict[str, Any], done: Job) -> None:
        """Upload or download as the actions do: paths are kept from the deepest folder that they share."""
        action = step["uses"].partition("@")[0]
        given = {k: _filled(v, context) for k, v in step.get("with", {}).items()}
        if action == "actions/upload-artifact":
            paths = [done.folder / line.strip() for line in given["path"].splitlines() if line.strip()]
            root = paths[0] if len(paths) == 1 else Path(os.path.commonpath(paths))
            for path in paths:
                for file in [path] if path.is_file() else sorted(path.rglob("*")):
                    hidden = any(part.startswith(".") for part in file.relative_to(done.folder).parts)
                    if file.is_file() and (not hidden or given.get("include-hidden-files")):
                        to = self.artifacts / given["name"] / (file.relative_to(root) if root != file else file.name)
                        to.parent.mkdir(parents=True, exist_ok=True)
                        shutil.copyfile(file, to)
        elif action == "actions/download-artifact":
            shutil.copytree(self.artifacts / given["name"], done.folder / given["path"], dirs_exist_ok=True)

    def _variables(self, event: Path, summary: Path, output: Path, job: dict[str, Any]) -> dict[str, str]:
        found = {
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_ACTOR": "someone",
            "GITHUB_EVENT_NAME": self.event_name,
            "GITHUB_EVENT_PATH": str(event),
            "GITHUB_OUTPUT": str(output),
            "GITHUB_REF_NAME": "main",
            "GITHUB_REPOSITORY": self.repository,
            "GITHUB_RUN_ID": "4711",
            "GITHUB_SHA": self._head(),
            "GITHUB_STEP_SUMMARY": str(summary),
        }
        if job.get("permissions", {}).get("id-token") != "write":
            return found
        wanted = ("ACTIONS_ID_TOKEN_REQUEST_URL", "ACTIONS_ID_TOKEN_REQUEST_TOKEN")
        return {**found, **{name: self.variables[name] for name in wanted if name in self.variables}}

    def _head(self) -> str:
        told = subprocess.run(["git", "rev-parse", "HEAD"], cwd=self.folder, check=True, capture_output=True, text=True)
        return told.stdout.strip()

    def _context(self, inputs: Mapping[str, Any], before: Mapping[str, Job]) -> dict[str, Any]:
        return {
            "github": Values(event=self.event, token=self.token, repository=self.repository, workflow="w"),
            "inputs": Values(inputs),
            "vars": Values(self.variables),
            "needs": Values({n: {"outputs": j.outputs, "result": j.result} for n, j in before.items()}),
            "matrix": Values(),
            "steps": Values(),
        }


def _outputs(text: str) -> dict[str, str]:
    return {m[1]: m[3] for m in re.finditer(r"^([\w-]+)<<(\S+)\n(.*?)\n\2$", text, re.DOTALL | re.MULTILINE)}


def _filled(value: Any, context: Mapping[str, Any]) -> Any:
    """A value with its expressions worked out; one that is a single expression keeps its type."""
    if not isinstance(value, str):
        return value
    whole = re.fullmatch(r"\$\{\{(.*?)\}\}", value, re.DOTALL)
    if whole:
        found = _evaluated(whole[1], context)
        return "" if found is None or found == {} else found
    return re.sub(r"\$\{\{(.*?)\}\}", lambda m: str(_evaluated(m[1], context) or ""), value, flags=re.DOTALL)


def _true(condition: str, context: Mapping[str, Any]) -> bool:
    return bool(_evaluated(condition, context))


def _evaluated(expression: str, context: Mapping[str, Any]) -> Any:
    """An expression of GitHub's, as far as these workflows use them, turned into Python."""
    python = re.sub(r"github\.event\.pull_request\.labels\.\*\.name", "labels", expression.strip())
    python = python.replace("&&", " and ").replace("||", " or ")
    python = re.sub(r"!(?!=)", " not ", python)
    python = re.sub(r"(?<=[\w])\.([\w-]+)", lambda m: "." + m[1].replace("-", "_"), python)
    python = re.sub(r"\btrue\b", "True", re.sub(r"\bfalse\b", "False", python))
    pull = context["github"].get("event", {}).get("pull_request", {})
    names: dict[str, Any] = {
        **context,
        "labels": [label["name"] for label in pull.get("labels", ())],
        "contains": lambda where, what: what in where,
        "fromJSON": json.loads,
        "always": lambda: True,
        "cancelled": lambda: False,
    }
    return eval(" ".join(python.split()), {"__builtins__": {}}, names)


def clean_environ(home: Path, bin_folder: Path) -> dict[str, str]:
    """What a runner has beside GitHub's variables."""
    kept = {k: v for k, v in os.environ.items() if k in ("LANG", "LC_ALL", "PYTHONPATH")}
    return {**kept, "HOME": str(home), "PATH": f"{bin_folder}:{os.environ['PATH']}", "NO_COLOR": "1"}
