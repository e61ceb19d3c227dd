"""A loopback proxy that counts calls and lets a test change what the service answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from forwarding_proxy import Answer, ForwardingProxy
from played_server import serving

Change = Callable[[Any], Any]


class AnsweringProxy(ForwardingProxy):
    """`changes`: call ("GET /servicestats") → what to make of the answer's JSON, None where the service has none."""

    def __init__(self, upstream: str) -> None:
        super().__init__(upstream)
        self.changes: dict[str, Change] = {}

    def forget(self) -> None:
        """Count anew and change nothing."""
        self.calls.clear()
        self.changes.clear()

    def passed_on(self, call: str, answer: Answer) -> Answer | None:
        """The answer, or what the change for this call makes of it."""
        super().passed_on(call, answer)
        change = self.changes.get(call)
        if change is None:
            return answer
        content = json.dumps(change(json.loads(answer.content) if answer.status == 200 else None)).encode()
        return Answer(200, (("Content-Type", "application/json"),), content)


def answering_proxy(upstream: str) -> AbstractContextManager[AnsweringProxy]:
    """A running proxy; ended with the block."""
    return serving(AnsweringProxy(upstream))
