"""AZS90x: findings that a comment with a reason silences, and comments that silence nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from azsearch_ops.definitions.silences import Silence, read_silences
from azsearch_ops.errors import Location, Problem
from azsearch_ops.rules.explanation import Explanation

EXPLANATIONS: Final = (
    Explanation(
        "AZS901",
        "A comment that silences without a reason, or without a code",
        "Whoever reads the file next must see why a finding does not matter here; so a comment without a reason "
        "silences nothing.",
        "# azsearch: ignore AZS407 because the first page is all that is read",
    ),
)

UNSILENCED: Final = ("AZS0", "AZS801", "AZS901")
"""Codes (or their beginnings) that no comment silences: files that cannot be read, and secrets."""


def silenced(problems: Iterable[Problem], root: Path) -> Iterator[Problem]:
    """The problems without those that a comment silences; a comment without a reason is a problem of its own."""
    comments: dict[str, Mapping[int, tuple[Silence, ...]]] = {}
    told: set[tuple[str, int]] = set()
    for problem in problems:
        place = problem.location
        if place is None or problem.code.startswith(UNSILENCED):
            yield problem
            continue
        if place.path not in comments:
            comments[place.path] = _comments(root / place.path)
        wanted = [s for s in comments[place.path].get(place.line, ()) if not s.codes or problem.code in s.codes]
        if any(silence.codes and silence.reason for silence in wanted):
            continue
        yield problem
        for silence in wanted:
            if (place.path, silence.line) not in told:
                told.add((place.path, silence.line))
                what = "gives no reason" if silence.codes else "names no code"
                message = f"the comment {what}, so {problem.code} is not silenced"
                where = Location(place.path, silence.line, silence.column)
                hint = f"# azsearch: ignore {problem.code} because …"
                yield Problem("AZS901", message, where, hint=hint)


def _comments(path: Path) -> Mapping[int, tuple[Silence, ...]]:
    if path.suffix == ".json":
        return {}
    try:
        return read_silences(path.read_text("utf-8-sig"))
    except (OSError, UnicodeDecodeError):
        return {}
