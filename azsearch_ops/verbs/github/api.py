"""Calls of GitHub's REST API, with retry and paging; the token is sent and never told."""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from azsearch_ops.errors import ServiceError, UnreachableError
from azsearch_ops.verbs.github.runner import Runner

TRIES: Final = 4
PAGE: Final = 100  # The most that one page of a list holds
MOST_PAGES: Final = 50
LONGEST_WAIT: Final = 60.0


class RefusedError(ServiceError):
    """The token may not do this (401, 403, 404): a pull request of a fork has a token that reads only."""

    code = "github-refused"


@dataclass(frozen=True, slots=True)
class GitHub:
    """The API for one repository."""

    runner: Runner
    sleep: Callable[[float], None] = time.sleep

    def call(self, method: str, path: str, body: Mapping[str, Any] | None = None, *, repeat: bool = True) -> Any:
        """The answer of `/repos/OWNER/NAME/<path>`.

        RefusedError where the token does not allow it; UnreachableError after several tries. With `repeat` false a
        call whose answer was lost is not sent again.
        """
        told = f"{method} /repos/{self.runner.repository}/{path.partition('?')[0]}"
        request = urllib.request.Request(
            f"{self.runner.api}/repos/{self.runner.repository}/{path}",
            data=json.dumps(body).encode() if body is not None else None,
            method=method,
            headers={
                "Authorization": f"Bearer {self.runner.token}",
                "Accept": "application/vnd.github+json",
                "Content-Type": "application/json",
                "X-GitHub-Api-Version": "2022-11-28",
                "User-Agent": "azsearch-ops",
            },
        )
        wait = 1.0
        for last in (False,) * (TRIES - 1) + (True,):
            try:
                with urllib.request.urlopen(request, timeout=30) as answer:
                    content = answer.read()
                return json.loads(content) if content else None
            except urllib.error.HTTPError as error:
                with error:  # it holds the connection
                    message = _message(error)
                    asked = _retry_after(error, message)
                    if asked is None and error.code < 500:
                        raise _refusal(error, told, message) from None
                if last or (error.code >= 500 and not repeat):  # it may have been carried out all the same
                    raise UnreachableError(f"{told} answered {error.code}", status=error.code, call=told) from None
                wait = asked if asked is not None else wait
            except (OSError, http.client.HTTPException) as error:
                if last or not repeat:
                    raise UnreachableError(f"{told}: no answer ({type(error).__name__})", call=told) from None
            self.sleep(min(wait, LONGEST_WAIT))
            wait *= 2
        raise AssertionError("the last try returns or raises")

    def pages(self, path: str) -> Iterator[Any]:
        """Every row of a list, page by page."""
        for page in range(1, MOST_PAGES + 1):
            rows = self.call("GET", f"{path}{'&' if '?' in path else '?'}per_page={PAGE}&page={page}")
            yield from rows
            if len(rows) < PAGE:
                return


def _retry_after(error: urllib.error.HTTPError, message: str) -> float | None:
    """Seconds to wait where GitHub limits the rate (403 and 429 alike), else None.

    A secondary limit may come without a header; then a minute is to be waited
    (docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api).
    """
    if error.code not in (403, 429):
        return None
    text = error.headers.get("Retry-After")
    if text is not None:
        return float(text) if text.isdigit() else 1.0
    if error.headers.get("X-RateLimit-Remaining") == "0":
        reset = error.headers.get("X-RateLimit-Reset", "")
        return max(1.0, float(reset) - time.time()) if reset.isdigit() else LONGEST_WAIT
    if "secondary rate limit" in message.lower():
        return LONGEST_WAIT
    return 1.0 if error.code == 429 else None


def _message(error: urllib.error.HTTPError) -> str:
    try:
        return str(json.loads(error.read()).get("message", ""))
    except (ValueError, OSError, AttributeError, http.client.HTTPException):
        return ""


def _refusal(error: urllib.error.HTTPError, told: str, message: str) -> ServiceError:
    kind = RefusedError if error.code in (401, 403, 404, 410) else ServiceError
    return kind(f"{told} answered {error.code}: {message or error.reason}", status=error.code, call=told)
