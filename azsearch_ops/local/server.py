"""The process: one socket on loopback, one lock on the folder of data, and an end when it is told to, or lost it."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType

import uvicorn

from azsearch_ops.local.app import Application
from azsearch_ops.local.connections import Connections
from azsearch_ops.local.service import Service, Settings
from azsearch_ops.local.whereabouts import LOCK_FILE, Whereabouts

HOST = "127.0.0.1"
_LOOK_TICKS = 10  # of a tenth of a second
_SQLITE_PATH = 490  # characters; SQLite opens paths up to 512, its own endings included


class StartFault(Exception):
    """The service cannot start; the message, and what to do, are for the person who started it."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


def serve(settings: Settings, port: int) -> None:
    """Runs the service until it is told to end by SIGTERM or SIGINT.

    Raises:
        StartFault: the port is taken, another service works on the same folder, or the folder cannot be used.
    """
    try:
        settings.data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StartFault(f"{settings.data} cannot be made: {error.strerror}", "choose a folder to write in") from error
    with _folder_lock(settings.data), _listening(port) as listener, _access_log(settings.data) as log:
        whereabouts = Whereabouts(settings.data)
        service = _opened(settings)
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
            server = _Server(config, settings, whereabouts)
            asyncio.run(server.serve(sockets=[listener]))
        finally:
            whereabouts.withdraw()
            service.close()


def _opened(settings: Settings) -> Service:
    """The service on its data, with its runs begun."""
    try:
        service = Service(settings)
        service.runs.begin()
    except sqlite3.DatabaseError as error:
        raise StartFault(
            f"what it keeps in {settings.data} cannot be used: {error}",
            "free some space, or `azsearch-ops local reset` deletes it and the next ship builds anew",
        ) from error
    return service


class _Server(uvicorn.Server):
    """Writes the service file once it accepts connections, and ends with status 0 when it is told to end."""

    def __init__(self, config: uvicorn.Config, settings: Settings, whereabouts: Whereabouts) -> None:
        super().__init__(config)
        self._settings = settings
        self._whereabouts = whereabouts

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
            "containers": str(self._settings.containers),
            "semanticRanker": "stand-in" if self._settings.stand_in_ranker else None,
        }
        self._whereabouts.say(body)

    async def on_tick(self, counter: int) -> bool:
        """Whether to end: told to, or the folder of data is gone."""
        if counter % _LOOK_TICKS == 0 and not self._whereabouts.holds():
            self.should_exit = True
        return await super().on_tick(counter)

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
            raise StartFault(
                f"port {port} on {HOST} cannot be used: {error.strerror}",
                "choose another --port, or none to take any free one",
            ) from error
        yield listener
    finally:
        listener.close()


@contextmanager
def _folder_lock(data: Path) -> Iterator[None]:
    """Keeps a second service out of the folder. SQLite's own lock is freed by the system when the process dies."""
    try:
        # A moment's patience: who looks whether a service runs holds it for that long
        connection = sqlite3.connect(data / LOCK_FILE, isolation_level=None, timeout=1)
    except sqlite3.OperationalError as error:
        long = len(str(data)) > _SQLITE_PATH
        hint = "SQLite takes no longer paths: choose a shorter one" if long else "choose a folder to write in"
        raise StartFault(f"{data} cannot be used: {error}", hint) from error
    try:
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise StartFault(
                f"another local service is running with the data in {data}", "azsearch-ops local stop"
            ) from error
        yield
    finally:
        connection.close()


@contextmanager
def _access_log(data: Path) -> Iterator[Callable[[str], None]]:
    """What writes one line a request, of this process only, with the time in front."""
    with (data / "service.log").open("wb", buffering=0) as file:

        def log(line: str) -> None:
            with suppress(OSError):  # no room for the log is no reason not to answer
                file.write(f"{time.strftime('%H:%M:%S')} {line}\n".encode())

        yield log
