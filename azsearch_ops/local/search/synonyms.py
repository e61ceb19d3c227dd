"""Synonym maps: rules in Solr's format, applied to the terms of a query.

`a, b` makes each of them mean both; `a, b => c` puts c in the place of a and of b. Words of a rule go through the
analyzer of the field, as those of a query do; the longest left side that fits is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from azsearch_ops.local.search.analysis.analyzers import Token, analyzer
from azsearch_ops.local.search.analysis.terms import lowercase

Terms = tuple[str, ...]

_ARROW = re.compile(r"(?<!\\)=>")
_COMMA = re.compile(r"(?<!\\),")
_ESCAPE = re.compile(r"\\(.)")


@dataclass(frozen=True, slots=True)
class Piece:
    """One place of a query: what may stand there, each one term or several.

    `position` is that of the first token that it was made of, `width` how many positions they took.
    """

    alternatives: tuple[Terms, ...]
    position: int
    width: int = 1


class Synonyms:
    """The rules of a map as one analyzer reads them."""

    def __init__(self, rules: str, analyzer_name: str) -> None:
        self._analyzer = analyzer(analyzer_name)
        self._meanings: dict[Terms, dict[Terms, None]] = {}
        for line in rules.splitlines():
            if line.strip() and not line.lstrip().startswith("#"):
                self._add(line)
        self._longest = max(map(len, self._meanings), default=0)

    def pieces(self, tokens: Sequence[Token]) -> list[Piece]:
        """The tokens with the alternatives of each, several tokens being one piece where a rule takes them so."""
        found: list[Piece] = []
        at = 0
        while at < len(tokens):
            size = next(self._fitting(tokens, at), 0)
            taken = tokens[at : at + max(size, 1)]
            terms = tuple(token.term for token in taken)
            meanings = tuple(self._meanings[terms]) if size else (terms,)
            found.append(Piece(meanings, taken[0].position, taken[-1].position - taken[0].position + 1))
            at += len(taken)
        return found

    def _fitting(self, tokens: Sequence[Token], at: int) -> Iterator[int]:
        for size in range(min(self._longest, len(tokens) - at), 0, -1):
            if tuple(token.term for token in tokens[at : at + size]) in self._meanings:
                yield size

    def _add(self, line: str) -> None:
        left, *right = _ARROW.split(line)
        from_ = self._phrases(left)
        to = self._phrases(right[0]) if right else from_
        for terms in from_:
            self._meanings.setdefault(terms, {}).update(dict.fromkeys(to))

    def _phrases(self, text: str) -> list[Terms]:
        words = (_ESCAPE.sub(r"\1", part).strip() for part in _COMMA.split(text))
        found = (tuple(token.term for token in self._analyzer.tokens(lowercase(word))) for word in words)
        return [terms for terms in found if terms]


@lru_cache(maxsize=64)
def synonyms(rules: str, analyzer_name: str) -> Synonyms:
    """The rules of a map, read once."""
    return Synonyms(rules, analyzer_name)
