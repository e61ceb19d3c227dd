"""What becomes of one token on its way into the index: lower case, elision, possessive, stop words, stem."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache
from importlib.resources import files

TermFilter = Callable[[str], str | None]

FRENCH_ARTICLES = frozenset(["l", "m", "t", "qu", "n", "s", "j", "d", "c", "jusqu", "quoiqu", "lorsqu", "puisqu"])
ITALIAN_ARTICLES = frozenset(
    [
        "c",
        "l",
        "all",
        "dall",
        "dell",
        "nell",
        "sull",
        "coll",
        "pell",
        "gl",
        "agl",
        "dagl",
        "degl",
        "negl",
        "sugl",
        "un",
        "m",
        "t",
        "s",
        "v",
        "d",
    ]
)


@cache
def stop_words(language: str) -> frozenset[str]:
    """The words of `stopwords/LANGUAGE.txt`."""
    text = files(__package__).joinpath("stopwords", f"{language}.txt").read_text(encoding="utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


def lowercase(token: str) -> str:
    """Lower case character by character, as Java does it: no final sigma, and a dotless result for a dotted I."""
    if token.isascii():
        return token.lower()
    return "".join(low if len(low := char.lower()) == 1 else low[0] for char in token)


def without_article(token: str, articles: Collection[str]) -> str:
    """The token without an elided article: dell'arte → arte."""
    for at, char in enumerate(token):
        if char in "'\u2019":
            return token[at + 1 :] if lowercase(token[:at]) in articles else token
    return token


def without_possessive(token: str) -> str:
    """The token without a final 's, whatever its apostrophe."""
    if len(token) > 1 and token[-1] in "sS" and token[-2] in "'\u2019\uff07":
        return token[:-2]
    return token


def chain(
    stem: Callable[[str], str] | None = None,
    stop: Collection[str] = frozenset(),
    before: Callable[[str], str] | None = None,
) -> TermFilter:
    """Lower case, with `before` ahead of it and stop words and stem behind it; None when the token drops out."""

    def term(token: str) -> str | None:
        low = lowercase(before(token) if before else token)
        if low in stop:
            return None
        return stem(low) if stem else low

    return term
