"""The file that says where the service is: written when it listens, kept there while it runs, and gone with it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

SERVICE_FILE = "service.json"
LOCK_FILE = "service.lock"


class Whereabouts:
    """Says where the service is, in a folder that it has locked."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._folder: tuple[int, int] | None = None
        self._folder = self._lock_now()
        self._text = ""

    def say(self, body: Mapping[str, Any]) -> None:
        """Writes the file."""
        self._text = json.dumps(body, indent=2) + "\n"
        _write_privately(self._data / SERVICE_FILE, self._text)

    def holds(self) -> bool:
        """Whether the folder is still the one that was locked; a file that somebody deleted is written again.

        Where the folder was deleted or moved, nobody can find the service any more, and another may serve in its place.
        """
        if self._lock_now() != self._folder:
            return False
        if self._text and not (self._data / SERVICE_FILE).exists():
            with suppress(OSError):  # no room now; there may be later
                _write_privately(self._data / SERVICE_FILE, self._text)
        return True

    def withdraw(self) -> None:
        """Removes the file, unless it is another's by now."""
        if self._lock_now() == self._folder:
            (self._data / SERVICE_FILE).unlink(missing_ok=True)

    def _lock_now(self) -> tuple[int, int] | None:
        try:
            state = (self._data / LOCK_FILE).stat()
        except FileNotFoundError:
            return None
        except OSError:  # says nothing about whose it is
            return self._folder
        return state.st_dev, state.st_ino


def _write_privately(path: Path, text: str) -> None:
    """Writes a file that only its owner can read, whole or not at all."""
    draft = path.with_suffix(".new")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    draft.replace(path)
