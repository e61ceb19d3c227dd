"""Query sets as YAML (and as one JSON document, which is YAML too)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from azsearch_ops.definitions.files import read_tree
from azsearch_ops.definitions.queries_entries import QueryEntry
from azsearch_ops.definitions.queries_foreign import with_foreign_hints
from azsearch_ops.definitions.queries_typed import QUERY_SET, entry_from, plain_entry
from azsearch_ops.definitions.scalars import ScalarError, resolve
from azsearch_ops.definitions.typed import typed
from azsearch_ops.errors import Problem

_BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*")


def read_yaml(path: Path, root: Path, problems: list[Problem]) -> tuple[QueryEntry, ...] | None:
    """The questions of the file; () when it holds none, None when it cannot be used."""
    tree = read_tree(path, root, problems)
    if tree is None:
        return None
    if tree.value is None or tree.value == {"queries": None}:
        return ()
    found: list[Problem] = []
    content = typed(QUERY_SET, tree, found)
    problems += with_foreign_hints(found)
    if content is None:
        return None
    return tuple(entry_from(asked, f"/queries/{i}", tree) for i, asked in enumerate(content.queries))


def write_yaml(entries: Iterable[QueryEntry]) -> str:
    """The questions as a YAML file: one key a line, one judgement a line."""
    listed = [block(plain_entry(entry)) for entry in entries]
    return "queries:\n" + "".join(listed) if listed else "queries: []\n"


def block(plain: Mapping[str, Any], indent: str = "  ") -> str:
    """One question as an item of the list, each line indented."""
    lines: list[str] = []
    for key, value in plain.items():
        if key == "relevant":
            lines.append("relevant:")
            lines.extend(f"  - {flow(judged)}" for judged in value)
        else:
            lines.append(f"{key}: {flow(value)}")
    return "".join(f"{indent}{'- ' if i == 0 else '  '}{line}\n" for i, line in enumerate(lines))


def flow(value: object) -> str:
    """A value on one line, read back as the same value."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_text(str(key))}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(flow(item) for item in value) + "]"
    return _text(value) if isinstance(value, str) else json.dumps(value, allow_nan=False)


def _text(text: str) -> str:
    """Bare where that can only be this text, else in double quotes, whose escapes YAML shares with JSON."""
    if _BARE.fullmatch(text) and _stays_text(text):
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    # What YAML takes for a line end or does not take at all, although JSON does
    return re.sub(r"[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]", lambda c: f"\\u{ord(c[0]):04x}", quoted)


def _stays_text(text: str) -> bool:
    try:
        return resolve(text) == text
    except ScalarError:
        return False
