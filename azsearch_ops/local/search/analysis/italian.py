"""The light Italian stemmer of Jacques Savoy (UniNE), which it.lucene uses."""

from __future__ import annotations

_ACCENTS = str.maketrans("àáâäòóôöèéêëùúûüìíîï", "aaaaooooeeeeuuuuiiii")
_BEFORE = {"e": "ih", "i": "ih", "a": "i", "o": "i"}


def italian_light_stem(word: str) -> str:
    """The stem of a lower-case word: the final vowel goes, with an i or h before it; short words stay as they are."""
    if len(word) < 6:
        return word
    word = word.translate(_ACCENTS)
    before = _BEFORE.get(word[-1])
    if before is None:
        return word
    return word[:-2] if word[-2] in before else word[:-1]
