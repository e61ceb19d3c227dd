"""AZS115 and AZS116: budgets in tokens that hold much more of one of the documents' languages than of another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from azsearch_ops.chunking.text_split import TextSplit
from azsearch_ops.contract import detected_languages, sources
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.tree import step
from azsearch_ops.errors import Location, Problem
from azsearch_ops.rules.document_languages import BY_SCRIPT, Tell, script
from azsearch_ops.rules.explanation import Explanation
from azsearch_ops.rules.finding import Subject
from azsearch_ops.rules.split_skills import Counting, Tokenizers, splits, taken, usable

EXPLANATIONS: Final = (
    Explanation(
        "AZS115",
        "One token budget for languages that need very different numbers of tokens",
        "The models' vocabularies were made from English above all: the same number of tokens holds about half as much "
        "Turkish, and in characters a quarter as much Greek or Japanese, so their chunks are much shorter.",
        "Measure pages in characters, or split languages with skillsets of their own.",
        sources.CHUNKING,
    ),
    Explanation(
        "AZS116",
        "One reader budget for languages that need very different numbers of tokens",
        "A metric such as recall@2000t reads the ranking until the reader has so many tokens. Questions in a language "
        "that needs more tokens are measured on fewer pages than the others, and the mean of all hides it.",
        "Tag the questions with their language and gate the slices (gate.slices), or give each language an index.",
        sources.CHUNKING,
    ),
)

UNEQUAL: Final = 1.5
"""From here on one budget is not the same for two languages. English prose has 1.8 times as many characters a token as
Turkish, and 1.5 times as many as German."""
READER_ENCODING: Final = "cl100k_base"
"""What the reader of an evaluation counts in."""

_SAMPLE: Final = 4_000
_LEAST: Final = 200
_ENGLISH: Final = 400
_BUDGET: Final = re.compile(r"@(\d+)t$")


@dataclass(frozen=True, slots=True)
class Measured:
    """Characters (UTF-16 units) and tokens of the documents in one language, and the first of them."""

    characters: int
    tokens: int
    document: str

    def held(self, tokens: int) -> int:
        """How many characters so many tokens hold."""
        return round(self.characters / self.tokens * tokens)

    def needed(self, characters: int) -> int:
        """How many tokens so many characters have."""
        return round(self.tokens / self.characters * characters)


def check_token_budgets(
    subject: Subject, texts: Mapping[str, str], tokenizers: Tokenizers, tell: Tell | None, *, reader: bool = True
) -> Iterator[Problem]:
    """Pages and readers that are measured in tokens; without `tell`, scripts stand in for languages.

    They do for the reader too without `reader`: nearly every project has such a budget, and loading a model for it
    takes longer than all other checks.
    """
    index, skillset = subject.index, subject.skillset
    first = next(iter(splits(skillset)), None) if skillset is not None else None
    options = usable(first[0]) if first is not None else None
    by_tokens = options is not None and options.mode == "pages" and options.unit == "azureOpenAITokens"
    budgets = _budgets(index)
    if not (by_tokens or budgets):
        return
    read = taken(texts)
    tell = tell if by_tokens or reader else None
    groups = _by_language(read, tell)
    if len(groups) < 2:
        return
    if by_tokens and options is not None and skillset is not None and first is not None:
        place = skillset.tree.locate(step(first[1], "maximumPageLength"))
        yield from _check_pages(options, _measured(groups, read, tokenizers(options.encoder)), place, tell)
    if budgets:
        place, budget = index.locate(budgets[0][0]), budgets[0][1]
        measured = _measured(groups, read, tokenizers(READER_ENCODING))
        yield from _check_reader(options, measured, budget, place, tell)


def _check_pages(
    options: TextSplit, measured: Mapping[str, Measured], place: Location, tell: Tell | None
) -> Iterator[Problem]:
    found = _unequal(measured)
    if found is None:
        return
    most, least = found
    budget = options.maximum_page_length
    message = (
        f"{budget:,} tokens hold {measured[most].held(budget):,} characters of {most} and "
        f"{measured[least].held(budget):,} of {least}, such as {measured[least].document}"
    )
    hint = "measure pages in characters" if tell is not None else f"measure pages in characters; {BY_SCRIPT}"
    yield Problem("AZS115", message, place, severity="warning", hint=hint)


def _check_reader(
    options: TextSplit | None, measured: Mapping[str, Measured], budget: int, place: Location, tell: Tell | None
) -> Iterator[Problem]:
    found = _unequal(measured)
    if found is None:
        return
    most, least = found
    message = (
        f"a reader of {budget:,} tokens gets {measured[most].held(budget):,} characters of {most} and "
        f"{measured[least].held(budget):,} of {least}, such as {measured[least].document}"
    )
    hint = "tag the questions by language and gate each tag (gate.slices)"
    if options is not None and options.mode == "pages" and options.unit == "characters":
        length = options.maximum_page_length
        needed = [f"{measured[name].needed(length):,} tokens in {name}" for name in (most, least)]
        hint = f"pages of {length:,} characters hold {' and '.join(needed)}; {hint}"
    yield Problem(
        "AZS116", message, place, severity="warning", hint=hint if tell is not None else f"{hint}; {BY_SCRIPT}"
    )


def _budgets(index: IndexDefinition) -> tuple[tuple[str, int], ...]:
    """The metrics at a reader budget with their tokens; none where slices are gated by themselves."""
    if index.gate_rules.slices:
        return ()
    found = ((place, _BUDGET.search(name)) for place, name in enumerate(index.evaluation.metrics))
    return tuple((f"/evaluation/metrics/{place}", int(match[1])) for place, match in found if match)


def _by_language(texts: Mapping[str, str], tell: Tell | None) -> dict[str, list[str]]:
    """The documents by language (script without `tell`), those that are too short to measure left out.

    English is known without asking, by its commonest word: a project in English never loads the model.
    """
    groups: dict[str, list[str]] = {}
    for path, text in texts.items():
        if len(text) < _LEAST:
            continue
        if tell is None:
            name = f"{script(text).capitalize()} script" if script(text) else ""
        elif text.count(" the ", 0, _SAMPLE) * _ENGLISH >= min(len(text), _SAMPLE):
            name = "en"
        else:
            name = tell(text[:_SAMPLE])
        if name and name != detected_languages.UNKNOWN:
            groups.setdefault(name, []).append(path)
    return groups


def _measured(groups: Mapping[str, list[str]], texts: Mapping[str, str], counting: Counting) -> dict[str, Measured]:
    found: dict[str, Measured] = {}
    for name, paths in groups.items():
        samples = [texts[path][:_SAMPLE] for path in paths]
        characters = sum(len(sample.encode("utf-16-le", "surrogatepass")) // 2 for sample in samples)
        found[name] = Measured(characters, max(1, sum(counting.count(sample) for sample in samples)), paths[0])
    return found


def _unequal(by_language: Mapping[str, Measured]) -> tuple[str, str] | None:
    """The languages of which a budget holds the most and the least, where that is not much alike."""
    most, least = (choose(by_language, key=lambda n: by_language[n].held(1_000_000)) for choose in (max, min))
    unequal = by_language[most].held(1_000_000) >= UNEQUAL * by_language[least].held(1_000_000)
    return (most, least) if unequal else None
