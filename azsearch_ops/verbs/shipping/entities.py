"""How many documents a blob becomes where it holds many (jsonArray, jsonLines, rows, sections), and their texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from azsearch_ops.bodies.render import Bodies
from azsearch_ops.contract.text_split import ODATA_TYPE
from azsearch_ops.documents.cracked import CrackError
from azsearch_ops.documents.folder import read_blob
from azsearch_ops.documents.markdown import markdown_document, markdown_sections
from azsearch_ops.documents.records import Record, delimited, json_array, json_lines, json_object

_EMBEDDING: Final = "#Microsoft.Skills.Text.AzureOpenAIEmbeddingSkill"


def entity_texts(container: Path, paths: tuple[str, ...], bodies: Bodies) -> dict[str, list[str]]:
    """By blob: for each document that the indexer makes of it, the text that the skills cut or embed ("" for none).

    A record that cannot be read, and a blob that cannot, makes no document; the build names them.
    """
    configuration = bodies.indexer["parameters"]["configuration"]
    source = _text_source(bodies.skillset)
    found: dict[str, list[str]] = {}
    for path in paths:
        try:
            records = [
                record.fields for record in _records(read_blob(container, path), configuration) if not record.fault
            ]
        except CrackError:
            records = []
        found[path] = [_at(fields, source) for fields in records]
    return found


def _records(data: bytes, configuration: Mapping[str, Any]) -> Iterator[Record]:
    mode = configuration.get("parsingMode")
    if mode == "jsonArray":
        yield from json_array(data, str(configuration.get("documentRoot") or ""))
    elif mode == "jsonLines":
        yield from json_lines(data)
    elif mode == "delimitedText":
        first = configuration.get("firstLineContainsHeaders") is not False
        stated = str(configuration.get("delimitedTextHeaders") or "")
        headers = () if first else tuple(part.strip() for part in stated.split(","))
        yield from delimited(data, headers=headers, delimiter=str(configuration.get("delimitedTextDelimiter") or ","))
    elif mode == "json":
        yield json_object(data)
    else:
        depth = int(str(configuration.get("markdownHeaderDepth") or "h6")[1:])
        if configuration.get("markdownParsingSubmode") == "oneToOne":
            yield markdown_document(data, depth)
        else:
            yield from markdown_sections(data, depth)


def _text_source(skillset: Mapping[str, Any]) -> str:
    """The path whose text is cut or embedded, by the first skill that does either."""
    for kind in (ODATA_TYPE, _EMBEDDING):
        for skill in skillset.get("skills") or ():
            if skill.get("@odata.type") == kind and (skill.get("context") or "/document") == "/document":
                for entry in skill.get("inputs") or ():
                    if entry.get("name") == "text":
                        return str(entry.get("source") or "")
    return ""


def _at(fields: Mapping[str, Any], source: str) -> str:
    value: Any = fields
    for name in source.removeprefix("/document").strip("/").split("/") if source else ():
        value = value.get(name) if isinstance(value, Mapping) else None
    return value if isinstance(value, str) else ""
