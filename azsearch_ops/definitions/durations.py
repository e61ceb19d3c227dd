"""Durations as definitions write them: `7d`, `12h`, `30m`, `45s`, or ISO 8601 as Azure has them (`PT1H`)."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Annotated

from pydantic import BeforeValidator, WithJsonSchema

_SHORT = re.compile(r"(\d{1,6})([dhms])")
_ISO = re.compile(r"P(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,9})S)?)?")
_UNITS = {"d": "days", "h": "hours", "m": "minutes", "s": "seconds"}


def parse_duration(value: object) -> timedelta:
    """The duration that a text names; ValueError when it names none."""
    text = value if isinstance(value, str) else ""
    if found := _SHORT.fullmatch(text):
        return timedelta(**{_UNITS[found[2]]: int(found[1])})
    found = _ISO.fullmatch(text)
    if found and any(found.groups()):
        days, hours, minutes, seconds = (int(group or 0) for group in found.groups())
        return timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
    raise ValueError("must be a duration such as 7d, 12h or PT1H")


Duration = Annotated[timedelta, BeforeValidator(parse_duration), WithJsonSchema({"type": "string"})]
"""A duration in a definition."""
