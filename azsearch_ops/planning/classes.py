"""What a difference takes: the class of a change, and the rule behind it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from azsearch_ops.contract.objects import properties_of
from azsearch_ops.contract.property import Property
from azsearch_ops.planning.compare import Difference
from azsearch_ops.planning.plan import ChangeClass, ObjectKind

_ADDABLE: Final = ("profiles", "algorithms", "vectorizers", "compressions")
_ANALYSIS: Final = ("analyzers", "normalizers", "tokenizers", "tokenFilters", "charFilters")

_OFFLINE: Final = "on live this would take the index offline for seconds"

_RULES: Final[Mapping[str, str]] = {
    "index": "Azure does not change this on an index that exists",
    "skillset": "documents that did not change are not enriched again, so live would keep its old chunks",
    "dataSource": "the index would hold documents of two sources",
    "indexer": "documents that did not change are not read again",
}


def classify(
    kind: ObjectKind,
    difference: Difference,
    after: Mapping[str, Any],
    filled: frozenset[str],
    there: frozenset[str],
) -> tuple[ChangeClass, str]:
    """The class of a difference and its rule.

    `after` is the keyed body wanted, `filled` the fields that get values, `there` those that live has.
    """
    if kind == "search":
        return "settings only", "the search request is released with the index; nothing is built"
    path = difference.path
    if kind == "index" and len(path) == 2 and path[0] == "fields":
        return _field(difference, str(path[1]) in filled)
    if kind == "index" and len(path) == 3 and path[0] == "vectorSearch" and path[1] in _ADDABLE:
        if difference.before is None:
            return "in place", "new parts of vectorSearch may be added"
        return "rebuild", "a part of vectorSearch that fields may use cannot be removed"
    if kind == "index" and len(path) == 2 and path[0] in _ANALYSIS and difference.before is None:
        return "rebuild", _OFFLINE
    if kind == "index" and path[0] == "suggesters" and _suggests_only_new(difference, there):
        return "in place", "Azure takes fields into a suggester that are added with it"
    if path == ("encryptionKey",) and kind == "index" and difference.after is None:
        return "forbidden", "Azure never takes an encryption key from an index; one that is built new goes without"
    rows = _rows(kind, path, after)
    if any(row.change == "in place" for row in rows):
        return "in place", "Azure changes this on the live object"
    last = rows[-1] if rows else None
    if last is not None and last.change == "candidate":
        return (
            "rebuild",
            "Azure would change this on live, but it can move the ranking, so a candidate is measured first",
        )
    if any(row.change == "downtime" for row in rows) and path[-1] != "@odata.type":
        return "rebuild", _OFFLINE
    if kind == "dataSource" and "DetectionPolicy" in str(path[0]):
        return "rebuild", "what live read before was not tracked in that way, so some of it might never go"
    return "rebuild", _RULES[kind]


def _suggests_only_new(difference: Difference, there: frozenset[str]) -> bool:
    """Whether a suggester is added, or lengthened, and all that it is given are fields that live does not have."""
    added = difference.after
    if difference.before is not None or added is None:
        return False
    named = added.get("sourceFields") or () if isinstance(added, Mapping) else (added,)
    return not {str(name).partition("/")[0] for name in named} & there


def _field(difference: Difference, filled: bool) -> tuple[ChangeClass, str]:
    if difference.before is None:
        if filled:
            return "rebuild", "documents that are there already would have no value in the new field"
        return "irreversible", "a new field that nothing fills is added in place, and can never be taken out again"
    return "rebuild", "Azure does not remove or rename a field of an index that exists"


def _rows(kind: str, path: tuple[str | int, ...], body: Mapping[str, Any]) -> list[Property]:
    """The contract's rows along a path, as far as they go."""
    rows: list[Property] = []
    here: Any = body
    contract_kind: str | None = kind
    in_list = False
    for part in path:
        if in_list:
            in_list = False
            here = _below(here, part)
            continue
        if contract_kind is None:
            break
        row = properties_of(contract_kind, here if isinstance(here, Mapping) else {}).get(str(part))
        if row is None:
            break
        rows.append(row)
        here = _below(here, part)
        contract_kind, in_list = row.of, row.kind == "list"
    return rows


def _below(here: Any, part: str | int) -> Any:
    if isinstance(here, Mapping):
        return here.get(str(part))
    if isinstance(here, list) and isinstance(part, int) and part < len(here):
        return here[part]
    return None
