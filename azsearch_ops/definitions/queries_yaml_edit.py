"""Text put into a YAML query set by the places of its nodes, so that comments and layout stay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from azsearch_ops.definitions.queries_entries import QueryEntry
from azsearch_ops.definitions.queries_typed import plain_entry
from azsearch_ops.definitions.queries_yaml import block, flow, write_yaml

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""What the reader uses too: the two differ on what they take for plain text."""


def add_judgements_to_yaml(text: str, judged: Mapping[int, Sequence[Mapping[str, Any]]]) -> str:
    """The text with further judgements, by the ordinal (from 0) of their query in the list."""
    nodes = _queries(text)
    for number in sorted(judged, reverse=True):  # From the end, so that earlier places stay
        text = _with_judgements(text, nodes[number], [flow(item) for item in judged[number]])
    return text


def add_queries_to_yaml(text: str, entries: Sequence[QueryEntry]) -> str:
    """The text with further questions at the end of its list."""
    nodes = _queries(text)
    if not nodes:
        comments = text if "queries:" not in text else text[: text.index("queries:")]
        return comments + write_yaml(entries)
    last = nodes[-1]
    listed = _list(text)
    if listed.flow_style:
        at = _last_index(text, last)
        items = "".join(f", {flow(plain_entry(entry))}" for entry in entries)
        return text[:at] + items + text[at:]
    column = listed.start_mark.column
    at = _line_end(text, _last_index(text, last))
    added = "".join(block(plain_entry(entry), " " * column) for entry in entries)
    return text[:at] + ("" if text[:at].endswith("\n") else "\n") + added + text[at:]


def without_drafts_in_yaml(text: str, numbers: Sequence[int]) -> str:
    """The text without the mark `draft` of the questions with these ordinals (from 0) in the list."""
    nodes = _queries(text)
    for number in sorted(numbers, reverse=True):
        text = _without_draft(text, nodes[number])
    return text


def _without_draft(text: str, query: yaml.MappingNode) -> str:
    place = next((n for n, (key, _) in enumerate(query.value) if key.value == "draft"), None)
    if place is None:
        return text
    key, value = query.value[place]
    start, end = int(key.start_mark.index), int(value.end_mark.index)
    if query.flow_style:
        if place + 1 < len(query.value):  # With the comma behind it
            return text[:start] + text[int(query.value[place + 1][0].start_mark.index) :]
        before = int(query.value[place - 1][1].end_mark.index)
        return text[:before] + text[end:]
    if place == 0:  # It stands behind the dash, where the next key moves to
        return text[:start] + text[int(query.value[1][0].start_mark.index) :]
    return text[: text.rindex("\n", 0, start) + 1] + text[_line_end(text, end) :]


def _with_judgements(text: str, query: yaml.MappingNode, items: Sequence[str]) -> str:
    relevant = next((value for key, value in query.value if key.value == "relevant"), None)
    if isinstance(relevant, yaml.SequenceNode) and relevant.value:
        last = relevant.value[-1]
        at = _last_index(text, last)
        if relevant.flow_style:
            return text[:at] + "".join(f", {item}" for item in items) + text[at:]
        indent = " " * relevant.start_mark.column
        at = _line_end(text, at)
        start = "" if text[:at].endswith("\n") else "\n"
        return text[:at] + start + "".join(f"{indent}- {item}\n" for item in items) + text[at:]
    inline = "[" + ", ".join(items) + "]"
    if relevant is not None:  # Empty, in one form or another
        space = "" if text[: relevant.start_mark.index].endswith((" ", "[")) else " "
        return text[: relevant.start_mark.index] + space + inline + text[relevant.end_mark.index :]
    at = _last_index(text, query)
    if query.flow_style:
        return text[: at - 1] + f", relevant: {inline}" + text[at - 1 :]
    indent = " " * query.value[0][0].start_mark.column
    at = _line_end(text, at)
    start = "" if text[:at].endswith("\n") else "\n"
    listed = "".join(f"{indent}  - {item}\n" for item in items)
    return text[:at] + f"{start}{indent}relevant:\n{listed}" + text[at:]


def _list(text: str) -> yaml.SequenceNode:
    root = yaml.compose(text, Loader=_LOADER)
    found = (
        next((v for k, v in root.value if k.value == "queries"), None) if isinstance(root, yaml.MappingNode) else None
    )
    return found if isinstance(found, yaml.SequenceNode) else yaml.SequenceNode("", [])


def _queries(text: str) -> list[yaml.MappingNode]:
    return [node for node in _list(text).value if isinstance(node, yaml.MappingNode)]


def _last_index(text: str, node: yaml.Node) -> int:
    """Where the node's own text ends; marks of block nodes and block scalars lie behind what follows them."""
    while isinstance(node, yaml.MappingNode | yaml.SequenceNode) and not node.flow_style and node.value:
        last = node.value[-1]
        node = last[1] if isinstance(last, tuple) else last
    at = int(node.end_mark.index)
    if not (isinstance(node, yaml.ScalarNode) and node.style in ("|", ">")):
        return at
    lines = text[node.start_mark.index : at].split("\n")
    while len(lines) > 1 and not lines[-1].strip():
        lines.pop()
    return int(node.start_mark.index) + len("\n".join(lines))


def _line_end(text: str, at: int) -> int:
    """Behind the line end that follows `at`."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1
