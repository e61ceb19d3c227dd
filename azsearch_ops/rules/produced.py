"""The enrichment tree: which paths the document and the skills produce."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from azsearch_ops.contract.skill_ports import SKILL_PORTS, Ports
from azsearch_ops.definitions.short_forms import pages_path
from azsearch_ops.definitions.skillset import SkillsetDefinition
from azsearch_ops.rules.finding import Subject, items
from azsearch_ops.rules.vectors import embedding_outputs

_FREE_MODES: Final = ("json", "jsonArray", "jsonLines", "delimitedText")
_ALMOST: Final = 0.85
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
_BLOB_PROPERTIES: Final = ("content", *_STORAGE_PROPERTIES)
_IN_EXPRESSIONS = re.compile(r"\$\((/document[^()]*)\)")
_PLACES = re.compile(r"/(#|\d+)(?=/|$)")
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


def configured(subject: Subject, name: str) -> object:
    """A setting of the indexer's configuration, wherever it is stated."""
    source = subject.index.source
    nested = source.parameters.get("configuration")
    stated = source.configuration.get(name)
    return stated if stated is not None or not isinstance(nested, Mapping) else nested.get(name)


def document_paths(subject: Subject) -> Iterator[Produced]:
    """What the indexer itself puts into the tree."""
    source = subject.index.source
    yield Produced("/document", has_own_paths(subject), "")
    names = _MARKDOWN_PROPERTIES if source.parsing_mode == "markdown" else _BLOB_PROPERTIES
    for name in names:
        yield Produced(f"/document/{name}", name == "sections", "")
    if configured(subject, "imageAction") not in (None, "none"):
        yield Produced("/document/normalized_images", True, "")
    if configured(subject, "allowSkillsetToReadFileData") is True:
        yield Produced("/document/file_data", True, "")
    for mapping in source.field_mappings:
        target = mapping.get("targetFieldName") or mapping.get("sourceFieldName")
        yield Produced(f"/document/{target}", True, "")


def _output_path(context: object, mapping: Mapping[str, Any]) -> str:
    return f"{context}/{mapping.get('targetName') or mapping.get('name')}"


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
            path = _output_path(context, output_mapping)
            shape = ports.shape(str(output_mapping.get("name")))
            yield Produced(path, shape == "tree", at)
            if shape == "list":
                yield Produced(f"{path}/*", False, at)
            elif output_mapping.get("name") == "embedding":
                yield Produced(f"{path}/*", False, at)  # How a vector that is not projected is mapped


def skill_output_paths(skill: Mapping[str, Any]) -> list[str]:
    """The paths of one skill's outputs."""
    context = skill.get("context") or "/document"
    return [_output_path(context, mapping) for mapping, _ in items(skill.get("outputs"), "")]


def paths_read(source: str) -> list[str]:
    """The paths that a source reads: itself, or those in its expression (`= $(/document/a) + 'x'`)."""
    if source.startswith("/"):
        return [source]
    return [path.strip() for path in _IN_EXPRESSIONS.findall(source)]


def is_produced(path: str, produced: tuple[Produced, ...]) -> bool:
    """Whether a path is in the tree. A constant is itself; an expression (`= …`) is as far as its paths are.

    `/#` (the list as one value) and `/0` (one of its items) stand where `/*` does.
    """
    if not path.startswith("/"):
        return path.startswith(("=", "$")) and all(is_produced(read, produced) for read in paths_read(path))
    path = _PLACES.sub("/*", path)
    if path.startswith("/document/metadata_") and not path.startswith("/document/metadata_storage_"):
        # What a file says of itself: title, author, language …, by its format
        return True
    return any(path == item.path or (item.deep and path.startswith(f"{item.path}/")) for item in produced)


def is_almost(path: str, produced: tuple[Produced, ...]) -> bool:
    """Whether a path is so near to one of the tree that it must be a slip of the pen."""
    name = path.removeprefix("/document/")
    known = [item.path.removeprefix("/document/") for item in produced]
    return bool(difflib.get_close_matches(name.lower(), [other.lower() for other in known], n=1, cutoff=_ALMOST))
