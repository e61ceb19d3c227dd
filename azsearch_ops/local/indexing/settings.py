"""What an indexer and its data source ask of a run; what is not supported here is refused by name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from azsearch_ops.contract.indexing import MARKDOWN_SUBMODES, NATIVE_SOFT_DELETE
from azsearch_ops.contract.skill_types_files import HEADER_DEPTHS
from azsearch_ops.documents.markdown import DEEPEST
from azsearch_ops.local.indexing.findings import RunRefusedError

_BATCH_SIZE = 10
_SOURCES = ("azureblob", "adlsgen2")
_MANY_PER_BLOB = ("jsonArray", "jsonLines", "delimitedText")
_PARSING_MODES = ("default", "text", "json", "markdown", *_MANY_PER_BLOB)
# Read by the run, or without any meaning for a folder on this machine.
_KNOWN = frozenset(
    {
        "parsingMode", "dataToExtract", "indexedFileNameExtensions", "excludedFileNameExtensions",
        "failOnUnsupportedContentType", "failOnUnprocessableDocument", "imageAction", "allowSkillsetToReadFileData",
        "pdfTextRotationAlgorithm", "indexStorageMetadataOnlyForOversizedDocuments", "executionEnvironment",
        "queryTimeout", "firstLineContainsHeaders", "delimitedTextHeaders", "delimitedTextDelimiter", "documentRoot",
    }
)  # fmt: skip
_KNOWN_OF_MARKDOWN = _KNOWN | {"markdownParsingSubmode", "markdownHeaderDepth"}
_OFF: Mapping[str, object] = {
    "imageAction": "none",
    "allowSkillsetToReadFileData": False,
    "pdfTextRotationAlgorithm": "none",
}

DataToExtract = Literal["storageMetadata", "allMetadata", "contentAndMetadata"]


@dataclass(frozen=True, slots=True)
class Parsing:
    """What becomes of a blob's bytes. Without `headers` the first line of delimited text has the names.

    `depth` is the level of the deepest header that splits Markdown, which is one document where it stays `whole`.
    """

    mode: str = "default"
    document_root: str = ""
    headers: tuple[str, ...] = ()
    delimiter: str = ","
    depth: int = DEEPEST
    whole: bool = False

    @property
    def makes_many(self) -> bool:
        """Whether a blob is one document an entity, under keys of their own."""
        return self.mode in _MANY_PER_BLOB or (self.mode == "markdown" and not self.whole)


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of one run. -1 failed items means any number."""

    connection_string: str
    container: str
    prefix: str
    source_name: str
    account: str
    removes_deleted: bool
    parsing: Parsing
    extract: DataToExtract
    indexed_extensions: frozenset[str]
    excluded_extensions: frozenset[str]
    fail_on_unsupported: bool
    fail_on_unprocessable: bool
    metadata_of_oversized: bool
    max_failed: int
    max_failed_per_batch: int
    batch_size: int

    def takes(self, extension: str) -> bool:
        """Whether blobs with this file extension are indexed; an exclusion wins."""
        lowered = extension.lower()
        if lowered in self.excluded_extensions:
            return False
        return not self.indexed_extensions or lowered in self.indexed_extensions


def read_settings(indexer: Mapping[str, Any], data_source: Mapping[str, Any]) -> Settings:
    """The settings of REST bodies. Raises RunRefusedError naming all that is not supported."""
    parameters = indexer.get("parameters") or {}
    configuration = parameters.get("configuration") or {}
    refused = [*_refused_source(data_source), *_refused_configuration(configuration)]
    if indexer.get("cache"):
        refused.append("an enrichment cache")
    if refused:
        raise RunRefusedError(f"The local service does not support {'; '.join(refused)}.")
    container = data_source.get("container") or {}
    connection_string = str((data_source.get("credentials") or {}).get("connectionString") or "")
    return Settings(
        connection_string=connection_string,
        container=str(container.get("name") or ""),
        prefix=str(container.get("query") or ""),
        source_name=str(data_source.get("name") or ""),
        account=_account(connection_string),
        removes_deleted=bool(data_source.get("dataDeletionDetectionPolicy")),
        parsing=_parsing(configuration),
        extract=cast(DataToExtract, configuration.get("dataToExtract") or "contentAndMetadata"),
        indexed_extensions=_extensions(configuration.get("indexedFileNameExtensions")),
        excluded_extensions=_extensions(configuration.get("excludedFileNameExtensions")),
        fail_on_unsupported=_flag(configuration, "failOnUnsupportedContentType"),
        fail_on_unprocessable=_flag(configuration, "failOnUnprocessableDocument"),
        metadata_of_oversized=str(configuration.get("indexStorageMetadataOnlyForOversizedDocuments")).lower() == "true",
        max_failed=_number(parameters, "maxFailedItems", 0),
        max_failed_per_batch=_number(parameters, "maxFailedItemsPerBatch", 0),
        batch_size=max(1, _number(parameters, "batchSize", _BATCH_SIZE)),
    )


def _refused_source(data_source: Mapping[str, Any]) -> list[str]:
    refused: list[str] = []
    if data_source.get("type") not in _SOURCES:
        refused.append(f"data sources of type '{data_source.get('type')}'")
    deletion = (data_source.get("dataDeletionDetectionPolicy") or {}).get("@odata.type")
    if deletion not in (None, NATIVE_SOFT_DELETE):
        refused.append(f"the deletion detection policy '{deletion}', since files have no metadata to mark them with")
    change = (data_source.get("dataChangeDetectionPolicy") or {}).get("@odata.type")
    if change is not None:
        refused.append(f"the change detection policy '{change}' for blobs")
    return refused


def _refused_configuration(configuration: Mapping[str, Any]) -> list[str]:
    refused: list[str] = []
    mode = configuration.get("parsingMode") or "default"
    if mode not in _PARSING_MODES:
        refused.append(f"parsingMode '{mode}'")
    for name, off in _OFF.items():
        value = configuration.get(name)
        if value not in (None, off):
            refused.append(f"{name} '{value}'")
    if (
        mode not in ("default", "text")
        and (configuration.get("dataToExtract") or "contentAndMetadata") != "contentAndMetadata"
    ):
        refused.append(f"dataToExtract '{configuration['dataToExtract']}' with parsingMode '{mode}'")
    for name, values in (("markdownHeaderDepth", HEADER_DEPTHS), ("markdownParsingSubmode", MARKDOWN_SUBMODES)):
        if configuration.get(name) not in (None, *values):
            refused.append(f"{name} '{configuration[name]}'")
    if mode == "delimitedText":
        refused += _refused_delimited(configuration)
    if mode in _PARSING_MODES:
        known = _KNOWN_OF_MARKDOWN if mode == "markdown" else _KNOWN
        refused += [
            f"the configuration setting '{name}'"
            for name, value in sorted(configuration.items())
            if name not in known and not name.startswith("@") and value is not None
        ]
    return refused


def _refused_delimited(configuration: Mapping[str, Any]) -> list[str]:
    refused: list[str] = []
    delimiter = configuration.get("delimitedTextDelimiter")
    if delimiter is not None and (not isinstance(delimiter, str) or len(delimiter) != 1 or delimiter in '"\r\n'):
        refused.append(f"delimitedTextDelimiter '{delimiter}', which must be one character")
    headers, first = configuration.get("delimitedTextHeaders"), configuration.get("firstLineContainsHeaders")
    if headers and first is not None and _flag(configuration, "firstLineContainsHeaders"):
        refused.append("delimitedTextHeaders together with firstLineContainsHeaders")
    if not headers and first is not None and not _flag(configuration, "firstLineContainsHeaders"):
        refused.append("delimited text without headers")
    return refused


def _parsing(configuration: Mapping[str, Any]) -> Parsing:
    headers = str(configuration.get("delimitedTextHeaders") or "")
    return Parsing(
        mode=str(configuration.get("parsingMode") or "default"),
        document_root=str(configuration.get("documentRoot") or ""),
        headers=tuple(name.strip() for name in headers.split(",")) if headers else (),
        delimiter=str(configuration.get("delimitedTextDelimiter") or ","),
        depth=int(str(configuration.get("markdownHeaderDepth") or f"h{DEEPEST}")[1:]),
        whole=configuration.get("markdownParsingSubmode") == "oneToOne",
    )


def _account(connection_string: str) -> str:
    """The storage account that addresses name: the connection string's, or `local` for a folder."""
    found = re.search(r"(?:AccountName=|/storageAccounts/)([A-Za-z0-9]+)", connection_string, re.IGNORECASE)
    return found.group(1).lower() if found else "local"


def _extensions(value: object) -> frozenset[str]:
    names = (name.strip().lower() for name in str(value or "").split(","))
    return frozenset(name if name.startswith(".") else f".{name}" for name in names if name)


def _flag(configuration: Mapping[str, Any], name: str) -> bool:
    value = configuration.get(name)
    return True if value is None else str(value).lower() != "false"


def _number(parameters: Mapping[str, Any], name: str, default: int) -> int:
    value = parameters.get(name)
    return default if value is None else int(value)
