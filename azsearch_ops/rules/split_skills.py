"""What the rules on documents share: the Text Split skills of a skillset, the texts that are looked at, tokenizers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, Protocol

from azsearch_ops.chunking.text_split import TextSplit
from azsearch_ops.contract import text_split
from azsearch_ops.definitions.skillset import SkillsetDefinition
from azsearch_ops.rules.finding import items

MOST_CHARACTERS: Final = 3_000_000
"""Documents beyond this many characters together are left out; they are taken in the order of their paths."""


class Counting(Protocol):
    """A tokenizer, as far as these rules need one."""

    def count(self, text: str) -> int:
        """How many tokens the text has."""

    def starts(self, text: str) -> Sequence[int]:
        """The offset at which each token starts, in code points."""


Tokenizers = Callable[[str], Counting]
"""Encoding (cl100k_base …) → its tokenizer."""


def splits(skillset: SkillsetDefinition) -> Iterator[tuple[Mapping[str, Any], str]]:
    """The Text Split skills with their pointers, the short form first."""
    if skillset.chunking:
        yield skillset.chunking, "/chunking"
    for skill, pointer in items(skillset.skills, "/skills"):
        if skill.get("@odata.type") == text_split.ODATA_TYPE:
            yield skill, pointer


def usable(body: Mapping[str, Any]) -> TextSplit | None:
    """The settings of a skill, where its own rules find nothing wrong with them."""
    try:
        options = TextSplit.from_skill(body)
    except (KeyError, TypeError, ValueError):
        return None
    length = options.maximum_page_length
    good = (
        0 <= options.page_overlap_length * 2 < length
        and options.language in text_split.LANGUAGES
        and (options.unit == "characters" or options.encoder in text_split.ENCODERS)
        and (options.unit != "characters" or length >= text_split.MINIMUM_PAGE_LENGTH)
    )
    return options if good else None


def taken(texts: Mapping[str, str]) -> dict[str, str]:
    """The texts that are looked at, by path."""
    found: dict[str, str] = {}
    left = MOST_CHARACTERS
    for path in sorted(texts):
        left -= len(texts[path])
        if left < 0:
            break
        found[path] = texts[path]
    return found


def counted(things: list[str], noun: str) -> str:
    """1 document, 2 documents."""
    return f"{len(things):,} {noun}{'' if len(things) == 1 else 's'}"
