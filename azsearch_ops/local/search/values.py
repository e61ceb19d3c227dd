"""Values of documents and of filters in the form that they are compared in."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache

_DATE = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:([Zz])|([+-])(\d\d):(\d\d))", re.ASCII
)
_EPOCH = date(1970, 1, 1).toordinal()
TICKS_PER_SECOND = 10_000_000


@lru_cache(maxsize=65536)
def ticks(text: str) -> int:
    """A DateTimeOffset as 100 ns units since 1970 in UTC; ValueError for anything else.

    Seconds may be missing, date, time and zone may not; fractions beyond 100 ns are cut.
    """
    match = _DATE.fullmatch(text)
    if match is None:
        raise ValueError(text)
    year, month, day, hour, minute, second, fraction, _, sign, zone_hours, zone_minutes = match.groups()
    if int(hour) > 23 or int(minute) > 59 or int(second or 0) > 59:
        raise ValueError(text)
    days = date(int(year), int(month), int(day)).toordinal() - _EPOCH
    offset = (int(zone_hours) * 60 + int(zone_minutes)) * (-1 if sign == "-" else 1) if sign else 0
    minutes = (days * 24 + int(hour)) * 60 + int(minute) - offset
    return (minutes * 60 + int(second or 0)) * TICKS_PER_SECOND + int((fraction or "").ljust(7, "0")[:7])


_DOUBLES = {"NaN": float("nan"), "INF": float("inf"), "-INF": float("-inf")}


def double(value: float | str) -> float:
    """An Edm.Double of a document, where NaN and the infinities are strings."""
    return _DOUBLES[value] if isinstance(value, str) else float(value)
