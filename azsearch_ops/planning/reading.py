"""What a released request reads of an index: applications go on sending it for a while after the alias has moved."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from azsearch_ops.contract.fields import VECTOR_TYPES
from azsearch_ops.planning.compare import Difference

_LISTS: Final = {
    "select": ("selects", "retrievable"),
    "searchFields": ("searches", "searchable"),
    "highlight": ("highlights", "searchable"),
    "orderby": ("sorts by", "sortable"),
}
_NAME: Final = re.compile(r"[A-Za-z]\w*(?:/[A-Za-z]\w*)*")
_QUOTED: Final = re.compile(r"'(?:[^']|'')*'")


def broken_use(search: Mapping[str, Any] | None, difference: Difference) -> str | None:
    """What the request does with a field ("selects") that an index with this difference refuses; None where nothing.

    `difference` is one of two index bodies whose lists are keyed by name.
    """
    found = field_at(difference.path)
    if search is None or found is None:
        return None
    name, setting = found
    gone = setting is None and difference.before is not None and difference.after is None
    gone |= setting == "type" and not {difference.before, difference.after} <= {*VECTOR_TYPES}
    for path, use, flag in _uses(search):
        if path != name and not path.startswith(f"{name}/"):
            continue
        if gone or (path == name and setting == flag and difference.after is False):
            return use
    return None


def field_at(path: tuple[str | int, ...]) -> tuple[str, str | None] | None:
    """The field that a path leads to, through complex ones, and its setting, where it leads to one."""
    names: list[str] = []
    while len(path) >= 2 and path[0] == "fields":
        names.append(str(path[1]))
        path = path[2:]
    if not names or len(path) > 1:
        return None
    return "/".join(names), str(path[0]) if path else None


def _uses(search: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Each field that the request names, what it does with it, and the flag that this needs."""
    for setting, (use, flag) in _LISTS.items():
        for part in str(search.get(setting) or "").split(","):
            if named := _NAME.match(part.strip()):
                yield named.group(), use, flag
    for facet in search.get("facets") or ():
        yield str(facet).split(",")[0].strip(), "counts by", "facetable"
    for named in _NAME.finditer(_QUOTED.sub("''", str(search.get("filter") or ""))):
        yield named.group(), "filters by", "filterable"
    for query in search.get("vectorQueries") or ():
        if isinstance(query, Mapping):
            for name in str(query.get("fields") or "").split(","):
                yield name.strip(), "searches", "searchable"
