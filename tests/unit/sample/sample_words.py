"""Content words of a question or an excerpt: lower-cased, function words left out, endings cut off."""

import re

_ENGLISH = """
a about above after again all also am an and any anybody anyone are as at be because been before being below
between both but by can cannot could did do does doing don down each else even ever every for from further get
gets give given had has have having he her here him his how i if in into is it its itself just let may me might
mine more most much many must my no nobody nor not now of off on once one only onto or other our out over own per
shall she should since so some somebody someone something such than that the their them then there these they
this those through to too under until up upon us very was we were what when where which while who whom whose why
will with within without would you your
"""
_ITALIAN = """
al alla alle allo agli ai anche che chi ci come con cosa cui da dal dalla dalle dai dagli de degli dei del della
delle dello devo deve di dopo dove due e ed essere fra gli ha hai ho il io la le lo loro ma mi mia mie miei mio
nel nella nelle nei negli non o ogni per perche perché più posso può prima qual quale quali quando quanti quanto
quanta quante questo questa se senza si sia sono su sua sue sul sulla sulle sui suo tra un una uno vi l d c è s t
n dell all nell sull dall quell
"""
_NAMES = (
    "limerick brno bergamo leeds ireland irlanda czechia italia corrivane lodestead harbour tally quayside beacon kelp"
)

STOP_WORDS = frozenset(_ENGLISH.split() + _ITALIAN.split())
NAMES = frozenset(_NAMES.split())
ENDINGS = (
    "ations", "ation", "ments", "ment", "ings", "ing", "ied", "ies", "edly", "ed", "es", "ly", "ers", "er",
    "s", "e", "y", "a", "i", "o",
)  # fmt: skip

_WORD = re.compile(r"[^\W_]+(?:[-./][^\W_]+)*")


def content_words(text: str) -> frozenset[str]:
    """The stems of what carries meaning. Names of the company's world and anything with a digit in it are left out."""
    words = _WORD.findall(text.lower().replace("’", " ").replace("'", " "))
    parts = {part for word in words if not _is_code(word) for part in re.split(r"[-./]", word)}
    return frozenset(_stem(part) for part in parts - STOP_WORDS - NAMES if len(part) > 1)


def _is_code(word: str) -> bool:
    return any(character.isdigit() for character in word)


def _stem(word: str) -> str:
    ending = next((e for e in ENDINGS if word.endswith(e) and len(word) - len(e) >= 3), "")
    stem = word.removesuffix(ending)
    return stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] else stem
