"""The process: one socket on loopback, one lock on the folder of data, one file that says where the service is."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType

import uvicorn

from azsearch_ops.local.app import Application
from azsearch_ops.local.connections import Connections
from azsearch_ops.local.service import Service, Settings

HOST = "127.0.0.1"
SERVICE_FILE = "service.json"


class StartFault(Exception):
    """The service cannot start; the message is for the person who started it."""


def serve(settings: Settings, port: int) -> None:
    """Runs the service until it is told to end by SIGTERM or SIGINT.

    Raises:
        StartFault: the port is taken, or another service works on the same folder.
    """
    settings.data.mkdir(parents=True, exist_ok=True)
    with _folder_lock(settings.data), _listening(port) as listener, _access_log(settings.data) as log:
        service = Service(settings)
        service.runs.begin()
        try:
            connections = Connections()
            application = Application(service, log, connections.cut)
            config = uvicorn.Config(
                application,
                http=connections.protocol(),
                lifespan="off",
                proxy_headers=False,
                ws="none",
                access_log=False,
                log_level="warning",
                server_header=False,
                timeout_keep_alive=75,
                timeout_graceful_shutdown=5,
            )
            server = _Server(config, settings)
            asyncio.run(server.serve(sockets=[listener]))
        finally:
            _remove_service_file(settings.data)
            service.close()


class _Server(uvicorn.Server):
    """Writes the service file once it accepts connections, and ends with status 0 when it is told to end."""

    def __init__(self, config: uvicorn.Config, settings: Settings) -> None:
        super().__init__(config)
        self._settings = settings

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listens, then says so."""
        await super().startup(sockets)
        assert sockets is not None
        port = sockets[0].getsockname()[1]
        body = {
            "endpoint": f"http://{HOST}:{port}",
            "key": self._settings.key,
            "pid": os.getpid(),
            "started": datetime.now(UTC).isoformat(timespec="seconds"),
            "version": self._settings.version,
            "semanticRanker": "stand-in" if self._settings.stand_in_ranker else None,
        }
        _write_privately(self._settings.data / SERVICE_FILE, json.dumps(body, indent=2) + "\n")

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Ends the server on a signal without raising it again afterwards, so that the exit status is 0."""
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Notes that the server is to end; open requests are finished first."""
        self.should_exit = True


@contextmanager
def _listening(port: int) -> Iterator[socket.socket]:
    # asyncio switches Nagle's algorithm off only where the socket names its protocol, and with it on every short
    # answer waits 40 ms for the client's delayed acknowledgement.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, port))
        except OSError as error:
            raise StartFault(f"port {port} on {HOST} cannot be used: {error.strerror}") from error
        yield listener
    finally:
        listener.close()


@contextmanager
def _folder_lock(data: Path) -> Iterator[None]:
    """Keeps a second service out of the folder. SQLite's own lock is freed by the system when the process dies."""
    connection = sqlite3.connect(data / "service.lock", isolation_level=None, timeout=0)
    try:
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise StartFault(f"another local service is running with the data in {data}") from error
        yield
    finally:
        connection.close()


@contextmanager
def _access_log(data: Path) -> Iterator[Callable[[str], None]]:
    """What writes one line a request, of this process only, with the time in front."""
    with (data / "service.log").open("w", encoding="utf-8", buffering=1) as file:
        yield lambda line: print(time.strftime("%H:%M:%S"), line, file=file)


def _write_privately(path: Path, text: str) -> None:
    """Writes a file that only its owner can read, whole or not at all."""
    draft = path.with_suffix(".new")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    draft.replace(path)


def _remove_service_file(data: Path) -> None:
    (data / SERVICE_FILE).unlink(missing_ok=True)
