"""AZS533: files that look like definitions and stand where none is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from azsearch_ops.errors import Location, Problem
from azsearch_ops.rules.explanation import Explanation

EXPLANATIONS: Final = (
    Explanation(
        "AZS533",
        "A file that looks like a definition and is not read",
        "Services list indexers, data sources and aliases beside indexes; here they belong to the index that they "
        "serve, so a file of their own has no effect, and nobody notices.",
        "Move what it says to the place that the hint names, or take the file out of that folder.",
    ),
)

_SOURCE: Final = "an indexer and its data source are the `source` of indexes/NAME/index.yaml; `import` writes that"
_SYNONYMS: Final = "synonym maps stand in synonymmaps/"
_PLACES: Final[Mapping[str, str]] = {
    "indexes": "an index has a folder of its own: indexes/NAME/index.yaml",
    "indexers": _SOURCE,
    "datasources": _SOURCE,
    "data-sources": _SOURCE,
    "data_sources": _SOURCE,
    "aliases": "an alias is the `alias` of indexes/NAME/index.yaml",
    "synonym-maps": _SYNONYMS,
    "synonym_maps": _SYNONYMS,
    "synonyms": _SYNONYMS,
    "skill-sets": "skillsets stand in skillsets/",
}
_ENDINGS: Final = (".yaml", ".yml", ".json")


def check_strays(root: Path) -> Iterator[Problem]:
    """A warning for each file in a folder that services have and projects do not; `_NAME` is there to be extended."""
    for folder, hint in _PLACES.items():
        for path in _files(root / folder):
            place = Location(f"{folder}/{path.name}", 1, 1)
            yield Problem("AZS533", "this file is not read", place, severity="warning", hint=hint)


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(p for p in folder.iterdir() if p.suffix in _ENDINGS and not p.name.startswith("_"))
    except OSError:
        return []
