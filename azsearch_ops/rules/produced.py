"""The enrichment tree: which paths the document and the skills produce."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from azsearch_ops.contract.skill_ports import SKILL_PORTS, Ports
from azsearch_ops.definitions.short_forms import pages_path
from azsearch_ops.definitions.skillset import SkillsetDefinition
from azsearch_ops.rules.finding import Subject, items
from azsearch_ops.rules.vectors import embedding_outputs

_FREE_MODES: Final = ("json", "jsonArray", "jsonLines", "delimitedText")
_STORAGE_PROPERTIES: Final = tuple(
    f"metadata_storage_{name}"
    for name in (
        "path",
        "name",
        "content_type",
        "size",
        "last_modified",
        "content_md5",
        "file_extension",
        "sas_token",
    )
)
_BLOB_PROPERTIES: Final = ("content", "file_data", "normalized_images", *_STORAGE_PROPERTIES)
_MARKDOWN_PROPERTIES: Final = ("content", "sections", "ordinal_position", "document_content", *_STORAGE_PROPERTIES)


@dataclass(frozen=True, slots=True)
class Produced:
    """A path of the tree; `deep` where what is below it is not known here and may be anything."""

    path: str
    deep: bool
    pointer: str


def has_own_paths(subject: Subject) -> bool:
    """Whether documents bring paths of their own, as JSON and rows do, of which nothing is known here."""
    source = subject.index.source
    return source.parsing_mode in _FREE_MODES or source.type not in ("azureblob", "adlsgen2", "onelake")


def document_paths(subject: Subject) -> Iterator[Produced]:
    """What the indexer itself puts into the tree."""
    source = subject.index.source
    yield Produced("/document", has_own_paths(subject), "")
    names = _MARKDOWN_PROPERTIES if source.parsing_mode == "markdown" else _BLOB_PROPERTIES
    for name in names:
        yield Produced(f"/document/{name}", name in ("normalized_images", "sections", "file_data"), "")
    for mapping in source.field_mappings:
        target = mapping.get("targetFieldName") or mapping.get("sourceFieldName")
        yield Produced(f"/document/{target}", True, "")


def skill_paths(skillset: SkillsetDefinition) -> Iterator[Produced]:
    """What the skills put into it, short forms first."""
    if skillset.chunking:
        pages = pages_path(skillset)
        yield Produced(pages.removesuffix("/*"), False, "/chunking")
        yield Produced(pages, False, "/chunking")
    embedding = embedding_outputs(skillset)
    for output in embedding:
        if output.pointer == "/embedding":
            yield Produced(output.path, False, "/embedding")
    for skill, pointer in items(skillset.skills, "/skills"):
        context = skill.get("context") or "/document"
        ports = SKILL_PORTS.get(str(skill.get("@odata.type")), Ports())
        for output_mapping, at in items(skill.get("outputs"), f"{pointer}/outputs"):
            path = f"{context}/{output_mapping.get('targetName') or output_mapping.get('name')}"
            shape = ports.shape(str(output_mapping.get("name")))
            yield Produced(path, shape == "tree", at)
            if shape == "list":
                yield Produced(f"{path}/*", False, at)
            elif output_mapping.get("name") == "embedding":
                yield Produced(f"{path}/*", False, at)  # How a vector that is not projected is mapped


def is_produced(path: str, produced: tuple[Produced, ...]) -> bool:
    """Whether a path is in the tree. Constants and expressions (`='…'`, `$(…)`) produce themselves."""
    if not path.startswith("/"):
        return path.startswith(("=", "$"))
    if path.startswith("/document/metadata_") and not path.startswith("/document/metadata_storage_"):
        # What a file says of itself: title, author, language …, by its format
        return True
    return any(path == item.path or (item.deep and path.startswith(f"{item.path}/")) for item in produced)
