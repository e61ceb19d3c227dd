"""AZS320: skills that wait for each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from azsearch_ops.contract import sources
from azsearch_ops.definitions.skillset import SkillsetDefinition
from azsearch_ops.errors import Problem
from azsearch_ops.rules.explanation import Explanation
from azsearch_ops.rules.finding import items
from azsearch_ops.rules.produced import paths_read, skill_output_paths

EXPLANATIONS: Final = (
    Explanation(
        "AZS320",
        "Skills that wait for each other",
        "What a skill reads decides when it runs. Skills that read each other's output can never begin, and Azure "
        "refuses the skillset.",
        "Break the circle: let one of them read what is there before it.",
        sources.ANNOTATION_LANGUAGE,
    ),
)


def check_skill_order(skillset: SkillsetDefinition) -> Iterator[Problem]:
    """One problem for the first skill of each circle."""
    skills = list(items(skillset.skills, "/skills"))
    outputs = [skill_output_paths(skill) for skill, _ in skills]
    reads = [_reads(skill) for skill, _ in skills]
    after = [
        [other for other, made in enumerate(outputs) if any(_below(path, out) for path in paths for out in made)]
        for paths in reads
    ]
    done: set[int] = set()
    for first in range(len(skills)):
        circle = _circle(first, after, done)
        if circle:
            names = " → ".join(str(skills[n][0].get("name") or f"#{n + 1}") for n in (*circle, circle[0]))
            message = (
                f"skills wait for each other: {names}" if len(circle) > 1 else f"{names.split(' ')[0]} reads itself"
            )
            yield Problem("AZS320", message, skillset.tree.locate(f"{skills[circle[0]][1]}/inputs"))
            done |= set(circle)


def _circle(first: int, after: list[list[int]], done: set[int]) -> list[int]:
    """A way from a skill back to itself by what it waits for, or an empty list."""
    ways = [[first]]
    seen = {first}
    while ways:
        way = ways.pop()
        for other in after[way[-1]]:
            if other == first and first not in done:
                return way
            if other not in seen and other not in done:
                seen.add(other)
                ways.append([*way, other])
    return []


def _reads(skill: Mapping[str, Any]) -> list[str]:
    found: list[str] = []

    def take(inputs: object) -> None:
        for entry, _ in items(inputs, ""):
            for name in ("source", "sourceContext"):
                if isinstance(entry.get(name), str):
                    found.extend(paths_read(str(entry[name])))
            take(entry.get("inputs"))

    take(skill.get("inputs"))
    return found


def _below(path: str, output: str) -> bool:
    return path == output or path.startswith(f"{output}/")
