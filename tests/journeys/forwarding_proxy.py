"""A loopback proxy that counts calls; what it does with an answer is said by those that build on it."""

from __future__ import annotations

import http.client
import threading
from dataclasses import dataclass
from http.server import ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

from played_server import PlayedHandler

HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "host"}
OWN = {"date", "server"}  # The proxy sends these itself


@dataclass(frozen=True)
class Answer:
    """What the service answered, or what is passed on instead."""

    status: int
    headers: tuple[tuple[str, str], ...]
    content: bytes


class ForwardingProxy(ThreadingHTTPServer):
    """Forwards to `upstream` and keeps the `calls`, such as "GET /servicestats"."""

    daemon_threads = True

    def __init__(self, upstream: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.upstream = urlsplit(upstream)
        self.calls: list[str] = []
        self.lock = threading.Lock()

    @property
    def endpoint(self) -> str:
        """Where clients reach it."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def passed_on(self, call: str, answer: Answer) -> Answer | None:
        """What the client is told, None for a connection that ends without an answer."""
        with self.lock:
            self.calls.append(call)
        return answer


class _Handler(PlayedHandler):
    server: ForwardingProxy

    def _forward(self) -> None:
        body = self.content() or None
        headers = {k: v for k, v in self.headers.items() if k.lower() not in HOP_BY_HOP}
        upstream = http.client.HTTPConnection(self.server.upstream.netloc, timeout=60)
        try:
            upstream.request(self.command, self.path, body=body, headers=headers)
            told = upstream.getresponse()
            answer = Answer(told.status, tuple(told.getheaders()), told.read())
        finally:
            upstream.close()
        call = f"{self.command} {unquote(self.path.partition('?')[0])}"
        passed = self.server.passed_on(call, answer)
        if passed is None:
            self.close_connection = True
            return
        kept = [(name, value) for name, value in passed.headers if name.lower() not in HOP_BY_HOP | OWN]
        self.pass_on(passed.status, kept, passed.content)

    do_GET = do_POST = do_PUT = do_DELETE = _forward
