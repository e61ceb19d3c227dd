"""Which fields of an index that nobody described hold key, document and text: told, or found in one answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

from azsearch_ops.errors import UsageError
from azsearch_ops.evaluation.paths import DocumentPaths
from azsearch_ops.verbs.evaluating.chunk_fields import ChunkFields
from azsearch_ops.verbs.evaluating.retrieval import text_of

_KEY: Final = re.compile(r"[A-Za-z0-9_\-=]+")
_PATH: Final = re.compile(r"\S.*\.[A-Za-z0-9]{2,5}")
_KEY_NAMES: Final = ("chunk_id", "id", "key", "uid", "document_id")
_DOCUMENT_NAMES: Final = (
    "metadata_storage_path",
    "path",
    "filepath",
    "file_path",
    "url",
    "source_url",
    "source",
    "sourcefile",
    "document_path",
    "metadata_storage_name",
    "filename",
    "file_name",
    "title",
)
_LEAST_WORDS = 4


@dataclass(frozen=True, slots=True)
class FoundFields:
    """The fields, and in words how each was found where it was not told."""

    fields: ChunkFields
    found: tuple[str, ...]


def find_fields(
    rows: Sequence[Mapping[str, Any]],
    judged: Iterable[str],
    is_key: Callable[[str, str], bool],
    *,
    key: str | None,
    document: str | None,
    text: str | None,
) -> FoundFields:
    """The fields of an index from some of its rows. `is_key` asks the index whether a field's value is a key.

    UsageError says what could not be found and which option tells it.
    """
    values = {
        name: [row[name] for row in rows if isinstance(row.get(name), str) and row[name]]
        for name in dict.fromkeys(name for row in rows for name in row if not name.startswith("@"))
    }
    values = {name: texts for name, texts in values.items() if texts}
    lists = {
        name: [text_of(row[name]) for row in rows if _is_strings(row.get(name))]
        for name in dict.fromkeys(name for row in rows for name in row)
        if name not in values
    }
    told: list[str] = []
    for option, name in (("--key-field", key), ("--document-field", document), ("--text-field", text)):
        if name is not None and rows and not any(name in row for row in rows):
            raise UsageError(
                f"no result has a field '{name}' ({option})", hint=f"fields of the results: {_names(values)}"
            )
    if document is None:
        document, why = _document(values, DocumentPaths(judged), len(rows))
        told.append(f"documents are told apart by '{document}' ({why})")
    if text is None:
        texts = values | {name: found for name, found in lists.items() if found}
        text = _text(texts, document)
        told.append(f"the text is in '{text}' (the longest: {fmean(map(len, texts[text])):,.0f} characters)")
    if key is None:
        key = _key(values, is_key)
        told.append(f"the key is '{key}' (a look-up by it finds the document)")
    return FoundFields(ChunkFields(key, document, text), tuple(told))


def _document(values: Mapping[str, list[str]], paths: DocumentPaths, rows: int) -> tuple[str, str]:
    hits = {name: sum(paths.resolve(text) is not None for text in texts) for name, texts in values.items()}
    best = max(hits.values(), default=0)
    if best:
        name = min((n for n in hits if hits[n] == best), key=lambda n: _preferred(n, _DOCUMENT_NAMES))
        return name, f"{best} of {rows} results name a judged document"
    named = [name for name in _DOCUMENT_NAMES if name in values]
    if named:
        return named[0], "by its name; no result at hand is a judged document"
    paths_in = [name for name, texts in values.items() if all(_PATH.fullmatch(text) for text in texts)]
    if paths_in:
        return paths_in[0], "its values look like paths; no result at hand is a judged document"
    raise UsageError(
        "cannot tell which field says what document a chunk comes from: no value is a judged document's path",
        hint=f"name it with --document-field; fields of the results: {_names(values)}",
    )


def _text(values: Mapping[str, list[str]], document: str) -> str:
    # By words: the key of a chunk is often longer than a short text
    words = {n: fmean(len(text.split()) for text in texts) for n, texts in values.items() if n != document}
    longest = max(words, key=lambda name: words[name], default=None)
    if longest is None or words[longest] < _LEAST_WORDS:
        raise UsageError(
            "cannot tell which field holds the text of a chunk: no field is long enough",
            hint=f"name it with --text-field; fields of the results: {_names(values)}",
        )
    return longest


def _key(values: Mapping[str, list[str]], is_key: Callable[[str, str], bool]) -> str:
    unique = [
        name
        for name, texts in values.items()
        if len(set(texts)) == len(texts) and all(_KEY.fullmatch(text) for text in texts)
    ]
    for name in sorted(unique, key=lambda n: _preferred(n, _KEY_NAMES)):
        if is_key(name, values[name][0]):
            return name
    raise UsageError(
        "cannot tell which field is the key: no field of the results is one",
        hint="name it with --key-field; a key that is not retrievable cannot be used",
    )


def _preferred(name: str, order: Sequence[str]) -> tuple[int, str]:
    lowered = name.casefold()
    return (order.index(lowered) if lowered in order else len(order), name)


def _names(values: Mapping[str, object]) -> str:
    return ", ".join(sorted(values)) or "none"


def _is_strings(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, str) for item in value)
