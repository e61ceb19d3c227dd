"""A door to a service that lets a reader's calls through, searches and look-ups, and refuses all others."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType
from urllib.parse import unquote, urlsplit

READS = (
    re.compile(r"POST /indexes\('[^']+'\)/docs/search\.post\.search\?"),
    re.compile(r"GET /indexes\('[^']+'\)/docs\('[^']+'\)\?"),
)
"""What the role `Search Index Data Reader` allows of the calls that the tool knows."""


@contextmanager
def reader_of(endpoint: str) -> Iterator[tuple[str, list[str]]]:
    """The address of the door, and the calls that were refused so far."""
    refused: list[str] = []
    host = urlsplit(endpoint).netloc

    class Door(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self._carry()

        def do_GET(self) -> None:
            self._carry()

        def do_PUT(self) -> None:
            self._carry()

        def do_DELETE(self) -> None:
            self._carry()

        def _carry(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            call = f"{self.command} {unquote(self.path)}"
            if not any(read.match(call) for read in READS):
                refused.append(call)
                self._answer(403, b'{"error": {"code": "Forbidden", "message": "a reader may not"}}')
                return
            connection = HTTPConnection(host, timeout=30)
            kept = {k: v for k, v in self.headers.items() if k.lower() not in ("host", "content-length", "connection")}
            connection.request(self.command, self.path, body, {**kept, "Host": host})
            answer = connection.getresponse()
            told = {k: v for k, v in answer.getheaders() if k.startswith("azsearch-")}
            self._answer(answer.status, answer.read(), told)
            connection.close()

        def _answer(self, status: int, body: bytes, headers: Mapping[str, str] = MappingProxyType({})) -> None:
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: object) -> None:
            """Quiet: the test tells what went wrong."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Door)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", refused
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
