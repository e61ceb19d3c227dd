"""The name that was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name closest to `name`, or None when nothing comes near; case does not count."""
    by_folded = {candidate.lower(): candidate for candidate in known}
    found = difflib.get_close_matches(name.lower(), by_folded, n=1, cutoff=0.6)
    return by_folded[found[0]] if found else None


def name_hint(name: str, known: Iterable[str]) -> str:
    """A hint: the nearest name, else the names there are, else nothing."""
    names = sorted(known)
    near = nearest(name, names)
    if near is not None:
        return f"did you mean {near!r}?"
    if not names:
        return ""
    shown = ", ".join(names[:12])
    return f"there are: {shown}{', …' if len(names) > 12 else ''}"
