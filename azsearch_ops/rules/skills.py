"""AZS31x: skills: what they must read, what they put out, their names and number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from azsearch_ops.contract import limits, sources
from azsearch_ops.contract.skill_ports import SKILL_PORTS, Ports
from azsearch_ops.contract.skill_types_calls import CHAT_ODATA_TYPE
from azsearch_ops.definitions.near import name_hint
from azsearch_ops.definitions.skillset import SkillsetDefinition
from azsearch_ops.definitions.tree import Tree, step
from azsearch_ops.errors import Problem
from azsearch_ops.rules.explanation import Explanation
from azsearch_ops.rules.finding import items

EXPLANATIONS: Final = (
    Explanation(
        "AZS311",
        "A skill without an input that it needs",
        "A built-in skill whose required input is missing is skipped with a warning for every document.",
        "Add the input that the message names.",
        sources.SKILLSET,
    ),
    Explanation(
        "AZS312",
        "An input or output that the skill does not have",
        "Azure refuses the skillset, or the output never comes.",
        "Use a name from the skill's page; `targetName` is free.",
        sources.SKILLSET,
    ),
    Explanation(
        "AZS313",
        "Two skills with one name",
        "Names tell the skills of a skillset apart, in errors and in what changed.",
        "Rename one.",
        sources.SKILLSET,
    ),
    Explanation(
        "AZS314",
        "More skills than a skillset takes",
        "A skillset has at most 30 skills.",
        "Join or drop skills.",
        sources.LIMITS,
    ),
)


def check_skills(skillset: SkillsetDefinition) -> Iterator[Problem]:
    """The problems of the skills of a skillset, each by itself and by their names."""
    tree = skillset.tree
    count = len(skillset.skills) + bool(skillset.chunking) + bool(skillset.embedding)
    if count > limits.SKILLS_PER_SKILLSET:
        message = f"a skillset takes {limits.SKILLS_PER_SKILLSET} skills at most, not {count}"
        yield Problem("AZS314", message, tree.locate_key("/skills"))
    names: dict[str, str] = {}
    for short in ("chunking", "embedding"):
        body = getattr(skillset, short)
        if body:
            names[str(body.get("name") or short)] = f"/{short}"
    for skill, pointer in items(skillset.skills, "/skills"):
        name = skill.get("name")
        if isinstance(name, str):
            if name in names:
                message = f"the skill name {name!r} is taken already ({names[name][1:]})"
                yield Problem("AZS313", message, tree.locate(step(pointer, "name")))
            names.setdefault(name, pointer)
        ports = SKILL_PORTS.get(str(skill.get("@odata.type")))
        if ports is not None:
            yield from _check_ports(skill, pointer, ports, tree)


def _check_ports(skill: Mapping[str, Any], pointer: str, ports: Ports, tree: Tree) -> Iterator[Problem]:
    kind = str(skill["@odata.type"]).rpartition(".")[2]
    given = {str(entry.get("name")): at for entry, at in items(skill.get("inputs"), step(pointer, "inputs"))}
    for name in ports.required:
        if name not in given:
            message = f"{kind} reads the input {name!r}, which is not given"
            yield Problem("AZS311", message, tree.locate_key(step(pointer, "inputs")), severity=_severity(skill))
    known = (*ports.required, *ports.optional)
    for name, at in given.items():
        if not ports.any_input and name not in known:
            message = f"{kind} has no input {name!r}"
            yield Problem("AZS312", message, tree.locate(step(at, "name")), hint=name_hint(name, known))
    for entry, at in items(skill.get("outputs"), step(pointer, "outputs")):
        name = str(entry.get("name"))
        if ports.outputs is not None and name not in ports.outputs:
            message = f"{kind} has no output {name!r}"
            yield Problem("AZS312", message, tree.locate(step(at, "name")), hint=name_hint(name, ports.outputs))


def _severity(skill: Mapping[str, Any]) -> Any:
    return "error" if skill.get("@odata.type") != CHAT_ODATA_TYPE else "warning"
