"""AZS31x: skills: what they must read, what they put out, how they are called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from azsearch_ops.contract import limits, sources
from azsearch_ops.contract.skill_ports import SKILL_PORTS, Ports
from azsearch_ops.contract.skill_types import CHAT_ODATA_TYPE, WEB_API_ODATA_TYPE
from azsearch_ops.definitions.durations import parse_duration
from azsearch_ops.definitions.near import name_hint
from azsearch_ops.definitions.skillset import SkillsetDefinition
from azsearch_ops.definitions.tree import Tree, step
from azsearch_ops.errors import Problem
from azsearch_ops.rules.explanation import Explanation
from azsearch_ops.rules.finding import items, quoted

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
    Explanation(
        "AZS315",
        "An address, header or time limit that a web skill does not take",
        "Azure calls https only, waits 1 to 230 seconds, and sets some headers itself.",
        "Use an https address, a timeout such as PT30S, and leave the named header out.",
        sources.WEB_API_SKILL,
    ),
    Explanation(
        "AZS316",
        "Two ways of signing in at once",
        "The skill takes a key or an identity, and refuses both.",
        "Keep one of apiKey and authIdentity.",
        sources.SKILL_PAGES + "genai-prompt",
    ),
)

_FORBIDDEN_HEADERS: Final = frozenset(
    {
        "accept",
        "accept-charset",
        "accept-encoding",
        "content-length",
        "content-type",
        "cookie",
        "host",
        "te",
        "upgrade",
        "via",
    }
)
_LONGEST_CALL: Final = 230


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
        if skill.get("@odata.type") in (WEB_API_ODATA_TYPE, CHAT_ODATA_TYPE):
            yield from _check_calls(skill, pointer, tree)


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


def _check_calls(skill: Mapping[str, Any], pointer: str, tree: Tree) -> Iterator[Problem]:
    uri, timeout, headers = skill.get("uri"), skill.get("timeout"), skill.get("httpHeaders")
    if isinstance(uri, str) and not uri.startswith(("https://", "${secret:")):
        yield Problem("AZS315", f"uri must begin with https://, not {quoted(uri)}", tree.locate(step(pointer, "uri")))
    if isinstance(timeout, str):
        try:
            seconds = parse_duration(timeout).total_seconds() if timeout.startswith("P") else 0.0
        except ValueError:
            seconds = 0.0
        if not 1 <= seconds <= _LONGEST_CALL:
            message = f"timeout is a duration between PT1S and PT{_LONGEST_CALL}S, not {quoted(timeout)}"
            yield Problem("AZS315", message, tree.locate(step(pointer, "timeout")), hint="PT30S")
    for name in headers if isinstance(headers, Mapping) else ():
        if name.lower() in _FORBIDDEN_HEADERS:
            message = f"the header {name} is set by the service"
            yield Problem("AZS315", message, tree.locate_key(step(step(pointer, "httpHeaders"), name)))
    if skill.get("@odata.type") == CHAT_ODATA_TYPE and skill.get("apiKey") and skill.get("authIdentity"):
        message = "apiKey and authIdentity exclude each other"
        yield Problem("AZS316", message, tree.locate_key(step(pointer, "authIdentity")))
