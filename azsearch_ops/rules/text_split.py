"""AZS10x: Text Split, in its short form and as a skill."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from azsearch_ops.contract import sources, text_split
from azsearch_ops.definitions.near import name_hint
from azsearch_ops.definitions.skillset import SkillsetDefinition
from azsearch_ops.definitions.tree import Tree, step
from azsearch_ops.errors import Problem
from azsearch_ops.rules.explanation import Explanation
from azsearch_ops.rules.finding import is_integer, items, quoted

_SOURCE: Final = sources.TEXT_SPLIT

EXPLANATIONS: Final = (
    Explanation(
        "AZS101",
        "The overlap is not below half of the page length",
        "Each page starts with the end of the one before. From half on, a page would hold nothing new, and Azure "
        "refuses the skill.",
        "Lower pageOverlapLength, or raise maximumPageLength. 10 to 25 % of the length is usual.",
        _SOURCE,
    ),
    Explanation(
        "AZS102",
        "A page length outside 300 to 50,000 characters",
        "Text Split counts UTF-16 units and takes no other length when `unit` is characters.",
        "Choose a length in that range; for tokens set `unit: azureOpenAITokens`.",
        _SOURCE,
    ),
    Explanation(
        "AZS103",
        "A setting that sentences ignore",
        "With `textSplitMode: sentences` the service ignores lengths, overlap and unit without a word.",
        "Remove the setting, or use pages.",
        _SOURCE,
    ),
    Explanation(
        "AZS104",
        "maximumPageLength is not stated",
        "The documentation gives a default of 5,000, the REST reference one of 10,000. What is not written down "
        "cannot be reviewed.",
        "Write maximumPageLength.",
        _SOURCE,
    ),
    Explanation(
        "AZS105",
        "Tokenizer settings that contradict the unit",
        "azureOpenAITokenizerParameters only count with `unit: azureOpenAITokens`, and know four encoders.",
        f"Encoders: {', '.join(text_split.ENCODERS)}. Set the unit, or remove the parameters.",
        _SOURCE,
    ),
    Explanation(
        "AZS106",
        "A language that Text Split does not know",
        "The language decides where sentences and words end; an unknown one is refused.",
        f"One of {', '.join(text_split.LANGUAGES)}.",
        _SOURCE,
    ),
    Explanation(
        "AZS107",
        "Pages are counted in tokens, and the length is large",
        "The upper bound in tokens is what the embedding model reads; beyond it the end of each page is not embedded.",
        "512 tokens with an overlap of 128 is a usual start.",
        sources.CHUNKING,
    ),
)

_TOKENS_READ: Final = 8_191
"""What text-embedding-ada-002 and text-embedding-3-* read."""


def check_text_split(skillset: SkillsetDefinition) -> Iterator[Problem]:
    """The problems of every Text Split skill of a skillset."""
    if skillset.chunking:
        yield from _check(skillset.chunking, "/chunking", skillset.tree)
    for skill, pointer in items(skillset.skills, "/skills"):
        if skill.get("@odata.type") == text_split.ODATA_TYPE:
            yield from _check(skill, pointer, skillset.tree)


def _check(split: Mapping[str, Any], pointer: str, tree: Tree) -> Iterator[Problem]:
    mode = split.get("textSplitMode", text_split.DEFAULT_MODE)
    language = split.get("defaultLanguageCode")
    if isinstance(language, str) and language not in text_split.LANGUAGES:
        hint = name_hint(language, text_split.LANGUAGES)
        place = tree.locate(step(pointer, "defaultLanguageCode"))
        yield Problem("AZS106", f"Text Split does not know the language {quoted(language)}", place, hint=hint)
    if mode == "sentences":
        for name in text_split.PAGES_ONLY:
            if split.get(name) is not None:
                message = f"{name} has no effect with textSplitMode sentences"
                yield Problem("AZS103", message, tree.locate_key(step(pointer, name)), hint="remove it, or use pages")
        return
    yield from _check_lengths(split, pointer, tree)
    yield from _check_tokens(split, pointer, tree)


def _check_lengths(split: Mapping[str, Any], pointer: str, tree: Tree) -> Iterator[Problem]:
    length, overlap = split.get("maximumPageLength"), split.get("pageOverlapLength", 0)
    if length is None:
        message = "maximumPageLength is not stated, and its default is not certain"
        yield Problem("AZS104", message, tree.locate_key(pointer), hint="add maximumPageLength")
        return
    if not is_integer(length):
        return
    place = tree.locate(step(pointer, "maximumPageLength"))
    if split.get("unit", text_split.DEFAULT_UNIT) == "characters":
        low, high = text_split.MINIMUM_PAGE_LENGTH, text_split.MAXIMUM_PAGE_LENGTH
        if not low <= length <= high:
            yield Problem("AZS102", f"maximumPageLength must be between {low} and {high}, and is {length}", place)
    elif length < 1:
        yield Problem("AZS102", f"maximumPageLength must be at least 1 token, and is {length}", place)
    elif length > _TOKENS_READ:
        message = f"pages of {length} tokens are longer than the {_TOKENS_READ} that embedding models read"
        yield Problem("AZS107", message, place, severity="warning")
    if is_integer(overlap) and overlap * 2 >= length:
        place = tree.locate(step(pointer, "pageOverlapLength"))
        message = f"pageOverlapLength {overlap} must be below half of maximumPageLength {length}"
        yield Problem("AZS101", message, place, hint=f"at most {max((length - 1) // 2, 0)}")


def _check_tokens(split: Mapping[str, Any], pointer: str, tree: Tree) -> Iterator[Problem]:
    parameters = split.get("azureOpenAITokenizerParameters")
    if not isinstance(parameters, Mapping):
        return
    at = step(pointer, "azureOpenAITokenizerParameters")
    if split.get("unit", text_split.DEFAULT_UNIT) != "azureOpenAITokens":
        message = "azureOpenAITokenizerParameters have no effect unless unit is azureOpenAITokens"
        yield Problem("AZS105", message, tree.locate_key(at), hint="add unit: azureOpenAITokens")
    encoder = parameters.get("encoderModelName")
    if encoder is not None and encoder not in text_split.ENCODERS:
        place = tree.locate(step(at, "encoderModelName"))
        message = f"Text Split has no encoder {quoted(encoder)}"
        yield Problem("AZS105", message, place, hint=name_hint(str(encoder), text_split.ENCODERS))
