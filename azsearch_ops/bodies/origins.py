"""Which part of which file a part of a body comes from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

File = Literal["index", "skillset", "environment"]


@dataclass(frozen=True, slots=True)
class Origin:
    """What stands at or below `at` in the body of `kind` comes from `pointer` (or below) in a definition's file."""

    kind: str
    at: str
    file: File
    pointer: str


def trace(origins: tuple[Origin, ...], kind: str, at: str) -> tuple[File, str]:
    """File and pointer of the value at `at` in a body; the index definition as a whole where nothing is known."""
    best: Origin | None = None
    for origin in origins:
        inside = origin.kind == kind and (at == origin.at or at.startswith(origin.at + "/"))
        if inside and (best is None or len(origin.at) > len(best.at)):
            best = origin
    if best is None:
        return "index", ""
    return best.file, best.pointer + at[len(best.at) :]
