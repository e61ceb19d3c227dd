"""A small real server that plays GitHub's comment and issue routes and its identity tokens."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from played_server import PlayedHandler, serving

FORBIDDEN = {"message": "Resource not accessible by integration", "status": "403"}


class GitHubServer(ThreadingHTTPServer):
    """State of one repository. With `may_write` false every write is 403, as for a fork's token."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.token = "github-token-of-this-job"
        self.request_token = "request-token-of-this-job"
        self.may_write = True
        self.comments: dict[int, dict[str, Any]] = {}
        self.issues: dict[int, dict[str, Any]] = {}
        self.calls: list[str] = []
        self.assertions: list[str] = []
        self.fail_next: list[int | tuple[int, str, dict[str, str]]] = []  # Status, or with message and headers
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        """Address of the API."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def add_comments(self, pull_request: int, count: int) -> None:
        """Other people's comments, so that paging is needed."""
        for number in range(count):
            self.add(self.comments, {"body": f"comment {number}", "issue": pull_request, "user": {"type": "User"}})

    def add(self, rows: dict[int, dict[str, Any]], row: dict[str, Any]) -> dict[str, Any]:
        """A new row with its number and page."""
        with self.lock:
            number = len(self.comments) + len(self.issues) + 1
            rows[number] = {
                "state": "open",
                "user": {"type": "Bot"},
                **row,
                "id": number,
                "number": number,
                "html_url": f"https://page/{number}",
            }
            return rows[number]


class _Handler(PlayedHandler):
    server: GitHubServer

    def _answer(self) -> None:
        server, address = self.server, urlsplit(self.path)
        content = self.content()
        body = json.loads(content) if content else {}
        server.calls.append(f"{self.command} {address.path}")
        if server.fail_next:
            failure = server.fail_next.pop(0)
            status, message, headers = (failure, "try later", {}) if isinstance(failure, int) else failure
            return self.send(status, {"message": message}, headers)
        if address.path == "/token":
            return self._assertion(parse_qs(address.query))
        if self.headers.get("Authorization") != f"Bearer {server.token}":
            return self.send(401, {"message": "Bad credentials"})
        if self.command != "GET" and not server.may_write:
            return self.send(403, FORBIDDEN)
        query = {k: v[0] for k, v in parse_qs(address.query).items()}
        if found := re.fullmatch(r"/repos/acme/search/issues/(\d+)/comments", address.path):
            if self.command == "GET":
                rows = [c for c in server.comments.values() if c["issue"] == int(found[1])]
                return self.send(200, _page(rows, query))
            return self.send(201, server.add(server.comments, {"body": _checked(body), "issue": int(found[1])}))
        if found := re.fullmatch(r"/repos/acme/search/issues/comments/(\d+)", address.path):
            server.comments[int(found[1])] |= body
            return self.send(200, server.comments[int(found[1])])
        if address.path == "/repos/acme/search/issues":
            if self.command == "GET":
                rows = [i for i in server.issues.values() if i["state"] == query["state"]]
                return self.send(200, _page(rows, query))
            return self.send(201, server.add(server.issues, body))
        if found := re.fullmatch(r"/repos/acme/search/issues/(\d+)", address.path):
            server.issues[int(found[1])] |= body
            return self.send(200, server.issues[int(found[1])])
        return self.send(404, {"message": "Not Found"})

    def _assertion(self, query: dict[str, list[str]]) -> None:
        server = self.server
        if self.headers.get("Authorization") != f"Bearer {server.request_token}":
            return self.send(401, {"message": "no"})
        assert query["audience"] == ["api://AzureADTokenExchange"]
        with server.lock:
            server.assertions.append(f"assertion-{len(server.assertions)}")
            return self.send(200, {"value": server.assertions[-1]})

    do_GET = do_POST = do_PATCH = _answer


def _page(rows: list[dict[str, Any]], query: dict[str, str]) -> list[dict[str, Any]]:
    size, page = int(query.get("per_page", "30")), int(query.get("page", "1"))
    return rows[(page - 1) * size : page * size]


def _checked(body: dict[str, Any]) -> str:
    assert len(body["body"]) <= 65_536
    return str(body["body"])


@contextmanager
def github_server() -> Iterator[GitHubServer]:
    """A running server; ended with the block."""
    with serving(GitHubServer()) as server:
        yield server
