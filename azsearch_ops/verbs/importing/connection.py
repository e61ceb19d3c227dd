"""The connection that an imported definition names, and the environment's file with it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from azsearch_ops.definitions.project import Project, environment_path
from azsearch_ops.errors import UsageError


def connection_for(project: Project, name: str, data_source: Mapping[str, Any] | None) -> tuple[str, str | None]:
    """The connection that stands for the data source, and the environment's file with it where it lacks it."""
    if data_source is None:
        return "", None
    source = str(data_source["name"])
    connections = project.environment.connections
    known = next((key for key, c in connections.items() if c.data_source == source), None)
    if known is not None:
        return known, None
    connection = name if name not in connections else f"{name}-source"
    path = environment_path(project.root, project.environment.name)
    assert path is not None  # The project was read from it
    text = path.read_text("utf-8")
    line = f"{connection}: {{dataSource: {source}}}"
    if path.suffix == ".json":
        raise UsageError(f"{path.name} lacks the connection", hint=f'add "connections": {{{line}}}')
    return connection, with_connection(text, line)


def with_connection(text: str, line: str) -> str:
    """The YAML of an environment with one connection more; comments and order stay."""
    block = re.search(r"^connections:[ \t]*(#[^\n]*)?\n", text, re.MULTILINE)
    if block is not None:
        indent = re.match(r"[ \t]+", text[block.end() :])
        return f"{text[: block.end()]}{indent[0] if indent else '  '}{line}\n{text[block.end() :]}"
    flow = re.search(r"^connections:[ \t]*\{[ \t]*", text, re.MULTILINE)
    if flow is not None:
        rest = text[flow.end() :]
        return f"{text[: flow.end()]}{line}{'' if rest.startswith('}') else ', '}{rest}"
    return f"{text.rstrip()}\nconnections:\n  {line}\n"
