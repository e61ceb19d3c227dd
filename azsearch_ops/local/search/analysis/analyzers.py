"""The analyzers by the names of the service; one that is not here is refused by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial

from azsearch_ops.local.errors import not_supported_here
from azsearch_ops.local.search.analysis import tokenizers
from azsearch_ops.local.search.analysis.french import french_light_stem
from azsearch_ops.local.search.analysis.italian import italian_light_stem
from azsearch_ops.local.search.analysis.porter import porter_stem
from azsearch_ops.local.search.analysis.terms import (
    FRENCH_ARTICLES,
    ITALIAN_ARTICLES,
    TermFilter,
    chain,
    lowercase,
    stop_words,
    without_article,
    without_possessive,
)
from azsearch_ops.local.search.analysis.tokenizers import Tokenizer

DEFAULT_ANALYZER = "standard.lucene"


@dataclass(frozen=True, slots=True)
class Token:
    """A term with the code point offsets of the text it came from and its position among the tokens."""

    term: str
    start: int
    end: int
    position: int


@dataclass(frozen=True, slots=True)
class Analyzer:
    """A tokenizer and what is done to one token; `term` is None where tokens stay as they are.

    `normal` is what is done to a part of a term, such as the text before a `*`: no stop words and no stemming.
    """

    name: str
    tokenizer: Tokenizer
    term: TermFilter | None = None
    normal: Callable[[str], str] = str

    def surfaces(self, text: str) -> list[str]:
        """The tokens as they stand in the text; position is the place in this list."""
        return self.tokenizer.surfaces(text)

    def term_of(self, surface: str) -> str | None:
        """What is indexed for a token; None for a stop word."""
        return self.term(surface) if self.term else surface

    def tokens(self, text: str) -> Iterator[Token]:
        """The terms of a text in order; a dropped stop word leaves a gap in the positions."""
        for position, (start, end) in enumerate(self.tokenizer.spans(text)):
            term = self.term_of(text[start:end])
            if term is not None:
                yield Token(term, start, end, position)


@cache
def _analyzers() -> dict[str, Analyzer]:
    french = partial(without_article, articles=FRENCH_ARTICLES)
    italian = partial(without_article, articles=ITALIAN_ARTICLES)
    built = (
        Analyzer("standard.lucene", tokenizers.STANDARD, lowercase, lowercase),
        Analyzer("keyword", tokenizers.KEYWORD),
        Analyzer("simple", tokenizers.LETTER, lowercase, lowercase),
        Analyzer("stop", tokenizers.LETTER, chain(stop=stop_words("english")), lowercase),
        Analyzer("whitespace", tokenizers.WHITESPACE),
        Analyzer("pattern", tokenizers.PATTERN, lowercase, lowercase),
        Analyzer(
            "en.lucene",
            tokenizers.STANDARD,
            chain(porter_stem, stop_words("english"), without_possessive),
            lowercase,
        ),
        Analyzer(
            "fr.lucene",
            tokenizers.STANDARD,
            chain(french_light_stem, stop_words("french"), french),
            lambda text: lowercase(french(text)),
        ),
        Analyzer(
            "it.lucene",
            tokenizers.STANDARD,
            chain(italian_light_stem, stop_words("italian"), italian),
            lambda text: lowercase(italian(text)),
        ),
    )
    return {analyzer.name: analyzer for analyzer in built} | {"standard": built[0]}


def analyzer_names() -> tuple[str, ...]:
    """Every analyzer that is built here."""
    return tuple(_analyzers())


def known_analyzer(name: str) -> Analyzer | None:
    """The analyzer of that name, None for one that only the cloud has."""
    return _analyzers().get(name)


def analyzer(name: str) -> Analyzer:
    """The analyzer of that name; ServiceFault for one that only the cloud has."""
    found = known_analyzer(name)
    if found is None:
        raise not_supported_here(f"the analyzer '{name}' (it has {', '.join(analyzer_names())})", "analyzer")
    return found
