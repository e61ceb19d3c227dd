"""What a change would break for an application that reads the alias, whatever the released request says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from azsearch_ops.contract.fields import VECTOR_TYPES
from azsearch_ops.planning.plan import Change
from azsearch_ops.planning.reading import field_at

_FLAGS: Final = ("retrievable", "searchable", "filterable")
_MODEL: Final = ("modelName", "modelVersion")
_EMBEDS: Final = ("EmbeddingSkill", "VectorizeSkill")


@dataclass(frozen=True, slots=True)
class Reader:
    """An application: its name, the paths of the fields that it reads, and whether it makes vectors of its own."""

    name: str
    fields: tuple[str, ...] = ()
    own_vectors: bool = False


def with_readers(changes: Iterable[Change], readers: tuple[Reader, ...]) -> tuple[Change, ...]:
    """The changes; one that breaks a reader has the class "breaking", and a rule that names it.

    The action of a plan is decided before: what Azure changes in place breaks a reader without anything being built.
    """
    return tuple(_told(change, readers) for change in changes)


def _told(change: Change, readers: tuple[Reader, ...]) -> Change:
    broken = [f"the consumer {reader.name} {why}" for reader in readers if (why := _why(change, reader))]
    if not broken:
        return change
    if change.change_class == "breaking":
        broken.insert(0, change.rule)
    return replace(change, change_class="breaking", rule="; ".join(broken))


def _why(change: Change, reader: Reader) -> str:
    if reader.own_vectors and _moves_vectors(change):
        return "makes vectors of its own, which no longer fit"
    found = field_at(tuple(change.pointer.split("/")[1:])) if change.kind == "index" else None
    if found is None:
        return ""
    name, setting = found
    for path in reader.fields:
        within = name == path or name.startswith(f"{path}/")
        gone = setting is None and change.before is not None and change.after is None
        gone |= setting == "type" and not {change.before, change.after} <= {*VECTOR_TYPES}
        if gone and (within or path.startswith(f"{name}/")):
            return f"reads {path}"
        if within and setting in _FLAGS and change.after is False:
            return f"reads {path}, which would not be {setting} any more"
    return ""


def _moves_vectors(change: Change) -> bool:
    """Whether vectors that were made as before are of another model, or of another length, than those of the index."""
    if change.kind == "index" and change.name == "dimensions":
        return change.pointer.startswith("/fields/") and change.before is not None
    if change.kind not in ("index", "skillset") or change.before is None:
        return False
    return change.name in _MODEL or _embeds(change.before)


def _embeds(before: Any) -> bool:
    """Whether what was there is an embedding skill, or the type of one, which a change of its settings is not."""
    kind = before.get("@odata.type") if isinstance(before, Mapping) else before
    return isinstance(kind, str) and kind.startswith("#Microsoft.Skills.") and kind.endswith(_EMBEDS)
