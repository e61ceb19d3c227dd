"""Hit highlighting: the sentences of a field in which a query matches, with tags around the words that match.

Where fragments begin and end is not documented; here they are sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from azsearch_ops.chunking.sentences import sentence_breaks
from azsearch_ops.local.errors import invalid_request
from azsearch_ops.local.search.analysis.analyzers import Token, analyzer
from azsearch_ops.local.search.closeness import distance
from azsearch_ops.local.search.contents import texts_of
from azsearch_ops.local.search.leaves import wildcard
from azsearch_ops.local.search.marking import marked
from azsearch_ops.local.search.parameters import Parameters
from azsearch_ops.local.search.query import (
    Boolean,
    Boosted,
    Fuzzy,
    Leaf,
    MatchAll,
    MatchNone,
    Occur,
    Phrase,
    Prefix,
    Query,
    Regex,
    Synonym,
    Term,
    Wildcard,
)
from azsearch_ops.local.search.schema import Field, Schema

DEFAULT_FRAGMENTS = 5
MAX_FRAGMENTS = 1000


@dataclass(frozen=True, slots=True)
class Highlights:
    """Which fields are wanted, how many fragments of each at most, and the tags."""

    fields: tuple[tuple[Field, int], ...]
    pre: str
    post: str

    def of(self, document: Mapping[str, Any], query: Query) -> dict[str, list[str]]:
        """Field → its fragments, only for fields in which the query matches."""
        leaves = list(_leaves(query))
        found: dict[str, list[str]] = {}
        for field, most in self.fields:
            own = [leaf for leaf in leaves if leaf.field == field.path]
            fragments = [f for value in texts_of(field.path, document) for f in self._fragments(field, value, own)]
            if fragments:
                found[field.path] = fragments[:most]
        return found

    def _fragments(self, field: Field, value: str, leaves: Sequence[Leaf]) -> Iterator[str]:
        tokens = list(analyzer(field.index_analyzer).tokens(value))
        spans = sorted({(t.start, t.end) for leaf in leaves for t in _matching(leaf, tokens)})
        if not spans:
            return
        breaks = sentence_breaks(value)
        for start, end in zip((0, *breaks.starts), (*breaks.ends, len(value)), strict=True):
            inside = [(first - start, last - start) for first, last in spans if start <= first < end]
            if inside:
                yield marked(value[start:end], inside, self.pre, self.post)


def read_highlights(parameters: Parameters, schema: Schema) -> Highlights | None:
    """What `highlight` asks for; ServiceFault 400 for a field that has no terms, or a number out of range."""
    named: list[tuple[Field, int]] = []
    for entry in (parameters.string("highlight") or "").split(","):
        if not entry.strip():
            continue
        name, _, number = entry.strip().partition("-")
        field = schema.by_path.get(name)
        if field is None or field not in schema.searchable:
            reason = "does not exist in the index" if field is None else "is not searchable"
            raise invalid_request(
                f"The field '{name}' in the highlight list {reason}.", "FieldNotSearchable", "highlight"
            )
        most = int(number) if number.isdecimal() else 0 if number else DEFAULT_FRAGMENTS
        if not 1 <= most <= MAX_FRAGMENTS:
            raise invalid_request(
                f"'{entry.strip()}' asks for no number of fragments from 1 to {MAX_FRAGMENTS}.",
                "InvalidParameter",
                "highlight",
            )
        named.append((field, most))
    if not named:
        return None
    pre, post = parameters.string("highlightPreTag"), parameters.string("highlightPostTag")
    return Highlights(tuple(named), "<em>" if pre is None else pre, "</em>" if post is None else post)


def _leaves(query: Query) -> Iterator[Leaf]:
    """What must or may match; a stack, since queries nest deep."""
    waiting = [query]
    while waiting:
        current = waiting.pop()
        if isinstance(current, Boosted):
            waiting.append(current.query)
        elif isinstance(current, Boolean):
            waiting += [clause.query for clause in current.clauses if clause.occur is not Occur.MUST_NOT]
        elif not isinstance(current, MatchAll | MatchNone):
            yield current


def _matching(leaf: Leaf, tokens: Sequence[Token]) -> Iterator[Token]:
    if isinstance(leaf, Phrase):
        yield from _in_phrase(leaf, tokens)
    else:
        fits = _test(leaf)
        yield from (token for token in tokens if fits(token.term))


def _test(leaf: Term | Synonym | Prefix | Wildcard | Regex | Fuzzy) -> Callable[[str], bool]:
    if isinstance(leaf, Term):
        return leaf.term.__eq__
    if isinstance(leaf, Synonym):
        return leaf.terms.__contains__
    if isinstance(leaf, Prefix):
        return lambda term: term.startswith(leaf.prefix)
    if isinstance(leaf, Fuzzy):
        return lambda term: distance(leaf.term, term, leaf.edits) <= leaf.edits
    return (wildcard(leaf.pattern)[1] if isinstance(leaf, Wildcard) else leaf.automaton).matches


def _in_phrase(phrase: Phrase, tokens: Sequence[Token]) -> Iterator[Token]:
    """The words of a phrase where they stand as it says; with a distance, wherever they stand."""
    if phrase.slop:
        words = {term for term, _ in phrase.terms}
        yield from (token for token in tokens if token.term in words)
        return
    at = {token.position: token for token in tokens}
    for token in tokens:
        here = [at.get(token.position + place) for _, place in phrase.terms]
        if all(t is not None and t.term == term for t, (term, _) in zip(here, phrase.terms, strict=True)):
            yield from (t for t in here if t is not None)
