"""A loopback proxy that counts calls and kills a process once a chosen call has been answered by the service."""

from __future__ import annotations

import http.client
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "host"}


class KillingProxy(ThreadingHTTPServer):
    """Forwards to `upstream`. After answer `kill_at` (1-based) the process `victim` is killed and never told."""

    daemon_threads = True

    def __init__(self, upstream: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.upstream = urlsplit(upstream)
        self.calls: list[str] = []
        self.kill_at: int | None = None
        self.victim: int | None = None
        self.lock = threading.Lock()

    @property
    def endpoint(self) -> str:
        """Where clients reach it."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def arm(self, victim: int | None, kill_at: int | None) -> None:
        """Start counting anew; kill `victim` after answer `kill_at`."""
        with self.lock:
            self.calls, self.victim, self.kill_at = [], victim, kill_at

    def answered(self, call: str) -> bool:
        """Note an answered call; True when it was the fatal one and the process is gone."""
        with self.lock:
            self.calls.append(call)
            if self.victim is None or len(self.calls) != self.kill_at:
                return False
            os.kill(self.victim, signal.SIGKILL)
            return True


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: KillingProxy

    def _forward(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length) if length else None
        headers = {k: v for k, v in self.headers.items() if k.lower() not in HOP_BY_HOP}
        upstream = http.client.HTTPConnection(self.server.upstream.netloc, timeout=60)
        try:
            upstream.request(self.command, self.path, body=body, headers=headers)
            answer = upstream.getresponse()
            content = answer.read()
        finally:
            upstream.close()
        if self.server.answered(f"{self.command} {self.path.partition('?')[0]}"):
            self.close_connection = True
            return
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in HOP_BY_HOP | {"date", "server"}:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PUT = do_DELETE = _forward

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the calls are counted."""


@contextmanager
def killing_proxy(upstream: str) -> Iterator[KillingProxy]:
    """A running proxy; ended with the block."""
    proxy = KillingProxy(upstream)
    thread = threading.Thread(target=proxy.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield proxy
    finally:
        proxy.shutdown()
        proxy.server_close()
        thread.join()
