"""What the servers that the journeys play have in common: JSON answers, no log, and a thread that ends."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType
from typing import TypeVar

S = TypeVar("S", bound=ThreadingHTTPServer)


class PlayedHandler(BaseHTTPRequestHandler):
    """Says nothing of its own: what a journey wants to know its server keeps."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # head and body of an answer leave together

    def content(self) -> bytes:
        """The body of the request."""
        length = int(self.headers.get("Content-Length") or 0)
        return self.rfile.read(length) if length else b""

    def send(self, status: int, body: object, headers: Mapping[str, str] = MappingProxyType({})) -> None:
        """Answer with JSON."""
        self.pass_on(status, {**headers, "Content-Type": "application/json"}.items(), json.dumps(body).encode())

    def pass_on(self, status: int, headers: Iterable[tuple[str, str]], content: bytes) -> None:
        """Answer with these headers and the length of the content."""
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def serving(server: S) -> Iterator[S]:
    """A running server; ended with the block."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
