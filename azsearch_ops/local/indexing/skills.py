"""Skillset bodies to skills in the order in which they can run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from azsearch_ops.local.indexing.findings import RunRefusedError
from azsearch_ops.local.indexing.tree import Path, parse_path


@dataclass(frozen=True, slots=True)
class Call:
    """One execution of a skill: the values of its inputs, and where each came from."""

    inputs: Mapping[str, Any]
    sources: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one call gave: outputs by their own names; `warning` does not stop the document, `error` does.

    Both are (message, details). `unread` is the embedding model, and the tokens at the end of the text that it did not
    read.
    """

    outputs: Mapping[str, Any]
    warning: tuple[str, str] | None = None
    error: tuple[str, str] | None = None
    unread: tuple[str, int] | None = None


class Skill(Protocol):
    """What a kind of skill does with many calls at once, one outcome a call."""

    @property
    def required(self) -> tuple[str, ...]:
        """The inputs without which a call is not made."""
        ...

    def run(self, calls: Sequence[Call]) -> Sequence[Outcome]:
        """One outcome a call, in order; calls of many documents come at once."""
        ...


@dataclass(frozen=True, slots=True)
class Step:
    """A skill in its place: its name as findings say it, its context, inputs by name, and outputs as (name, target)."""

    name: str
    context: Path
    inputs: Mapping[str, Path]
    outputs: tuple[tuple[str, str], ...]
    skill: Skill

    def needs(self, other: Step) -> bool:
        """Whether this step reads what the other one writes."""
        written = [other.context.child(target) for _, target in other.outputs]
        read = [self.context, *self.inputs.values()]
        return any(output.covers(source) for output in written for source in read)


def step_of(body: Mapping[str, Any], position: int, skill: Skill) -> Step:
    """The step of a REST skill body, `position` from 1. Raises RunRefusedError."""
    kind = skill_kind(body)
    inputs: dict[str, Path] = {}
    for entry in body.get("inputs") or ():
        if not entry.get("source"):
            raise RunRefusedError(f"The local service does not support inputs built from inputs ({kind}).")
        inputs[str(entry["name"])] = parse_path(str(entry["source"]))
    outputs = tuple(
        (str(entry["name"]), str(entry.get("targetName") or entry["name"])) for entry in body.get("outputs") or ()
    )
    return Step(
        name=f"Enrichment.{kind}.{body.get('name') or f'#{position}'}",
        context=parse_path(str(body.get("context") or "/document")),
        inputs=inputs,
        outputs=outputs,
        skill=skill,
    )


def skill_kind(body: Mapping[str, Any]) -> str:
    """The last part of the skill's type, such as SplitSkill."""
    return str(body.get("@odata.type") or "").rpartition(".")[2]


def in_order(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps, each behind those that it needs; otherwise as written. Raises RunRefusedError for a circle."""
    waiting, ordered = list(steps), list[Step]()
    while waiting:
        ready = next(
            (step for step in waiting if not any(step.needs(other) for other in waiting if other is not step)), None
        )
        if ready is None:
            names = ", ".join(step.name for step in waiting)
            raise RunRefusedError(f"The skills need each other's outputs in a circle: {names}.")
        waiting.remove(ready)
        ordered.append(ready)
    return tuple(ordered)
