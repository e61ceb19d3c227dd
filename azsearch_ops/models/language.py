"""Which language a text is in, told on the CPU by py3langid: byte n-grams and naive Bayes, 139 languages."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from typing import Any, Final

from azsearch_ops.errors import AzsearchOpsError

CHINESE: Final = "zh"
_NO_LANGUAGE: Final = "zxx"


class LanguageModelError(AzsearchOpsError):
    """The model that tells languages is not installed."""

    code = "language-model"


@dataclass(frozen=True, slots=True)
class Told:
    """A language and how sure that is, from 0 to 1; `code` is None where no language of the list can be told."""

    code: str | None
    score: float


class Detector:
    """Tells languages of a list, and none beside it. Equal texts get equal answers; threads may share one."""

    def __init__(self, codes: Collection[str], chinese: tuple[str, str]) -> None:
        from py3langid.langid import MODEL_FILE, LanguageIdentifier

        self._model: Any = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
        own = {CHINESE if code in chinese else code for code in codes}
        self._model.set_languages([label for label in self._model.labels if label in own or label == _NO_LANGUAGE])
        self._chinese = chinese

    def tell(self, text: str) -> Told:
        """The language of most of the text; none without letters."""
        if not any(letter.isalpha() for letter in text):
            return Told(None, 0.0)
        label, score = self._model.classify(text)
        if label == _NO_LANGUAGE:
            return Told(None, 0.0)
        return Told(self._script(text) if label == CHINESE else str(label), float(score))

    def _script(self, text: str) -> str:
        """Simplified or traditional Chinese, by the characters that only one of two national encodings has."""
        simplified = traditional = 0
        for letter in set(text):
            if "\u4e00" <= letter <= "\u9fff":
                in_simplified, in_traditional = _encodes(letter, "gb2312"), _encodes(letter, "big5")
                simplified += in_simplified and not in_traditional
                traditional += in_traditional and not in_simplified
        return self._chinese[traditional > simplified]


def is_installed() -> bool:
    """Whether languages can be told here; asked without loading anything."""
    return find_spec("py3langid") is not None


@lru_cache(maxsize=2)
def detector(codes: frozenset[str], chinese: tuple[str, str]) -> Detector:
    """The detector of these codes, loaded once; `chinese` are the codes of simplified and traditional Chinese.

    Raises LanguageModelError.
    """
    if not is_installed():
        raise LanguageModelError(
            "the model that tells languages is not installed", hint="Run: pip install 'azsearch-ops[local]'."
        )
    return Detector(codes, chinese)


def _encodes(letter: str, encoding: str) -> bool:
    try:
        letter.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
