"""The words of a text that carry meaning, and how many of them a question shares with its answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from azsearch_ops.evaluation.folding import plain
from azsearch_ops.evaluation.types import Query

HIGH_OVERLAP = 0.5
"""From here on questions repeat the words of their answers: BM25 finds what a user in other words would not.

Measured by `lexical_overlap`: 0.57 on the questions of Chroma's study, which a model wrote from the very excerpts.
"""

_WORD = re.compile(r"\w+")
_STEM = 5
"""Letters by which inflected forms are the same word: `expenses` and `expense`, `ferie` and `feriali`."""

_ENGLISH = """
a about after all also am an and any are as at be because been before being between both but by can could did do
does doing down during each every few for from further get give given gives had has have having he her here hers
him his how i if in into is it its itself just kind many may me might more most much must my need no nor not of
off on once one only or other our ours out over own per say says shall she should so some such than that the
their theirs them then there these they this those through to too under until up upon us use used very was we
were what when where whether which while who whom whose why will with within without would you your yours
"""
_ITALIAN = """
agli ai al alla alle allo anche che chi ci ci come con cosa cui da dagli dai dal dalla dalle dallo degli dei del
della delle dello di dove e ed era essere gli ha hai hanno ho i il in io la le lei lo loro lui ma mi mio ne negli
nei nel nella nelle nello noi non o ogni per perche piu poi puo qual quale quali quando quanta quante quanti
quanto quella quelle quelli quello questa queste questi questo se sei sia si siamo sono sua sue sui sul sulla
sulle suo ti tra tu tua tuo un una uno vi voi
"""
_GERMAN_FRENCH_SPANISH = """
aber als am an auch auf aus bei bin bis das dem den der des die durch ein eine einem einen einer er es fur habe
haben hat ich ihr im ist kann man mit nach nicht oder sich sie sind und von was wer wie wir wird zu zum zur au
aux avec ce ces cette dans de des du elle en est et il ils je les leur mais mes mon nous ou par pas pour qu que
qui sa ses son sont sur une vous como cual cuando el ella ellos es esta este hay las los mas muy para pero por
que quien se ser sin su sus un una unas unos y
"""
_SHORTEST = 3
_EMPTY = frozenset(f"{_ENGLISH}{_ITALIAN}{_GERMAN_FRENCH_SPANISH}".split())


@dataclass(frozen=True, slots=True)
class LexicalOverlap:
    """The mean share of a question's content words that its excerpts have, over `queries` that judge excerpts."""

    share: float
    queries: int

    @property
    def high(self) -> bool:
        """Whether these questions favour BM25."""
        return self.share >= HIGH_OVERLAP


def content_words(text: str) -> frozenset[str]:
    """The words of `text` without those that only join others, in lower case, cut to their first letters."""
    return frozenset(word for word in _words(text) if word)


def closest_share(wanted: str, text: str) -> float:
    """The largest share of the content words of `wanted` that stand together in `text`.

    Together means within twice the words that `wanted` has; a long text has nearly every word somewhere.
    """
    words, window = content_words(wanted), 2 * len(_WORD.findall(wanted))
    if not words:
        return 0.0
    places: list[tuple[int, str]] = [(at, word) for at, word in enumerate(_words(text)) if word in words]
    best = first = 0
    for last in range(len(places)):
        while places[last][0] - places[first][0] >= window:
            first += 1
        best = max(best, len({word for _, word in places[first : last + 1]}))
    return best / len(words)


def _words(text: str) -> list[str]:
    """Every word of `text` as it is compared; those that only join others are empty."""
    return [
        ""
        if word in _EMPTY or (len(word) < _SHORTEST and not word.isdigit())
        else word
        if word.isdigit()
        else word[:_STEM]
        for word in _WORD.findall(plain(text))
    ]


def lexical_overlap(queries: Sequence[Query]) -> LexicalOverlap | None:
    """How far questions share the words of their relevant excerpts; None where no query judges an excerpt."""
    shares: list[float] = []
    for query in queries:
        excerpts = [j.excerpt for j in query.judgements if j.excerpt and j.grade >= 1]
        words = content_words(query.text)
        if excerpts and words:
            shares.append(len(words & content_words(" ".join(excerpts))) / len(words))
    return LexicalOverlap(fmean(shares), len(shares)) if shares else None
