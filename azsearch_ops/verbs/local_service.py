"""Start, find and stop the local service; it is a process of its own and is reached over HTTP only."""

from __future__ import annotations

import fcntl
import http.client
import importlib.util
import json
import os
import secrets
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from azsearch_ops.errors import UnreachableError, UsageError

DATA: Final = Path(".azsearch") / "local"  # Below the project
STAND_IN: Final = "stand-in"
START_SECONDS: Final = 60.0
STOP_SECONDS: Final = 15.0
_LARGEST_PID: Final = 2**31 - 1
_DIRECT: Final = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # A proxy cannot reach this loopback


@dataclass(frozen=True, slots=True)
class LocalService:
    """A running local service. `started` tells whether this call started it.

    `semantic_ranker` is what answers semantic queries: `stand-in`, or None where they are refused.
    """

    endpoint: str
    key: str
    pid: int
    data: str
    started: bool
    semantic_ranker: str | None = None


def find_local(data: Path) -> LocalService | None:
    """The service that runs on a data folder, or None."""
    try:
        written = json.loads((data / "service.json").read_text("utf-8"))
        ranker = written.get("semanticRanker")
        found = LocalService(
            str(written["endpoint"]), str(written["key"]), int(written["pid"]), str(data), False, ranker
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None  # Not there, or not what the service writes
    ours = found.endpoint.startswith("http://127.0.0.1:") and 0 < found.pid <= _LARGEST_PID
    return found if ours and is_alive(found.pid) and _answering(found.endpoint) == found.pid else None


def start_local(
    data: Path,
    *,
    port: int = 0,
    key: str | None = None,
    containers: Path | None = None,
    semantic_ranker: str | None = None,
) -> LocalService:
    """Start the service in the background, or find the one that runs on this data folder already.

    UsageError when the port is taken, the service that runs lacks the `semantic_ranker` that is wanted, or the extra is
    not installed; UnreachableError when it does not come up.
    """
    if importlib.util.find_spec("starlette") is None or importlib.util.find_spec("uvicorn") is None:
        raise UsageError("the local service is not installed", hint="pip install 'azsearch-ops[local]'")
    data.mkdir(parents=True, exist_ok=True)
    with _one_at_a_time(data / "start.lock"):
        running = find_local(data)
        if running is not None:
            if port and not running.endpoint.endswith(f":{port}"):
                raise UsageError(
                    f"a local service runs on this data already, at {running.endpoint}",
                    hint="azsearch-ops local stop",
                )
            if semantic_ranker is not None and running.semantic_ranker != semantic_ranker:
                raise UsageError(
                    "the local service that runs on this data has no stand-in semantic ranker",
                    hint="azsearch-ops local stop, and run the command again",
                )
            return running
        (data / "service.json").unlink(missing_ok=True)
        return _spawn(data, port, key or _kept_key(data), containers, semantic_ranker)


def stop_local(data: Path) -> LocalService | None:
    """End the service that runs on a data folder; what was running, or None when nothing was.

    UnreachableError where its process stays in spite of everything.
    """
    running = find_local(data)
    if running is None:
        return None
    for ending in (signal.SIGTERM, signal.SIGKILL):  # Its state survives either: every write is a transaction
        os.kill(running.pid, ending)
        give_up = time.monotonic() + STOP_SECONDS
        while time.monotonic() < give_up:
            if not is_alive(running.pid):
                return running
            time.sleep(0.02)
    raise UnreachableError(f"the local service (pid {running.pid}) does not end", hint=f"see {data / 'service.log'}")


def reset_local(data: Path) -> LocalService:
    """Empty the service that runs on a data folder."""
    running = find_local(data)
    if running is None:
        raise UsageError("no local service runs on this data", hint="azsearch-ops local start")
    request = urllib.request.Request(
        f"{running.endpoint}/__local/reset", data=b"", headers={"api-key": running.key}, method="POST"
    )
    with _DIRECT.open(request, timeout=60):
        return running


def is_alive(pid: int) -> bool:
    """Whether a process is there and not merely waiting to be collected by its parent."""
    try:
        if os.waitpid(pid, os.WNOHANG)[0] == pid:
            return False
    except ChildProcessError:
        pass  # Not a child of this process
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _spawn(data: Path, port: int, key: str, containers: Path | None, semantic_ranker: str | None) -> LocalService:
    command = [sys.executable, "-m", "azsearch_ops.local", "--data", str(data), "--port", str(port), "--key", key]
    command += ["--containers", str(containers)] if containers else []
    command += ["--semantic-ranker", semantic_ranker] if semantic_ranker else []
    errors = data / "start.log"
    with errors.open("wb") as log:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            # A heap for each of its threads would double what it holds on to
            env={"MALLOC_ARENA_MAX": "2", **os.environ},
        )
    give_up = time.monotonic() + START_SECONDS
    while time.monotonic() < give_up:
        if child.poll() is not None:
            said = errors.read_text("utf-8", "replace").strip().splitlines()
            raise UsageError(
                f"the local service did not start: {said[-1] if said else f'exit code {child.returncode}'}",
                hint=f"see {errors}" if len(said) > 1 else "choose another --port, or none to take any free one",
            )
        running = find_local(data)
        if running is not None and running.pid == child.pid:
            child.returncode = 0  # It outlives this process on purpose, which Popen would warn about
            return replace(running, started=True)
        time.sleep(0.02)
    child.kill()
    raise UnreachableError(f"the local service did not answer within {START_SECONDS:.0f} s", hint=f"see {errors}")


def _kept_key(data: Path) -> str:
    """One key for the life of the data folder, so that other terminals keep working across a restart."""
    path = data / "key"
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_hex(16), "utf-8")
    return path.read_text("utf-8").strip()


def _answering(endpoint: str) -> int | None:
    """The process that answers as a local service, or None: a number of an ended process may be another's by now."""
    try:
        with _DIRECT.open(f"{endpoint}/__local/health", timeout=5) as answer:
            return int(json.load(answer)["pid"])
    except (urllib.error.URLError, OSError, ValueError, KeyError, TypeError, http.client.HTTPException):
        return None  # Nothing there, or something else


@contextmanager
def _one_at_a_time(path: Path) -> Iterator[None]:
    with path.open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(lock, fcntl.LOCK_UN)
