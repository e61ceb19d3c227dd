"""Numbers as people read them; a value that is not there is a dash."""

from __future__ import annotations

from azsearch_ops.evaluation.counted import counted, queries_of

__all__ = ["NONE", "count", "counted", "duration", "interval", "milliseconds", "percent", "probability", "queries_of"]

NONE = "–"


def value(number: float | None) -> str:
    """A metric's value: 0.892."""
    return NONE if number is None else f"{number:.3f}"


def signed(number: float | None) -> str:
    """A difference, with a real minus sign: −0.080. What rounds to nothing has no sign but +."""
    return NONE if number is None else f"{number + 0.0:+.3f}".replace("-0.000", "+0.000").replace("-", "−")


def interval(low: float | None, high: float | None) -> str:
    """Two bounds: −0.014 … +0.025."""
    return NONE if low is None or high is None else f"{signed(low)} … {signed(high)}"


def probability(p: float | None) -> str:
    """A p-value, with enough digits to tell small ones apart: 0.71, 0.024, 0.0002."""
    if p is None:
        return NONE
    return f"{p:.2f}" if p >= 0.095 else f"{p:.3f}" if p >= 0.00095 else f"{p:.4f}"


def count(number: float | None) -> str:
    """A whole number with separators: 2,410."""
    return NONE if number is None else f"{number:,.0f}"


def percent(share: float | None) -> str:
    """A share: 31 %."""
    return NONE if share is None else f"{100 * share:.0f} %"


def milliseconds(seconds: float | None) -> str:
    """A latency: 212 ms."""
    return NONE if seconds is None else f"{1000 * seconds:.0f} ms"


def size(number: float | None) -> str:
    """Bytes in the unit that fits: 512 B, 284 MB, 1.4 GB. A megabyte has 1,000,000."""
    if number is None:
        return NONE
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if number >= factor:
            shown = number / factor
            return f"{shown:.0f} {unit}" if shown >= 9.95 else f"{shown:.1f} {unit}"
    return f"{number:.0f} B"


def duration(seconds: float) -> str:
    """A time that somebody waited: 0.4 s, 12 s, 31 m 40 s, 2 h 05 m."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} m {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} m"
