"""A synonym map definition: rules that fields of any index may name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field, TypeAdapter

from azsearch_ops.definitions.tree import Tree
from azsearch_ops.definitions.typed import STRICT
from azsearch_ops.errors import Location


@dataclass(frozen=True, slots=True, kw_only=True)
class SynonymMapFile:
    """What synonymmaps/NAME.yaml takes. `synonyms` is REST's text, or a list with one rule an item."""

    __pydantic_config__ = STRICT

    name: Annotated[str, Field(min_length=1)]
    format: str = "solr"
    synonyms: str | tuple[str, ...]
    encryption_key: Annotated[Mapping[str, object] | None, Field(alias="encryptionKey")] = None


SYNONYM_MAP = TypeAdapter(SynonymMapFile)


@dataclass(frozen=True, slots=True, kw_only=True)
class SynonymMapDefinition:
    """One synonym map. `rules` are its rules, one a line, without blank lines and comments."""

    name: str
    format: str
    rules: tuple[str, ...]
    encryption_key: Mapping[str, object] | None
    tree: Tree

    @property
    def synonyms(self) -> str:
        """The rules as REST has them: one text."""
        return "\n".join(self.rules)

    def locate(self, pointer: str) -> Location:
        """Where the value at `pointer` stands."""
        return self.tree.locate(pointer)


def synonym_map_from(content: SynonymMapFile, tree: Tree) -> SynonymMapDefinition:
    """The definition that a file describes."""
    lines = content.synonyms.splitlines() if isinstance(content.synonyms, str) else content.synonyms
    rules = tuple(line.strip() for line in lines if line.strip() and not line.strip().startswith("#"))
    return SynonymMapDefinition(
        name=content.name, format=content.format, rules=rules, encryption_key=content.encryption_key, tree=tree
    )
