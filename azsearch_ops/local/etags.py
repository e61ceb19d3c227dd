"""ETags in the form of the service: a quoted hexadecimal count of ticks that never comes twice."""

from __future__ import annotations

import threading
import time

_EPOCH_TICKS = 621_355_968_000_000_000  # from year 1 to 1970, 100 ns each

_lock = threading.Lock()
_last = 0


def new_etag() -> str:
    """A tag that differs from every earlier one of this process, and of earlier ones by the clock."""
    global _last
    with _lock:
        _last = max(_last + 1, _EPOCH_TICKS + time.time_ns() // 100)
        return f'"0x{_last:X}"'
