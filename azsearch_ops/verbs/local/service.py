"""Start, stop and empty the local service; it is a process of its own and is reached over HTTP only."""

from __future__ import annotations

import fcntl
import importlib.util
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
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Final

from azsearch_ops.errors import UnreachableError, UsageError
from azsearch_ops.verbs.local.finding import DIRECT, LocalService, find_local, is_alive, is_held, told_local

DATA: Final = Path(".azsearch") / "local"  # Below the project
START_SECONDS: Final = 60.0
STOP_SECONDS: Final = 15.0


def start_local(
    data: Path,
    *,
    port: int = 0,
    key: str | None = None,
    containers: Path | None = None,
    semantic_ranker: str | None = None,
) -> LocalService:
    """Start the service in the background, or find the one that runs on this data folder already.

    One that another version of this tool started is started again, on the same port and with the same key, for a client
    of one version and a service of another were never tried together; what it keeps stays.

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
            return running if running.version == version("azsearch-ops") else _renewed(running)
        if is_held(data):
            raise _silent(data)
        (data / "service.json").unlink(missing_ok=True)
        return _spawn(data, port, key or _kept_key(data), containers, semantic_ranker)


def _renewed(running: LocalService) -> LocalService:
    data, port = Path(running.data), int(running.endpoint.rpartition(":")[2])
    _end(running)
    containers = Path(running.containers) if running.containers else None
    return _spawn(data, port, running.key, containers, running.semantic_ranker)


def _silent(data: Path) -> UnreachableError:
    return UnreachableError(
        f"a local service has {data} locked and does not answer",
        hint=f"see {data / 'service.log'}; if it stays so, end its process: python -m azsearch_ops.local --data {data}",
    )


def stop_local(data: Path) -> LocalService | None:
    """End the service that runs on a data folder; what was running, or None when nothing was.

    UnreachableError where its process stays in spite of everything.
    """
    running = find_local(data)
    if running is None and is_held(data):
        raise _silent(data)
    if running is not None:
        _end(running)
    return running


def _end(running: LocalService) -> None:
    for ending in (signal.SIGTERM, signal.SIGKILL):  # Its state survives either: every write is a transaction
        os.kill(running.pid, ending)
        give_up = time.monotonic() + STOP_SECONDS
        while time.monotonic() < give_up:
            if not is_alive(running.pid):
                return
            time.sleep(0.02)
    log = Path(running.data) / "service.log"
    raise UnreachableError(f"the local service (pid {running.pid}) does not end", hint=f"see {log}")


def reset_local(data: Path) -> LocalService | None:
    """Empty the service that runs on a data folder; None where none runs, and what one left there is deleted.

    UsageError where there is neither.
    """
    running = find_local(data)
    if running is None:
        if is_held(data):
            raise _silent(data)
        _delete_kept(data)
        return None
    request = urllib.request.Request(
        f"{running.endpoint}/__local/reset", data=b"", headers={"api-key": running.key}, method="POST"
    )
    with DIRECT.open(request, timeout=60):
        return running


def _delete_kept(data: Path) -> None:
    if not (data / "store.sqlite").exists():
        raise UsageError("no local service runs on this data, and none has left any", hint="azsearch-ops local start")
    with _one_at_a_time(data / "start.lock"):
        for kept in data.glob("*.sqlite*"):
            kept.unlink()


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
            raise _refused(errors, child.returncode)
        running = told_local(data)
        if running is not None and running.pid == child.pid:
            child.returncode = 0  # It outlives this process on purpose, which Popen would warn about
            return replace(running, started=True)
        time.sleep(0.02)
    child.kill()
    raise UnreachableError(f"the local service did not answer within {START_SECONDS:.0f} s", hint=f"see {errors}")


def _refused(errors: Path, code: int) -> UsageError:
    """Why the process ended, in its own words: `error: …` and `hint: …`, or a traceback."""
    said = errors.read_text("utf-8", "replace").strip().splitlines()
    hints = [line.removeprefix("hint: ") for line in said if line.startswith("hint: ")]
    reasons = [line for line in said if not line.startswith("hint: ")] or [f"exit code {code}"]
    return UsageError(
        f"the local service did not start: {reasons[-1].removeprefix('error: ')}",
        hint=hints[-1] if hints else f"see {errors}",
    )


def _kept_key(data: Path) -> str:
    """One key for the life of the data folder, so that other terminals keep working across a restart."""
    path = data / "key"
    key = path.read_text("utf-8").strip() if path.exists() else ""
    if not key:  # Not there, or emptied by a full disk
        path.touch(mode=0o600)
        key = secrets.token_hex(16)
        path.write_text(key, "utf-8")
    return key


@contextmanager
def _one_at_a_time(path: Path) -> Iterator[None]:
    with path.open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(lock, fcntl.LOCK_UN)
