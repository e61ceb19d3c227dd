"""The language of texts and their numbers of tokens, worked out once: kept on disk under the text's own digest.

Loading the models that tell them takes longer than all other checks together. What is known of a text never changes
under its digest, so an entry is never stale. The file may be deleted at any time, and one that cannot be used is done
without.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from azsearch_ops.contract.detected_languages import CHINESE, MAXIMUM_CHARACTERS, NAMES, UNKNOWN
from azsearch_ops.models.language import detector, is_installed
from azsearch_ops.rules.split_skills import Counting

CACHE: Final = ".azsearch/cache/facts.sqlite"


class TextFacts:
    """Tells languages and counts tokens; what was asked before comes from the cache of the project at `root`."""

    def __init__(self, root: Path) -> None:
        self._file = root / CACHE
        self._opened: sqlite3.Connection | None = None
        self._tried = False
        self._fresh: dict[bytes, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._opened is None:
            return
        try:
            if self._fresh:
                self._opened.execute("BEGIN")
                self._opened.executemany("INSERT OR IGNORE INTO facts VALUES (?, ?)", list(self._fresh.items()))
                self._opened.execute("COMMIT")
        except sqlite3.Error:
            pass  # What cannot be kept is worked out again
        self._opened.close()

    def teller(self) -> Callable[[str], str] | None:
        """Text → the code that Language Detection has for it; None without the extra `local`."""
        if not is_installed():
            return None
        asked = f"language {version('py3langid')}"
        return lambda text: self._known(asked, text[:MAXIMUM_CHARACTERS], _language)

    def tokenizer(self, encoding: str) -> Tokens:
        """The tokenizer of an encoding, loaded when a text is new."""
        return Tokens(self, encoding)

    def tokens(self, encoding: str, text: str) -> int:
        """How many tokens the text has."""
        return int(self._known(f"tokens {encoding}", text, lambda text: str(_tokenizer(encoding).count(text))))

    def _known(self, asked: str, text: str, work_out: Callable[[str], str]) -> str:
        key = hashlib.sha256(f"{asked}\n{text}".encode("utf-8", "surrogatepass")).digest()
        found = self._fresh.get(key)
        if found is None and (cache := self._cache()) is not None:
            try:
                row = cache.execute("SELECT fact FROM facts WHERE key = ?", (key,)).fetchone()
            except sqlite3.Error:
                row = None
            found = None if row is None else str(row[0])
        if found is None:
            found = self._fresh[key] = work_out(text)
        return found

    def _cache(self) -> sqlite3.Connection | None:
        """The cache, opened when something is asked; None where it cannot be."""
        if not self._tried:
            self._tried = True
            try:
                self._file.parent.mkdir(parents=True, exist_ok=True)
                # Without a transaction while asking: nobody else waits for the file meanwhile
                self._opened = sqlite3.connect(self._file, timeout=2, isolation_level=None)
                self._opened.execute("CREATE TABLE IF NOT EXISTS facts (key BLOB PRIMARY KEY, fact TEXT NOT NULL)")
            except (OSError, sqlite3.Error):
                if self._opened is not None:
                    self._opened.close()
                self._opened = None
        return self._opened


@dataclass(frozen=True, slots=True)
class Tokens:
    """One encoding: counts from the facts, places from the tokenizer."""

    facts: TextFacts
    encoding: str

    def count(self, text: str) -> int:
        """How many tokens the text has."""
        return self.facts.tokens(self.encoding, text)

    def starts(self, text: str) -> Sequence[int]:
        """The offset at which each token starts, in code points."""
        return _tokenizer(self.encoding).starts(text)


def _language(text: str) -> str:
    return detector(frozenset(NAMES), CHINESE).tell(text).code or UNKNOWN


def _tokenizer(encoding: str) -> Counting:
    from azsearch_ops.models.tokenizer import tokenizer

    return tokenizer(encoding)
