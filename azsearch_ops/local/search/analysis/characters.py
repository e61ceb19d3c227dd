"""Character classes of Unicode as the inner part of a regular expression set, from `characters.txt`."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def _classes() -> dict[str, tuple[tuple[int, int], ...]]:
    text = files(__package__).joinpath("characters.txt").read_text(encoding="utf-8")
    rows = (line.split() for line in text.splitlines() if not line.startswith("#"))
    return {name: tuple(_range(part) for part in parts) for name, *parts in rows}


def _range(part: str) -> tuple[int, int]:
    first, _, last = part.partition("-")
    return int(first, 16), int(last or first, 16)


def characters(name: str, below: int = 0x110000) -> str:
    """The ranges of a class, to be put between square brackets, as far as they begin below a code point.

    Sets without code points beyond U+FFFF are matched by one table look-up, others range by range: ten times slower.
    """
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in _classes()[name] if first < below)
