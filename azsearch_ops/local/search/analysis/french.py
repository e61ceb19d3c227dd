"""The light French stemmer of Jacques Savoy (UniNE), which fr.lucene uses; it also folds accents of longer words."""

from __future__ import annotations

import itertools

_ACCENTS = str.maketrans("àáâôèéêùûîç", "aaaoeeeuuic")

# suffix, shortest word it applies to, characters to drop, what replaces them; first match ends the stemming
_DERIVED: tuple[tuple[str, int, int, str], ...] = (
    ("issement", 10, 7, "r"),
    ("issant", 9, 5, "r"),
    ("ivement", 8, 6, "f"),
    ("ement", 7, 4, ""),
    ("ficatrice", 12, 7, "er"),
    ("ficateur", 11, 6, "er"),
    ("catrice", 10, 7, "quer"),
    ("cateur", 9, 6, "quer"),
    ("atrice", 9, 6, "er"),
    ("ateur", 8, 5, "er"),
)


def french_light_stem(word: str) -> str:
    """The stem of a lower-case word."""
    if len(word) > 5 and word[-1] == "x":
        if word[-3:-1] == "au" and word[-4] != "e":
            word = word[:-2] + "lx"
        word = word[:-1]
    for letter in "xs":
        if len(word) > 3 and word[-1] == letter:
            word = word[:-1]
    for suffix, shortest, drop, new in _DERIVED:
        if len(word) >= shortest and word.endswith(suffix):
            return _normal(word[:-drop] + new)
    if len(word) > 6 and word.endswith("trice"):
        word = word[:-4] + "eur"
    return _normal(_rest(word))


def _rest(word: str) -> str:
    size = len(word)
    if size > 5 and word.endswith("ième"):
        return word[:-4]
    if size > 7 and word.endswith("teuse"):
        return word[:-3] + "r"
    if size > 6 and word.endswith("teur"):
        return word[:-2] + "r"
    if size > 5 and word.endswith("euse"):
        return word[:-2]
    if size > 8 and word.endswith("ère"):
        return word[:-3] + "er"
    if size > 7 and word.endswith("ive"):
        return word[:-2] + "f"
    if size > 4 and word.endswith(("folle", "molle")):
        return word[:-3] + "u"
    if size > 9 and word.endswith("nnelle"):
        return word[:-5]
    if size > 9 and word.endswith("nnel"):
        return word[:-3]
    if size > 4 and word.endswith("ète"):
        word = word[:-3] + "et"
    if len(word) > 8 and word.endswith("ique"):
        word = word[:-4]
    size = len(word)
    if size > 8 and word.endswith("esse"):
        return word[:-3]
    if size > 7 and word.endswith("inage"):
        return word[:-3]
    if size > 9 and word.endswith("isation"):
        word = word[:-7]
        return word[:-2] + "el" if len(word) > 5 and word.endswith("ual") else word
    if size > 9 and word.endswith("isateur"):
        return word[:-7]
    if size > 8 and word.endswith(("ation", "ition")):
        return word[:-5]
    return word


def _normal(word: str) -> str:
    """Accents folded and doubled letters made single where more than four letters are left, then the ending cut."""
    if len(word) > 4:
        word = word.translate(_ACCENTS)
        word = word[0] + "".join(b for a, b in itertools.pairwise(word) if a != b or not b.isalpha())
    if len(word) > 4 and word.endswith("ie"):
        word = word[:-2]
    if len(word) > 4:
        for letter in "ree":
            if word[-1] == letter:
                word = word[:-1]
        if word[-1] == word[-2] and word[-1].isalpha():
            word = word[:-1]
    return word
