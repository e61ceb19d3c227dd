"""A loopback proxy that counts calls and kills a process once a chosen call has been answered by the service."""

from __future__ import annotations

import os
import signal
from contextlib import AbstractContextManager

from forwarding_proxy import Answer, ForwardingProxy
from played_server import serving


class KillingProxy(ForwardingProxy):
    """After answer `kill_at` (1-based) the process `victim` is killed and never told."""

    def __init__(self, upstream: str) -> None:
        super().__init__(upstream)
        self.kill_at: int | None = None
        self.victim: int | None = None

    def arm(self, victim: int | None, kill_at: int | None) -> None:
        """Start counting anew; kill `victim` after answer `kill_at`."""
        with self.lock:
            self.calls, self.victim, self.kill_at = [], victim, kill_at

    def passed_on(self, call: str, answer: Answer) -> Answer | None:
        """The answer; None when it was the fatal one and the process is gone."""
        with self.lock:
            self.calls.append(call)
            if self.victim is None or len(self.calls) != self.kill_at:
                return answer
            os.kill(self.victim, signal.SIGKILL)
            return None


def killing_proxy(upstream: str) -> AbstractContextManager[KillingProxy]:
    """A running proxy; ended with the block."""
    return serving(KillingProxy(upstream))
