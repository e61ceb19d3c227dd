"""AZS11x: Text Split on the documents as they are: overlap, length for the model, languages."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, Protocol

from azsearch_ops.chunking.text_split import Span, TextSplit, split
from azsearch_ops.contract import sources, text_split
from azsearch_ops.contract.skills import EMBEDDING_READS
from azsearch_ops.definitions.skillset import SkillsetDefinition
from azsearch_ops.definitions.tree import step
from azsearch_ops.errors import Problem
from azsearch_ops.rules.explanation import Explanation
from azsearch_ops.rules.finding import Subject, items
from azsearch_ops.rules.vectors import embedding_outputs

EXPLANATIONS: Final = (
    Explanation(
        "AZS111",
        "An overlap that gives none",
        "Text Split begins a page at a sentence where it can. Where sentences are longer than the overlap, pages share "
        "nothing, and an answer across a boundary is lost all the same.",
        "Raise the overlap, or leave it out.",
        sources.CHUNKING,
    ),
    Explanation(
        "AZS112",
        "An overlap that multiplies the chunks",
        "Every chunk is embedded, stored and searched. Near half of the length, an overlap doubles all of that.",
        "10 to 25 % of the length is usual.",
        sources.CHUNKING,
    ),
    Explanation(
        "AZS113",
        "Chunks that are longer than the embedding model reads",
        "What is beyond the model's limit is cut off, or fails the document; it can be found by its words only.",
        "Lower maximumPageLength, or name what your model reads under `models` of the environment.",
        sources.CHUNKING,
    ),
    Explanation(
        "AZS114",
        "A detected language that Text Split may not know",
        "For a languageCode outside its list Text Split warns and leaves the document unsplit: one chunk, however "
        "long.",
        "Set defaultLanguageCode instead, or map unknown languages to one of the list by a conditional skill.",
        sources.TEXT_SPLIT,
    ),
    Explanation(
        "AZS115",
        "One token budget for languages that need very different numbers of tokens",
        "The same number of tokens holds a third of the meaning in Turkish or Japanese that it holds in English, so "
        "their chunks are much shorter.",
        "Measure pages in characters, or split languages with skillsets of their own.",
        sources.CHUNKING,
    ),
)

MOST_CHARACTERS: Final = 3_000_000
"""Documents beyond this many characters together are left out; they are taken in the order of their paths."""

_MULTIPLIES: Final = 1.5
_DENSITY_RATIO: Final = 2.0
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


class Counting(Protocol):
    """A tokenizer, as far as these rules need one."""

    def count(self, text: str) -> int:
        """How many tokens the text has."""

    def starts(self, text: str) -> Sequence[int]:
        """The offset at which each token starts, in code points."""


Tokenizers = Callable[[str], Counting]
"""Encoding (cl100k_base …) → its tokenizer."""


def check_detected_language(skillset: SkillsetDefinition) -> Iterator[Problem]:
    """Text Split skills that take their language from detection."""
    for split_skill, pointer in _splits(skillset):
        for entry, at in items(split_skill.get("inputs"), step(pointer, "inputs")):
            if entry.get("name") == "languageCode":
                message = "a detected language outside Text Split's list leaves the document unsplit"
                yield Problem("AZS114", message, skillset.tree.locate(at), severity="warning")


def check_chunks(subject: Subject, texts: Mapping[str, str], tokenizers: Tokenizers) -> Iterator[Problem]:
    """What the first Text Split skill of a skillset makes of the documents."""
    skillset = subject.skillset
    first = next(iter(_splits(skillset)), None) if skillset is not None else None
    if skillset is None or first is None:
        return
    body, pointer = first
    try:
        options = TextSplit.from_skill(body)
    except (KeyError, TypeError, ValueError):
        return  # Its own rules say why
    if not _usable(options):
        return
    by_tokens = options.unit == "azureOpenAITokens"
    starts = tokenizers(options.encoder).starts if by_tokens else None
    taken = _taken(texts)
    chunks = {path: split(text, options, starts) for path, text in taken.items()}
    place = skillset.tree.locate_key(step(pointer, "pageOverlapLength"))
    if options.mode == "pages" and options.page_overlap_length > 0:
        yield from _check_overlap(options, taken, chunks, starts, place)
    yield from _check_model(subject, skillset, taken, chunks, tokenizers)
    if any(e.get("name") == "languageCode" for e, _ in items(body.get("inputs"), "")):
        unknown = sorted(path for path, text in taken.items() if _script(text) in _UNKNOWN_SCRIPTS)
        if unknown:
            message = f"{_counted(unknown, 'document')} in a script that Text Split has no language for: {unknown[0]}"
            yield Problem("AZS114", message, skillset.tree.locate(pointer), severity="warning")
    if by_tokens:
        yield from _check_density(options, taken, tokenizers, skillset, pointer)


def _splits(skillset: SkillsetDefinition) -> Iterator[tuple[Mapping[str, Any], str]]:
    if skillset.chunking:
        yield skillset.chunking, "/chunking"
    for skill, pointer in items(skillset.skills, "/skills"):
        if skill.get("@odata.type") == text_split.ODATA_TYPE:
            yield skill, pointer


def _usable(options: TextSplit) -> bool:
    """Whether the settings are such that their own rules find nothing wrong."""
    encoders = text_split.ENCODERS
    length = options.maximum_page_length
    return (
        0 <= options.page_overlap_length * 2 < length
        and options.language in text_split.LANGUAGES
        and (options.unit == "characters" or options.encoder in encoders)
        and (options.unit != "characters" or length >= text_split.MINIMUM_PAGE_LENGTH)
    )


def _taken(texts: Mapping[str, str]) -> dict[str, str]:
    taken: dict[str, str] = {}
    left = MOST_CHARACTERS
    for path in sorted(texts):
        left -= len(texts[path])
        if left < 0:
            break
        taken[path] = texts[path]
    return taken


def _check_overlap(
    options: TextSplit,
    texts: Mapping[str, str],
    chunks: Mapping[str, tuple[Span, ...]],
    starts: Callable[[str], Sequence[int]] | None,
    place: Any,
) -> Iterator[Problem]:
    several = {path: spans for path, spans in chunks.items() if len(spans) > 1}
    none = [
        path for path, spans in several.items() if all(after.start >= before.end for before, after in pairwise(spans))
    ]
    asked = options.page_overlap_length
    if none and len(none) * 2 >= len(several):
        message = (
            f"the overlap of {asked} gives none on {len(none)} of {_counted(list(several), 'document')} with pages"
        )
        yield Problem("AZS111", message, place, severity="warning", hint=f"such as {none[0]}")
    if asked * 10 < options.maximum_page_length * 3:
        return  # Below three tenths an overlap cannot come near one and a half times the chunks
    bare = TextSplit(
        mode=options.mode,
        maximum_page_length=options.maximum_page_length,
        unit=options.unit,
        encoder=options.encoder,
        language=options.language,
    )
    without = sum(len(split(text, bare, starts)) for text in texts.values())
    with_overlap = sum(len(spans) for spans in chunks.values())
    if without and with_overlap / without >= _MULTIPLIES:
        factor = with_overlap / without
        message = (
            f"the overlap of {asked} makes {factor:.1f} times the chunks ({with_overlap:,} instead of {without:,})"
        )
        yield Problem("AZS112", message, place, severity="warning")


def _check_model(
    subject: Subject,
    skillset: SkillsetDefinition,
    texts: Mapping[str, str],
    chunks: Mapping[str, tuple[Span, ...]],
    tokenizers: Tokenizers,
) -> Iterator[Problem]:
    for output in embedding_outputs(skillset):
        own = subject.environment.models.get(output.model or "")
        reads = own.reads if own is not None else EMBEDDING_READS.get(output.model or "")
        if reads is None:
            continue
        counting: Counting | None = None
        longest, where, over = 0, "", 0
        for path, spans in chunks.items():
            for span in spans:
                # A token is one byte at least, so a short chunk needs no counting
                if (span.end - span.start) * 4 <= reads:
                    continue
                piece = texts[path][span.start : span.end]
                if len(piece.encode()) <= reads:
                    continue
                counting = counting or tokenizers(own.encoding if own is not None else "cl100k_base")
                tokens = counting.count(piece)
                over += tokens > reads
                if tokens > longest:
                    longest, where = tokens, path
        if longest > reads:
            message = (
                f"{over:,} chunks have more than the {reads:,} tokens that {output.model} reads (up to {longest:,})"
            )
            yield Problem("AZS113", message, skillset.tree.locate(output.pointer), hint=f"the longest is in {where}")


def _check_density(
    options: TextSplit, texts: Mapping[str, str], tokenizers: Tokenizers, skillset: SkillsetDefinition, pointer: str
) -> Iterator[Problem]:
    counting = tokenizers(options.encoder)
    held: dict[str, float] = {}
    for path, text in texts.items():
        sample = text[:_SAMPLE]
        tokens = counting.count(sample) if len(sample) >= 200 else 0
        if tokens:
            held[path] = len(sample.encode("utf-16-le")) / 2 / tokens * options.maximum_page_length
    if not held:
        return
    most, least = max(held, key=lambda p: held[p]), min(held, key=lambda p: held[p])
    if held[most] >= _DENSITY_RATIO * held[least]:
        budget = options.maximum_page_length
        message = f"{budget} tokens hold {held[most]:,.0f} characters of {most} and {held[least]:,.0f} of {least}"
        place = skillset.tree.locate(step(pointer, "maximumPageLength"))
        yield Problem("AZS115", message, place, severity="warning", hint="measure pages in characters")


def _script(text: str) -> str:
    """The script of most letters at the beginning of a text, as Unicode's names call it."""
    scripts = Counter(
        unicodedata.name(character, "").partition(" ")[0] for character in text[:_SAMPLE] if character.isalpha()
    )
    return scripts.most_common(1)[0][0] if scripts else ""


def _counted(things: list[str], noun: str) -> str:
    return f"{len(things):,} {noun}{'' if len(things) == 1 else 's'}"
