"""Which texts an embedding cache already has, looked up without opening it for writing."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

_LOOKUP = 500


def cached_texts(path: Path, model: str, texts: Sequence[str]) -> frozenset[str]:
    """Those of `texts` that the cache at `path` has a vector for by the model with this id; none without a cache."""
    if not path.exists():
        return frozenset()
    by_digest = {hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest(): text for text in texts}
    digests = list(by_digest)
    found: set[str] = set()
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=10)) as connection:
            for name in _names(connection, model):
                for first in range(0, len(digests), _LOOKUP):
                    part = digests[first : first + _LOOKUP]
                    marks = ",".join("?" * len(part))
                    query = f"SELECT text FROM vectors WHERE model = ? AND text IN ({marks})"
                    found.update(by_digest[bytes(row[0])] for row in connection.execute(query, (name, *part)))
    except sqlite3.DatabaseError:  # Not there yet, or not a cache: then nothing is known
        return frozenset()
    return frozenset(found)


def _names(connection: sqlite3.Connection, model: str) -> list[str]:
    """The names in the cache that begin with the id of a model: a name tells the weights apart, too."""
    names: list[str] = []
    last = ""
    while True:  # From name to name along the primary key, never through all rows
        row = connection.execute("SELECT min(model) FROM vectors WHERE model > ?", (last,)).fetchone()
        if row[0] is None:
            return names
        last = str(row[0])
        if last.startswith(model):
            names.append(last)
