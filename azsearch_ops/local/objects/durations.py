"""Durations and moments as definitions spell them (ISO 8601)."""

from __future__ import annotations

import re
from datetime import UTC, datetime

_DURATION = re.compile(
    r"P(?:(?P<days>\d+)D)?(?:T(?:(?P<hours>\d+)H)?(?:(?P<minutes>\d+)M)?(?:(?P<seconds>\d+(?:\.\d+)?)S)?)?"
)


def duration_seconds(text: str) -> float | None:
    """Seconds of an ISO 8601 duration of days, hours, minutes and seconds; None when it is not one."""
    match = _DURATION.fullmatch(text)
    if match is None or not any(match.groupdict().values()):
        return None
    days, hours, minutes, seconds = (float(match[part] or 0) for part in ("days", "hours", "minutes", "seconds"))
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds


def moment(text: str) -> datetime | None:
    """An ISO 8601 date and time, in UTC unless it says otherwise; None when it is not one."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
