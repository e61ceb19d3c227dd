"""JSON text to a `Tree`: strict, positions kept, duplicate keys refused.

The YAML reader reads JSON too, but takes some characters of JSON strings for line ends, and is slower.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from azsearch_ops.definitions.tree import Mark, Tree, step
from azsearch_ops.errors import Location, Problem

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+', re.DOTALL)


def parse_json(text: str, path: str, line: int, problems: list[Problem]) -> Tree | None:
    """The tree of a JSON text that stands on line `line` of a file; None, with a problem, when it is malformed."""
    try:
        value = json.loads(text, parse_constant=_refuse)
        places = _Places(text, path, line, problems)
        places.walk("")
    except RecursionError:
        problems.append(Problem("AZS004", "nested too deep", Location(path, line)))
        return None
    except ValueError as error:
        at = error.pos if isinstance(error, json.JSONDecodeError) else 0
        place = Location(path, line + text.count("\n", 0, at), at - (text.rfind("\n", 0, at) + 1) + 1)
        said = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        problems.append(Problem("AZS002", f"malformed JSON: {said[:1].lower()}{said[1:]}", place))
        return None
    return Tree(path, value, places.values, places.keys)


def _refuse(constant: str) -> object:
    raise ValueError(f"{constant} is not JSON")


class _Places:
    """Walks the tokens of valid JSON and notes where each value and key stands."""

    def __init__(self, text: str, path: str, line: int, problems: list[Problem]) -> None:
        self._text, self._path, self._line, self._problems = text, path, line, problems
        self._tokens: Iterator[re.Match[str]] = _TOKEN.finditer(text)
        self.values: dict[str, Mark] = {}
        self.keys: dict[str, Mark] = {}

    def walk(self, pointer: str, token: re.Match[str] | None = None) -> None:
        """Notes the value that begins with `token`, or with the next one."""
        token = token or next(self._tokens)
        self.values[pointer] = self._mark(token.start())
        if token[0] == "{":
            self._members(pointer)
        elif token[0] == "[":
            number = 0
            while (token := next(self._tokens))[0] != "]":
                if token[0] != ",":
                    self.walk(step(pointer, number), token)
                    number += 1

    def _members(self, pointer: str) -> None:
        seen: set[str] = set()
        while (token := next(self._tokens))[0] != "}":
            if token[0] == ",":
                continue
            key = json.loads(token[0])
            at = step(pointer, key)
            mark = self._mark(token.start())
            if key in seen:
                message = f"the key {key!r} stands twice in one object"
                self._problems.append(Problem("AZS003", message, Location(*mark, at), hint="keep one of the two"))
            seen.add(key)
            self.keys[at] = mark
            next(self._tokens)
            self.walk(at)

    def _mark(self, at: int) -> Mark:
        before = self._text.count("\n", 0, at)
        return self._path, self._line + before, at - (self._text.rfind("\n", 0, at) + 1) + 1
