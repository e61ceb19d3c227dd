"""One line of a diagnosis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "fails", "warning", "not checkable here"]


@dataclass(frozen=True, slots=True)
class Line:
    """One check. `grant` says what to do and for whom, where it fails."""

    check: str
    state: State
    detail: str
    grant: str = ""
