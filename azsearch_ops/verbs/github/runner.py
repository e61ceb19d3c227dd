"""What a GitHub Actions runner tells a job, and the files that it reads back: outputs and the job summary.

The event's payload is the only place where text of strangers comes in (titles, branch names); it is read as JSON and
never handed to a shell.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from azsearch_ops.errors import UsageError

# A step's summary is dropped whole beyond 1 MiB (docs.github.com/actions, workflow commands).
SUMMARY_BYTES: Final = 1024 * 1024 - 4096


@dataclass(frozen=True, slots=True)
class Runner:
    """A job of GitHub Actions, or another place that sets the same variables. `token` is never shown; in a job it is
    that of a bot."""

    repository: str
    api: str
    server: str
    commit: str
    event: Mapping[str, Any]
    run_id: str
    summary: Path | None
    output: Path | None
    token: str = field(default="", repr=False)
    is_bot: bool = False

    @property
    def pull_request(self) -> int | None:
        """Number of the pull request that the event is about."""
        number = (self.event.get("pull_request") or {}).get("number")
        return number if isinstance(number, int) else None

    @property
    def base_commit(self) -> str | None:
        """The commit that the pull request is to be merged into."""
        sha = ((self.event.get("pull_request") or {}).get("base") or {}).get("sha")
        return sha if isinstance(sha, str) else None

    @property
    def head_commit(self) -> str:
        """The commit that is looked at: the pull request's own, since GITHUB_SHA is a merge that nobody wrote."""
        sha = ((self.event.get("pull_request") or {}).get("head") or {}).get("sha")
        return sha if isinstance(sha, str) else self.commit

    @property
    def run_url(self) -> str:
        """Page of this run, where its artifacts are; empty outside of Actions."""
        return f"{self.server}/{self.repository}/actions/runs/{self.run_id}" if self.run_id else ""


def runner_from(environ: Mapping[str, str]) -> Runner:
    """The runner that `environ` describes; everything may be missing. UsageError for a payload that is no JSON."""
    event: Any = {}
    path = environ.get("GITHUB_EVENT_PATH")
    if path:
        try:
            event = json.loads(Path(path).read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise UsageError(f"GITHUB_EVENT_PATH cannot be read: {error}") from error
    return Runner(
        repository=environ.get("GITHUB_REPOSITORY", ""),
        api=environ.get("GITHUB_API_URL", "https://api.github.com").rstrip("/"),
        server=environ.get("GITHUB_SERVER_URL", "https://github.com").rstrip("/"),
        commit=environ.get("GITHUB_SHA", ""),
        event=event if isinstance(event, dict) else {},
        run_id=environ.get("GITHUB_RUN_ID", ""),
        summary=_path(environ, "GITHUB_STEP_SUMMARY"),
        output=_path(environ, "GITHUB_OUTPUT"),
        token=environ.get("GITHUB_TOKEN", ""),
        is_bot=environ.get("GITHUB_ACTIONS") == "true",
    )


def write_summary(runner: Runner, markdown: str) -> bool:
    """Append to the job summary, as much as it takes; False where there is none."""
    if runner.summary is None:
        return False
    content = markdown.encode()
    if len(content) > SUMMARY_BYTES:
        content = content[:SUMMARY_BYTES].decode(errors="ignore").encode() + b"\n\n(cut: the report is an artifact)\n"
    with runner.summary.open("ab") as file:
        file.write(content + b"\n")
    return True


def write_outputs(runner: Runner, values: Mapping[str, str]) -> bool:
    """Append outputs of the step; False where there is no file for them.

    Each value stands between delimiters that it cannot contain, so that no value can set another output.
    """
    if runner.output is None:
        return False
    with runner.output.open("a", encoding="utf-8") as file:
        for name, value in values.items():
            mark = f"end-{secrets.token_hex(16)}"
            file.write(f"{name}<<{mark}\n{value}\n{mark}\n")
    return True


def _path(environ: Mapping[str, str], name: str) -> Path | None:
    return Path(environ[name]) if environ.get(name) else None
