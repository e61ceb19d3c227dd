"""Query sets as JSON lines: one question a line, with the keys that YAML has."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from azsearch_ops.definitions.json_reader import parse_json
from azsearch_ops.definitions.queries_entries import QueryEntry
from azsearch_ops.definitions.queries_foreign import with_foreign_hints
from azsearch_ops.definitions.queries_typed import ASKED, entry_from, plain_entry
from azsearch_ops.definitions.tree import Tree
from azsearch_ops.definitions.typed import typed
from azsearch_ops.errors import Problem


def read_jsonl(text: str, shown: str, problems: list[Problem]) -> tuple[QueryEntry, ...]:
    """The questions of the lines that can be understood; each other line is a problem."""
    entries: list[QueryEntry] = []
    for tree in trees(text, shown, problems):
        found: list[Problem] = []
        asked = typed(ASKED, tree, found)
        problems += with_foreign_hints(found)
        if asked is not None:
            entries.append(entry_from(asked, "", tree))
    return tuple(entries)


def write_jsonl(entries: Iterable[QueryEntry]) -> str:
    """The questions, one a line."""
    return "".join(json.dumps(plain_entry(entry), ensure_ascii=False, allow_nan=False) + "\n" for entry in entries)


def trees(text: str, shown: str, problems: list[Problem]) -> Iterator[Tree]:
    """The tree of each line that holds JSON; blank lines are passed over."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            tree = parse_json(line.removesuffix("\r"), shown, number, problems)
            if tree is not None:
                yield tree
