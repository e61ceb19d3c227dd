"""AZS317 to AZS319: settings of single skills, of their inputs, and of a knowledge store."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from azsearch_ops.contract import sources
from azsearch_ops.contract.skill_types_files import IMAGE_SIDES
from azsearch_ops.definitions.near import name_hint
from azsearch_ops.definitions.skillset import SkillsetDefinition
from azsearch_ops.definitions.tree import Tree, step
from azsearch_ops.errors import Problem
from azsearch_ops.rules.explanation import Explanation
from azsearch_ops.rules.finding import is_integer, items, member, quoted

EXPLANATIONS: Final = (
    Explanation(
        "AZS317",
        "Settings of a skill that contradict each other",
        "Azure refuses the skill, or runs it without what was asked for.",
        "Change the setting that the message names.",
        sources.SKILLSET,
    ),
    Explanation(
        "AZS318",
        "A knowledge store without what it needs",
        "A store needs the connection of a storage account; each projection names its table or container, and what "
        "goes into it.",
        "Add what the message names.",
        sources.KNOWLEDGE_STORE,
    ),
    Explanation(
        "AZS319",
        "An input that comes from nowhere, or from two places",
        "An input has a source, or a sourceContext with inputs of its own.",
        "Keep one of the two.",
        sources.ANNOTATION_LANGUAGE,
    ),
)

_SKILLS: Final = "#Microsoft.Skills."
_LARGEST_INLINE: Final = 10 * 1024
_IMAGE_ACTIONS: Final = ("none", "generateNormalizedImages", "generateNormalizedImagePerPage")


def check_skill_settings(skillset: SkillsetDefinition) -> Iterator[Problem]:
    """The problems of each skill's settings, of inputs, and of the knowledge store."""
    tree = skillset.tree
    for short in ("chunking", "embedding"):
        yield from _check_inputs(getattr(skillset, short).get("inputs"), f"/{short}/inputs", tree)
    for skill, pointer in items(skillset.skills, "/skills"):
        yield from _check_inputs(skill.get("inputs"), step(pointer, "inputs"), tree)
        check = _CHECKS.get(str(skill.get("@odata.type")).removeprefix(_SKILLS))
        if check is not None:
            yield from check(skill, pointer, tree)
    if skillset.knowledge_store is not None:
        yield from _check_store(skillset.knowledge_store, tree)


def _check_inputs(inputs: object, pointer: str, tree: Tree) -> Iterator[Problem]:
    for entry, at in items(inputs, pointer):
        name, inner = entry.get("name"), entry.get("inputs")
        if entry.get("source") and (inner or entry.get("sourceContext")):
            message = f"the input {name} has a source, and sourceContext or inputs besides"
            yield Problem("AZS319", message, tree.locate_key(step(at, "source")))
        elif not entry.get("source") and not inner:
            message = f"the input {name} has neither a source nor inputs of its own"
            yield Problem("AZS319", message, tree.locate(at), hint="source: /document/content")
        yield from _check_inputs(inner, step(at, "inputs"), tree)


def _outputs(skill: Mapping[str, Any], pointer: str) -> dict[str, str]:
    return {str(entry.get("name")): at for entry, at in items(skill.get("outputs"), step(pointer, "outputs"))}


def _check_pii(skill: Mapping[str, Any], pointer: str, tree: Tree) -> Iterator[Problem]:
    mask, mode = skill.get("maskingCharacter"), skill.get("maskingMode")
    if isinstance(mask, str) and len(mask) != 1:
        message = f"maskingCharacter is one character, not {quoted(mask)}"
        yield Problem("AZS317", message, tree.locate(step(pointer, "maskingCharacter")))
    masked = _outputs(skill, pointer).get("maskedText")
    if masked is not None and mode in (None, "none"):
        message = "maskedText is only made with maskingMode replace"
        yield Problem("AZS317", message, tree.locate(masked), severity="warning", hint="maskingMode: replace")


def _check_lookup(skill: Mapping[str, Any], pointer: str, tree: Tree) -> Iterator[Problem]:
    inline, address = skill.get("inlineEntitiesDefinition"), skill.get("entitiesDefinitionUri")
    if not inline and not address:
        message = "the skill looks for nothing: neither inlineEntitiesDefinition nor entitiesDefinitionUri"
        yield Problem("AZS317", message, tree.locate(pointer))
    if inline and address:
        message = "inlineEntitiesDefinition wins, so entitiesDefinitionUri is not read"
        yield Problem("AZS317", message, tree.locate_key(step(pointer, "entitiesDefinitionUri")), severity="warning")
    if inline:
        size = len(json.dumps(inline, ensure_ascii=False).encode("utf-8", "surrogatepass"))
        if size > _LARGEST_INLINE:
            message = f"inlineEntitiesDefinition has {size:,} bytes, and 10 KB are allowed"
            place = tree.locate_key(step(pointer, "inlineEntitiesDefinition"))
            yield Problem(
                "AZS317", message, place, hint="put the list into a file, and name it by entitiesDefinitionUri"
            )


def _check_extraction(skill: Mapping[str, Any], pointer: str, tree: Tree) -> Iterator[Problem]:
    configuration = skill.get("configuration")
    if configuration is not None and not isinstance(configuration, Mapping):
        yield Problem("AZS202", "configuration takes a mapping", tree.locate(step(pointer, "configuration")))
        return
    at = step(pointer, "configuration")
    action = member(configuration, "imageAction")
    if action is not None and action not in _IMAGE_ACTIONS:
        hint = name_hint(str(action), _IMAGE_ACTIONS)
        place = tree.locate(step(at, "imageAction"))
        yield Problem("AZS202", f"imageAction does not take {quoted(action)}", place, hint=hint)
    low, high = IMAGE_SIDES
    for name in ("normalizedImageMaxWidth", "normalizedImageMaxHeight"):
        value = member(configuration, name)
        if value is not None and (not is_integer(value) or not low <= value <= high):
            message = f"{name} must be between {low} and {high}, and is {quoted(value)}"
            yield Problem("AZS203", message, tree.locate(step(at, name)))


def _check_chunking(skill: Mapping[str, Any], pointer: str, tree: Tree) -> Iterator[Problem]:
    chunking = skill.get("chunkingProperties")
    length, overlap = member(chunking, "maximumLength"), member(chunking, "overlapLength")
    if is_integer(length) and is_integer(overlap) and overlap * 2 >= length:
        message = f"overlapLength {overlap} must be below half of maximumLength {length}"
        place = tree.locate(f"{pointer}/chunkingProperties/overlapLength")
        yield Problem("AZS317", message, place, hint=f"at most {max((length - 1) // 2, 0)}")


def _check_layout(skill: Mapping[str, Any], pointer: str, tree: Tree) -> Iterator[Problem]:
    yield from _check_chunking(skill, pointer, tree)
    text = skill.get("outputFormat") == "text"
    if not text and skill.get("chunkingProperties"):
        message = "chunkingProperties belong to outputFormat text"
        yield Problem("AZS317", message, tree.locate_key(step(pointer, "chunkingProperties")))
    for name, at in _outputs(skill, pointer).items():
        if name == ("markdown_document" if text else "text_sections"):
            wanted = "markdown" if text else "text"
            message = f"{name} is only made with outputFormat {wanted}"
            yield Problem("AZS317", message, tree.locate(at), hint=f"outputFormat: {wanted}")


def _check_answer(skill: Mapping[str, Any], pointer: str, tree: Tree) -> Iterator[Problem]:
    wanted = skill.get("responseFormat")
    kind, schema = member(wanted, "type"), member(wanted, "jsonSchemaProperties")
    if kind in ("jsonSchema", "json_schema") and not schema:
        message = f"responseFormat {kind} needs jsonSchemaProperties"
        yield Problem("AZS317", message, tree.locate_key(step(pointer, "responseFormat")))
    elif schema and kind not in ("jsonSchema", "json_schema"):
        message = f"jsonSchemaProperties have no effect with responseFormat {kind or 'text'}"
        place = tree.locate_key(f"{pointer}/responseFormat/jsonSchemaProperties")
        yield Problem("AZS317", message, place, severity="warning")


_CHECKS: Final[Mapping[str, Callable[[Mapping[str, Any], str, Tree], Iterator[Problem]]]] = {
    "Text.PIIDetectionSkill": _check_pii,
    "Text.CustomEntityLookupSkill": _check_lookup,
    "Util.DocumentExtractionSkill": _check_extraction,
    "Util.DocumentIntelligenceLayoutSkill": _check_layout,
    "Util.ContentUnderstandingSkill": _check_chunking,
    "Custom.ChatCompletionSkill": _check_answer,
}


def _check_store(store: Mapping[str, Any], tree: Tree) -> Iterator[Problem]:
    if store.get("storageConnectionString") is None:
        message = "a knowledge store needs a storageConnectionString"
        yield Problem("AZS318", message, tree.locate_key("/knowledgeStore"))
    for group, at in items(store.get("projections"), "/knowledgeStore/projections"):
        for part, needed in (("tables", "tableName"), ("objects", "storageContainer"), ("files", "storageContainer")):
            for selector, below in items(group.get(part), step(at, part)):
                if not selector.get(needed):
                    yield Problem("AZS318", f"each of {part} needs a {needed}", tree.locate(below))
                if not selector.get("source") and not selector.get("inputs"):
                    message = f"each of {part} needs a source, or a sourceContext with inputs"
                    yield Problem("AZS318", message, tree.locate(below))
