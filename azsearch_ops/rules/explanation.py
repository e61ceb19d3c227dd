"""What `explain CODE` tells."""

from __future__ import annotations

from dataclasses import dataclass

PROJECT = "the design of azsearch-ops"
"""Source of rules that are ours and not Azure's."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A rule: its stable code, what it says in a line, why it is there, how to mend what it found, and its source."""

    code: str
    title: str
    why: str
    fix: str
    source: str = PROJECT
