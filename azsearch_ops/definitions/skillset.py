"""A skillset definition: the short forms of Text Split and of the embedding skill, and further skills in REST."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import Field, TypeAdapter

from azsearch_ops.definitions.tree import Tree
from azsearch_ops.definitions.typed import STRICT
from azsearch_ops.errors import Location


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillsetFile:
    """What skillsets/NAME.yaml takes. `chunking` and `embedding` hold REST's keys; their rows are the contract's.

    `indexProjections` is there for skillsets that were copied from a service: it stands for the `projection` of an
    index definition that has none.
    """

    __pydantic_config__ = STRICT

    name: str
    description: str | None = None
    chunking: Mapping[str, object] | None = None
    embedding: Mapping[str, object] | None = None
    skills: tuple[Mapping[str, object], ...] = ()
    cognitive_services: Annotated[Mapping[str, object] | None, Field(alias="cognitiveServices")] = None
    knowledge_store: Annotated[Mapping[str, object] | None, Field(alias="knowledgeStore")] = None
    index_projections: Annotated[Mapping[str, object] | None, Field(alias="indexProjections")] = None
    encryption_key: Annotated[Mapping[str, object] | None, Field(alias="encryptionKey")] = None


SKILLSET = TypeAdapter(SkillsetFile)


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillsetDefinition:
    """One skillset definition; short forms that the file leaves out are empty mappings."""

    name: str
    description: str | None = None
    chunking: Mapping[str, object] = field(default_factory=dict)
    embedding: Mapping[str, object] = field(default_factory=dict)
    skills: tuple[Mapping[str, object], ...] = ()
    cognitive_services: Mapping[str, object] | None = None
    knowledge_store: Mapping[str, object] | None = None
    index_projections: Mapping[str, object] | None = None
    encryption_key: Mapping[str, object] | None = None
    tree: Tree

    def locate(self, pointer: str) -> Location:
        """Where the value at `pointer` stands."""
        return self.tree.locate(pointer)


def skillset_from(content: SkillsetFile, tree: Tree) -> SkillsetDefinition:
    """The definition that a file describes."""
    return SkillsetDefinition(
        name=content.name,
        description=content.description,
        chunking=_stated(content.chunking),
        embedding=_stated(content.embedding),
        skills=content.skills,
        cognitive_services=content.cognitive_services,
        knowledge_store=content.knowledge_store,
        index_projections=content.index_projections,
        encryption_key=content.encryption_key,
        tree=tree,
    )


def _stated(short_form: Mapping[str, object] | None) -> dict[str, object]:
    """Without nulls, which JSON from the portal has for whatever is not set: they replace no default."""
    return {name: value for name, value in (short_form or {}).items() if value is not None}
