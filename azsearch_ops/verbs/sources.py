"""The source documents behind an index definition, where they can be listed and read from here."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.project import Project
from azsearch_ops.documents.folder import list_blobs, read_blob
from azsearch_ops.verbs.extracted_texts import extract_texts


@dataclass(frozen=True, slots=True)
class SourceTexts:
    """`texts` by path below the container; `unreadable` names what could not be cracked and why."""

    texts: Mapping[str, str]
    unreadable: Mapping[str, str]


def source_folder(project: Project, index: IndexDefinition) -> Path | None:
    """The folder that stands for the container, or None when the source is not a folder of this project."""
    connection = project.environment.connections.get(index.source.connection)
    if connection is None or connection.folder is None:
        return None
    return project.root / connection.folder / index.source.container


def source_documents(project: Project, index: IndexDefinition) -> tuple[str, ...] | None:
    """Paths of the source documents below their container, or None where they cannot be listed."""
    folder = source_folder(project, index)
    if folder is None:
        return None
    within = (index.source.query or "").strip("/")
    return tuple(b.path for b in list_blobs(folder) if not within or b.path.startswith(f"{within}/"))


def is_blank(project: Project, index: IndexDefinition, document: str) -> bool:
    """Whether a source document holds nothing but white space; False where it cannot be read from here.

    A scan without words is not blank: what it shows is missing from the index, and somebody should know.
    """
    folder = source_folder(project, index)
    return folder is not None and not read_blob(folder, document).removeprefix(codecs.BOM_UTF8).strip()


def source_texts(project: Project, index: IndexDefinition) -> SourceTexts | None:
    """The texts of the source documents as the indexer would read them, or None where they cannot be read."""
    folder = source_folder(project, index)
    documents = source_documents(project, index)
    if folder is None or documents is None:
        return None
    return SourceTexts(*extract_texts(project.root, folder, documents))
