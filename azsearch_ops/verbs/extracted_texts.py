"""Texts of documents, extracted once: kept on disk under the document's own digest.

What a text was extracted from never changes under its digest, so an entry is never stale. The file may be deleted at
any time, and one that cannot be used is done without.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from azsearch_ops.documents.cracked import CrackError
from azsearch_ops.documents.folder import read_blob

CACHE: Final = ".azsearch/cache/texts.sqlite"
_LIBRARIES: Final = ("azsearch-ops", "beautifulsoup4", "pypdf")


def extract_texts(root: Path, container: Path, paths: tuple[str, ...]) -> tuple[dict[str, str], dict[str, str]]:
    """The texts by path, and why by path for what cannot be read; those that were read before come from the cache."""
    data = {path: read_blob(container, path) for path in paths}
    keys = {path: _key(path, content) for path, content in data.items()}
    texts: dict[str, str] = {}
    unreadable: dict[str, str] = {}
    fresh: dict[str, tuple[str, bool]] = {}
    with _cache(root / CACHE) as cache:
        known = _known(cache, set(keys.values()))
        for path, key in keys.items():
            text, readable = known.get(key) or _extract(path, data[path])
            if key not in known:
                fresh[key] = (text, readable)
            (texts if readable else unreadable)[path] = text
        _keep(cache, fresh)
    return texts, unreadable


def _extract(path: str, data: bytes) -> tuple[str, bool]:
    from azsearch_ops.documents.crack import crack  # The extractors are slow to import

    try:
        return crack(path, data).text, True
    except CrackError as failure:
        return str(failure), False


def _key(path: str, data: bytes) -> str:
    digest = hashlib.sha256(f"{_versions()}\n{Path(path).suffix.lower()}\n".encode())
    digest.update(data)
    return digest.hexdigest()


def _versions() -> str:
    if not _VERSIONS:
        for name in _LIBRARIES:
            try:
                _VERSIONS[name] = version(name)
            except PackageNotFoundError:
                _VERSIONS[name] = ""
    return ",".join(_VERSIONS.values())


_VERSIONS: dict[str, str] = {}


@contextmanager
def _cache(file: Path) -> Iterator[sqlite3.Connection | None]:
    """The cache, or None where it cannot be opened or written."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(file, timeout=2)
        connection.execute(
            "CREATE TABLE IF NOT EXISTS texts (key TEXT PRIMARY KEY, text TEXT NOT NULL, readable INTEGER NOT NULL)"
        )
    except (OSError, sqlite3.Error):
        yield None
        return
    with closing(connection):
        yield connection


def _known(cache: sqlite3.Connection | None, keys: set[str]) -> dict[str, tuple[str, bool]]:
    found: dict[str, tuple[str, bool]] = {}
    if cache is None:
        return found
    wanted = sorted(keys)
    try:
        for first in range(0, len(wanted), 500):
            some = wanted[first : first + 500]
            marks = ",".join("?" * len(some))
            rows = cache.execute(f"SELECT key, text, readable FROM texts WHERE key IN ({marks})", some)
            found.update({key: (text, bool(readable)) for key, text, readable in rows})
    except sqlite3.Error:
        return {}
    return found


def _keep(cache: sqlite3.Connection | None, fresh: Mapping[str, tuple[str, bool]]) -> None:
    if cache is None or not fresh:
        return
    try:
        with cache:
            cache.executemany(
                "INSERT OR IGNORE INTO texts VALUES (?, ?, ?)",
                [(key, text, int(readable)) for key, (text, readable) in fresh.items()],
            )
    except sqlite3.Error:
        return  # What cannot be kept is extracted again
