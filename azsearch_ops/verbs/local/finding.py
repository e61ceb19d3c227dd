"""Find the local service that runs on a data folder, by what it wrote there and by whether it answers."""

from __future__ import annotations

import http.client
import json
import os
import sqlite3
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_REAPPEAR_SECONDS: Final = 3.0  # A running service looks every second whether its service.json is still there
_LARGEST_PID: Final = 2**31 - 1
DIRECT: Final = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # A proxy cannot reach this loopback


@dataclass(frozen=True, slots=True)
class LocalService:
    """A running local service. `started` tells whether this call started it.

    `semantic_ranker` is what answers semantic queries: `stand-in`, or None where they are refused. `version` is of the
    tool that it was started with, `containers` its folder of blob containers; both empty where it did not say.
    """

    endpoint: str
    key: str
    pid: int
    data: str
    started: bool
    semantic_ranker: str | None = None
    version: str = ""
    containers: str = ""


def find_local(data: Path) -> LocalService | None:
    """The service that runs on a data folder, or None.

    One whose service.json was deleted says again where it is, which is waited for.
    """
    give_up = time.monotonic() + _REAPPEAR_SECONDS
    while (found := told_local(data)) is None and is_held(data) and time.monotonic() < give_up:
        time.sleep(0.05)
    return found


def told_local(data: Path) -> LocalService | None:
    """The service that service.json tells of, where it answers."""
    try:
        written = json.loads((data / "service.json").read_text("utf-8"))
        found = LocalService(
            endpoint=str(written["endpoint"]),
            key=str(written["key"]),
            pid=int(written["pid"]),
            data=str(data),
            started=False,
            semantic_ranker=written.get("semanticRanker"),
            version=str(written.get("version", "")),
            containers=str(written.get("containers", "")),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None  # Not there, or not what the service writes
    ours = found.endpoint.startswith("http://127.0.0.1:") and 0 < found.pid <= _LARGEST_PID
    return found if ours and is_alive(found.pid) and _answering(found.endpoint) == found.pid else None


def is_held(data: Path) -> bool:
    """Whether a service has the folder locked, told from the lock that ends with its process."""
    if not (data / "service.lock").is_file():
        return False
    connection = sqlite3.connect(data / "service.lock", isolation_level=None, timeout=0)
    try:
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    except sqlite3.OperationalError as error:
        return "locked" in str(error)
    except sqlite3.DatabaseError:
        return False
    finally:
        connection.close()
    return False


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


def _answering(endpoint: str) -> int | None:
    """The process that answers as a local service, or None: a number of an ended process may be another's by now."""
    try:
        with DIRECT.open(f"{endpoint}/__local/health", timeout=5) as answer:
            return int(json.load(answer)["pid"])
    except (urllib.error.URLError, OSError, ValueError, KeyError, TypeError, http.client.HTTPException):
        return None  # Nothing there, or something else
