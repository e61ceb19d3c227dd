"""Text reduced to what a comparison may rely on, so that extraction, cutting and retyping do not matter.

Two spellings of the same passage fold to the same string: Unicode compatibility forms (ligatures, full width),
case, kind of quotation mark, every white space, soft hyphens and other invisible characters, and dashes, except
one before a digit, which may be a minus sign or part of a code. Hyphenation at a line end disappears with it.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d"
_SINGLE = "'\u2018\u2019\u201a\u201b\u2032\u2039\u203a\u02bc`\u00b4"
_DOUBLE = '"\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb'
# U+FFFD is what is left of a character that a byte or token boundary ran through.
_INVISIBLE = "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\ufffd" + "".join(
    map(chr, [*range(0x202A, 0x202F), *range(0x2066, 0x206A), *range(0xFE00, 0xFE10)])
)
# Before normalisation, because NFKC would turn an acute accent on its own into a space and a combining mark.
_TABLE = {
    **{ord(c): "-" for c in _DASHES},
    **{ord(c): "'" for c in _SINGLE},
    **{ord(c): '"' for c in _DOUBLE},
    **{ord(c): None for c in _INVISIBLE},
}
_LOOSE_DASH = re.compile(r"-(?![0-9])")
_WIDE = re.compile(r"[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]")


def plain(text: str) -> str:
    """`text` in one Unicode form, case and kind of quotation mark, with its white space still there."""
    if text.isascii():
        return text.casefold().replace("`", "'")
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text.translate(_TABLE)).casefold())


def fold(text: str) -> str:
    """`text` as it is compared: `plain`, without white space and without dashes that say nothing."""
    joined = "".join(plain(text).split())
    return _LOOSE_DASH.sub("", joined) if "-" in joined else joined


def weight(folded: str) -> int:
    """How much `folded` says, in letters of an alphabet: a Chinese, Japanese or Korean character counts three."""
    return len(folded) if folded.isascii() else len(folded) + 2 * len(_WIDE.findall(folded))


def is_wide(character: str) -> bool:
    """Whether `character` belongs to a script that does not separate words."""
    return _WIDE.match(character) is not None


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text with the way back: `starts[i]` is the offset in the source where character i begins.

    `starts` has one entry more than `text`; the last is the length of the source, so that neighbouring pieces
    of the folded text stand for neighbouring pieces of the source and all of it for all.
    """

    text: str
    starts: tuple[int, ...]


def fold_with_offsets(text: str) -> Folded:
    """The same string as `fold(text)`, with the offset in `text` of each of its characters."""
    target = fold(text)
    pieces: list[str] = []
    origins: list[int] = []
    for start, end in _clusters(text):
        piece = "".join(plain(text[start:end]).split())
        pieces.append(piece)
        origins.extend([start] * len(piece))
    joined = "".join(pieces)
    loose = {found.start() for found in _LOOSE_DASH.finditer(joined)}
    kept = [i for i in range(len(joined)) if i not in loose]
    starts = [origins[i] for i in kept]
    if "".join(joined[i] for i in kept) != target:
        # Characters that compose across clusters (Hangul letters, for one): spread the offsets evenly.
        starts = [i * len(text) // len(target) for i in range(len(target))]
    if starts:
        starts[0] = 0
    return Folded(target, (*starts, len(text)))


def _clusters(text: str) -> list[tuple[int, int]]:
    """Spans of a character with the combining marks after it."""
    if text.isascii():
        return [(i, i + 1) for i in range(len(text))]
    starts = [i for i, c in enumerate(text) if i == 0 or not unicodedata.combining(c)]
    return list(zip(starts, [*starts[1:], len(text)], strict=True))
