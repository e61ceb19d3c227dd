"""The bodies of data source and indexer."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Final

from azsearch_ops.bodies.origins import Origin
from azsearch_ops.contract.indexing import (
    BLOB_TYPES,
    DATA_SOURCE_ELSEWHERE,
    INDEXER_ELSEWHERE,
    NATIVE_SOFT_DELETE,
)
from azsearch_ops.contract.objects import ANNOTATIONS
from azsearch_ops.definitions.environment import Connection
from azsearch_ops.definitions.index import IndexDefinition, Source
from azsearch_ops.definitions.short_forms import key_field
from azsearch_ops.definitions.tree import step

DISABLED: Final = "disabled"
"""What, like the schedule, an indexer gets only once its index is live."""

_MANY_PER_BLOB: Final = ("jsonArray", "jsonLines", "delimitedText", "markdown")


def data_source_body(
    source: Source, connection: Connection | None, root: Path, *, name: str
) -> tuple[dict[str, Any], tuple[Origin, ...]]:
    """The data source under `name`; a folder becomes a connection string that the local service understands.

    For a connection that names a data source of the service it says what that is expected to be; it is never sent.

    Deleted blobs are followed by native soft delete unless the definition says otherwise.
    """
    container: dict[str, Any] = {"name": source.container}
    if source.query is not None:
        container["query"] = source.query
    body: dict[str, Any] = {
        "name": name,
        "type": source.type,
        "credentials": {"connectionString": connection_string(connection, root)},
        "container": container,
    }
    if connection is not None and connection.identity is not None:
        body["identity"] = dict(connection.identity)
    if source.change_detection is not None:
        body["dataChangeDetectionPolicy"] = dict(source.change_detection)
    if source.deletion_detection is not None:
        body["dataDeletionDetectionPolicy"] = dict(source.deletion_detection)
    elif source.type in BLOB_TYPES:
        body["dataDeletionDetectionPolicy"] = {"@odata.type": NATIVE_SOFT_DELETE}
    body |= _further(source.data_source, DATA_SOURCE_ELSEWHERE)
    origins = (
        *(Origin("dataSource", step("", key), "index", step("/source/dataSource", key)) for key in source.data_source),
        Origin("dataSource", "", "index", "/source"),
        Origin("dataSource", "/credentials", "environment", f"/connections/{source.connection}"),
        Origin("dataSource", "/container", "index", "/source/container"),
        Origin("dataSource", "/container/query", "index", "/source/query"),
    )
    return body, origins


def connection_string(connection: Connection | None, root: Path) -> str | None:
    """What the data source connects with: `LocalFolder=` and an absolute path, the connection's own, or None."""
    if connection is None:
        return None
    if connection.folder is not None:
        return f"LocalFolder={(root / connection.folder).resolve()}"
    return connection.connection_string


def indexer_body(
    index: IndexDefinition, *, name: str, data_source: str, skillset: str | None, target: str
) -> tuple[dict[str, Any], tuple[Origin, ...]]:
    """The indexer under `name`, without a schedule and never disabled: a candidate's runs, and only until it is full.

    A document that fails never stops the others (−1): what failed is read from the status, and decides there.
    """
    source = index.source
    configuration: dict[str, Any] = {"parsingMode": source.parsing_mode, **_stated(source.configuration)}
    if source.type in BLOB_TYPES:
        configuration.setdefault("dataToExtract", "contentAndMetadata")
    own_parameters = dict(source.parameters)
    own_configuration = own_parameters.pop("configuration", None)
    if isinstance(own_configuration, Mapping):
        configuration.update(_stated(own_configuration))
    body: dict[str, Any] = {
        "name": name,
        "dataSourceName": data_source,
        **({} if skillset is None else {"skillsetName": skillset}),
        "targetIndexName": target,
        "fieldMappings": _field_mappings(index),
        "outputFieldMappings": [dict(mapping) for mapping in source.output_field_mappings],
        "parameters": {
            "maxFailedItems": -1,
            "maxFailedItemsPerBatch": -1,
            **_stated(own_parameters),
            "configuration": configuration,
        },
    }
    if source.cache is not None:
        body["cache"] = dict(source.cache)
    if source.encryption_key is not None:
        body["encryptionKey"] = dict(source.encryption_key)
    body |= _further(source.indexer, (*INDEXER_ELSEWHERE, DISABLED))
    origins = (
        Origin("indexer", "", "index", "/source"),
        *(Origin("indexer", step("", key), "index", step("/source/indexer", key)) for key in source.indexer),
        Origin("indexer", "/outputFieldMappings", "index", "/source/outputFieldMappings"),
        Origin("indexer", "/parameters", "index", "/source/parameters"),
        Origin("indexer", "/parameters/configuration", "index", "/source/configuration"),
        Origin("indexer", "/parameters/configuration/parsingMode", "index", "/source/parsingMode"),
        Origin("indexer", "/schedule", "index", "/source/schedule"),
    )
    return body, origins


def _stated(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Without nulls, which JSON from the portal has for whatever is not set: they replace no default."""
    return {name: value for name, value in settings.items() if value is not None}


def _further(body: Mapping[str, object], elsewhere: Collection[str]) -> dict[str, object]:
    """What a definition says of an object in REST's way, without what stands elsewhere in it."""
    return {
        name: value
        for name, value in body.items()
        if name not in elsewhere and name not in ANNOTATIONS and value is not None
    }


def schedule(source: Source) -> dict[str, Any] | None:
    """The indexer's schedule in REST's shape, or None."""
    if source.schedule is None:
        return None
    return {"interval": source.schedule} if isinstance(source.schedule, str) else dict(source.schedule)


def _is_whole(source: Source) -> bool:
    """Whether Markdown stays one document a blob."""
    nested = source.parameters.get("configuration")
    stated = (source.configuration, nested if isinstance(nested, Mapping) else {})
    return any(configuration.get("markdownParsingSubmode") == "oneToOne" for configuration in stated)


def _field_mappings(index: IndexDefinition) -> list[dict[str, Any]]:
    """The definition's mappings, and the parent's key where it maps none.

    The key of the parent is what chunks carry as parent key, and what deletions are followed by. A path holds
    characters that no key may have, hence the encoding; blobs with many documents have a key of their own each.
    """
    mappings = [dict(mapping) for mapping in index.source.field_mappings]
    key = key_field(index.index)
    mapped = key is None or any(m.get("targetFieldName") == key for m in mappings)
    if mapped or index.source.type not in BLOB_TYPES or not index.source.key_mapping:
        return mappings
    many = index.source.parsing_mode in _MANY_PER_BLOB and not _is_whole(index.source)
    key_mapping = {
        "sourceFieldName": "AzureSearch_DocumentKey" if many else "metadata_storage_path",
        "targetFieldName": key,
        "mappingFunction": {"name": "base64Encode"},
    }
    return [key_mapping, *mappings]
