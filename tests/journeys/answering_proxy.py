"""A loopback proxy that counts calls and lets a test change what the service answers."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "host"}
Change = Callable[[Any], Any]


class AnsweringProxy(ThreadingHTTPServer):
    """`changes`: call ("GET /servicestats") → what to make of the answer's JSON, None where the service has none."""

    daemon_threads = True

    def __init__(self, upstream: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.upstream = urlsplit(upstream)
        self.calls: list[str] = []
        self.changes: dict[str, Change] = {}

    @property
    def endpoint(self) -> str:
        """Where clients reach it."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def forget(self) -> None:
        """Count anew and change nothing."""
        self.calls.clear()
        self.changes.clear()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: AnsweringProxy

    def _forward(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length) if length else None
        headers = {k: v for k, v in self.headers.items() if k.lower() not in HOP_BY_HOP}
        upstream = http.client.HTTPConnection(self.server.upstream.netloc, timeout=60)
        try:
            upstream.request(self.command, self.path, body=body, headers=headers)
            answer = upstream.getresponse()
            status, content, named = answer.status, answer.read(), answer.getheaders()
        finally:
            upstream.close()
        call = f"{self.command} {unquote(self.path.partition('?')[0])}"
        self.server.calls.append(call)
        if change := self.server.changes.get(call):
            content = json.dumps(change(json.loads(content) if status == 200 else None)).encode()
            status, named = 200, [("Content-Type", "application/json")]
        self.send_response(status)
        for name, value in named:
            if name.lower() not in HOP_BY_HOP | {"date", "server"}:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PUT = do_DELETE = _forward

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the calls are counted."""


@contextmanager
def answering_proxy(upstream: str) -> Iterator[AnsweringProxy]:
    """A running proxy; ended with the block."""
    proxy = AnsweringProxy(upstream)
    thread = threading.Thread(target=proxy.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield proxy
    finally:
        proxy.shutdown()
        proxy.server_close()
        thread.join()
