"""AZS114: documents in languages that Text Split does not know, as Language Detection will tell them."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from azsearch_ops.contract import detected_languages, sources, text_split
from azsearch_ops.definitions.skillset import SkillsetDefinition
from azsearch_ops.definitions.tree import step
from azsearch_ops.errors import Location, Problem
from azsearch_ops.rules.explanation import Explanation
from azsearch_ops.rules.finding import Subject, items
from azsearch_ops.rules.split_skills import counted, splits, taken

EXPLANATIONS: Final = (
    Explanation(
        "AZS114",
        "A detected language that Text Split may not know",
        "For a languageCode outside its list Text Split warns and leaves the document unsplit: one chunk, however "
        "long. Language Detection knows three times as many languages, and calls Chinese zh_chs and zh_cht.",
        "Set defaultLanguageCode instead, or map unknown languages to one of the list by a conditional skill.",
        sources.TEXT_SPLIT,
    ),
)

Tell = Callable[[str], str]
"""The beginning of a text → the code that Language Detection has for its language, `(Unknown)` for none."""

BY_SCRIPT: Final = "told by script alone; with the extra `local`, `validate --languages` tells languages"

_CHOOSES: Final = "#Microsoft.Skills.Util.ConditionalSkill"
_SAMPLE: Final = 4_000
_UNKNOWN_SCRIPTS: Final = frozenset(
    {
        "GREEK",
        "THAI",
        "LAO",
        "KHMER",
        "MYANMAR",
        "GEORGIAN",
        "ARMENIAN",
        "BENGALI",
        "GUJARATI",
        "GURMUKHI",
        "KANNADA",
        "MALAYALAM",
        "SINHALA",
        "TAMIL",
        "TELUGU",
        "TIBETAN",
    }
)
"""Scripts in which no language of Text Split's list is written."""


def check_detected_language(skillset: SkillsetDefinition) -> Iterator[Problem]:
    """Text Split skills that take their language from detection, or from anything but a skill that chooses one."""
    for split_skill, pointer in splits(skillset):
        for entry, at in items(split_skill.get("inputs"), step(pointer, "inputs")):
            if entry.get("name") == "languageCode" and _maker(skillset, entry.get("source"))[0] != _CHOOSES:
                message = "a detected language outside Text Split's list leaves the document unsplit"
                yield Problem("AZS114", message, skillset.tree.locate(at), severity="warning")


def check_documents_split(subject: Subject, texts: Mapping[str, str], tell: Tell | None) -> Iterator[Problem]:
    """Documents that the first Text Split skill leaves whole for their language; without `tell` the script decides."""
    skillset = subject.skillset
    first = next(iter(splits(skillset)), None) if skillset is not None else None
    if skillset is None or first is None:
        return
    body, pointer = first
    place = skillset.tree.locate(pointer)
    inputs = _sources(body)
    if "languageCode" not in inputs:
        return
    kind, read = _maker(skillset, inputs["languageCode"])
    if kind == _CHOOSES:
        return
    detected = kind == detected_languages.ODATA_TYPE and read == inputs.get("text", "/document/content")
    if tell is not None and detected:
        yield from _by_language(taken(texts), tell, place)
        return
    unknown = [path for path, text in taken(texts).items() if script(text) in _UNKNOWN_SCRIPTS]
    if unknown:
        message = f"{counted(unknown, 'document')} in a script that Text Split has no language for: {unknown[0]}"
        yield Problem("AZS114", message, place, severity="warning", hint=BY_SCRIPT if detected else "")


def script(text: str) -> str:
    """The script of most letters at the beginning of a text, as Unicode's names call it; empty without letters."""
    scripts = Counter(
        unicodedata.name(character, "").partition(" ")[0] for character in text[:_SAMPLE] if character.isalpha()
    )
    return scripts.most_common(1)[0][0] if scripts else ""


def _by_language(texts: Mapping[str, str], tell: Tell, place: Location) -> Iterator[Problem]:
    codes = {path: tell(text) for path, text in texts.items() if text and not text.isspace()}
    outside = {path: code for path, code in codes.items() if code not in text_split.LANGUAGES}
    if not outside:
        return
    longest = max(outside, key=lambda path: len(texts[path]))
    told = ", ".join(f"{code} ({number:,})" for code, number in Counter(outside.values()).most_common(5))
    message = (
        f"{len(outside):,} of {counted(list(codes), 'document')} {'stays' if len(outside) == 1 else 'stay'} unsplit, "
        f"in languages that Text Split does not know: {told}"
    )
    hint = f"the longest becomes one chunk of {len(texts[longest]):,} characters: {longest}"
    yield Problem("AZS114", message, place, severity="warning", hint=hint)


def _maker(skillset: SkillsetDefinition, path: object) -> tuple[str | None, object]:
    """The type of the skill that makes the value at a path, and what it reads as text; None where none does."""
    for skill, pointer in items(skillset.skills, "/skills"):
        for entry, _ in items(skill.get("outputs"), step(pointer, "outputs")):
            if path == f"{skill.get('context') or '/document'}/{entry.get('targetName') or entry.get('name')}":
                return str(skill.get("@odata.type")), _sources(skill).get("text")
    return None, None


def _sources(skill: Mapping[str, Any]) -> dict[object, object]:
    """The path of each input by its name."""
    return {entry.get("name"): entry.get("source") for entry, _ in items(skill.get("inputs"), "")}
