"""Azure's two spellings of one address, brought to one form: /indexes('i')/docs('k') and /indexes/i/docs/k."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

# The name ends at the first apostrophe that is not doubled; the recorded service ignores what follows it.
_ODATA = re.compile(r"([A-Za-z]+)\('((?:[^']|'')*)'.*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Segment:
    """One part of a path. A `name` from parentheses is never an operation, so it only matches a placeholder."""

    name: str
    quoted: bool = False


def segments(raw_path: bytes) -> tuple[Segment, ...]:
    """The parts of an undecoded path, decoded one by one, so that an encoded slash stays inside its part."""
    found: list[Segment] = []
    for part in raw_path.decode("latin-1").split("/"):
        if not part:
            continue
        text = unquote(part)
        odata = _ODATA.fullmatch(text)
        if odata is None:
            found.append(Segment(text))
        else:
            found.append(Segment(odata[1]))
            found.append(Segment(odata[2].replace("''", "'"), quoted=True))
    return tuple(found)


def match(pattern: str, path: tuple[Segment, ...]) -> dict[str, str] | None:
    """The values of the placeholders when `path` has the form of `pattern` ("indexes/{index}/docs"), else None."""
    wanted = pattern.split("/")
    if len(wanted) != len(path):
        return None
    values: dict[str, str] = {}
    for part, segment in zip(wanted, path, strict=True):
        if part.startswith("{"):
            values[part[1:-1]] = segment.name
        elif segment.quoted or part.lower() != segment.name.lower():
            return None
    return values
