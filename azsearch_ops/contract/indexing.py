"""The properties of data sources and indexers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from azsearch_ops.contract import sources
from azsearch_ops.contract.property import ObjectType, Property, table
from azsearch_ops.contract.skill_types_files import HEADER_DEPTHS

_SOURCE: Final = sources.DATA_SOURCE
_INDEXER: Final = sources.INDEXER
_MAPPING: Final = sources.FIELD_MAPPINGS

SOURCE_TYPES: Final = (
    "azureblob",
    "adlsgen2",
    "azuresql",
    "azuretable",
    "cosmosdb",
    "mysql",
    "azurefile",
    "onelake",
    "sharepoint",
)
PREVIEW_SOURCE_TYPES: Final = ("azurefile", "mysql", "sharepoint")
"""Source types that no stable api-version promises."""
BLOB_TYPES: Final = ("azureblob", "adlsgen2", "onelake")

NATIVE_SOFT_DELETE: Final = "#Microsoft.Azure.Search.NativeBlobSoftDeleteDeletionDetectionPolicy"

SOFT_DELETE: Final = "#Microsoft.Azure.Search.SoftDeleteColumnDeletionDetectionPolicy"
HIGH_WATER_MARK: Final = "#Microsoft.Azure.Search.HighWaterMarkChangeDetectionPolicy"
SQL_TRACKING: Final = "#Microsoft.Azure.Search.SqlIntegratedChangeTrackingPolicy"

UNCHANGED: Final = "<unchanged>"
"""Sent in the place of a connection string: the service keeps the one it has."""
REDACTED: Final = "<redacted>"
"""Sent in the place of a connection string: the service forgets the one it has."""

MARKDOWN_SUBMODES: Final = ("oneToMany", "oneToOne")
PARSING_MODES: Final = ("default", "text", "json", "jsonArray", "jsonLines", "delimitedText", "markdown")
MAPPING_FUNCTIONS: Final = (
    "base64Encode",
    "base64Decode",
    "extractTokenAtPosition",
    "jsonArrayToStringCollection",
    "urlEncode",
    "urlDecode",
    "fixedLengthEncode",
    "toJson",
)

OWN_NAMES: Final = ("name", "dataSourceName", "skillsetName", "targetIndexName")
"""Names that are made of the definition's own: in JSON from the portal they say what was, and are not heeded."""

DATA_SOURCE_ELSEWHERE: Final[Mapping[str, str]] = {
    "name": "the definition's name",
    "type": "source.type",
    "credentials": "connectionString of the connection",
    "identity": "identity of the connection",
    "container": "source.container and source.query",
    "dataChangeDetectionPolicy": "source.dataChangeDetectionPolicy",
    "dataDeletionDetectionPolicy": "source.dataDeletionDetectionPolicy",
}
"""Where a definition says what `source.dataSource` does not take."""

INDEXER_ELSEWHERE: Final[Mapping[str, str]] = {
    **dict.fromkeys(OWN_NAMES, "the definition's name"),
    **{
        name: f"source.{name}"
        for name in ("schedule", "parameters", "fieldMappings", "outputFieldMappings", "encryptionKey", "cache")
    },
}
"""Where a definition says what `source.indexer` does not take."""

INDEXING_OBJECTS: Final[tuple[ObjectType, ...]] = (
    ObjectType(
        "dataSource",
        table(
            Property("name", "string", sources.NAMING, required=True),
            Property("description", "string", _SOURCE, change="in place"),
            Property("type", "string", _SOURCE, required=True, values=SOURCE_TYPES),
            Property("subType", "string", sources.SDK_PREVIEW, since="2026-05-01-preview"),
            Property(
                "credentials",
                "object",
                _SOURCE,
                required=True,
                environment=True,
                write_only=True,
                change="in place",
                of="credentials",
            ),
            Property("container", "object", _SOURCE, required=True, of="dataContainer"),
            Property("identity", "object", _SOURCE, of="identity", environment=True, change="in place"),
            Property("dataChangeDetectionPolicy", "object", _SOURCE, of="changeDetection"),
            Property("dataDeletionDetectionPolicy", "object", sources.BLOB_DELETION, of="deletionDetection"),
            Property("encryptionKey", "object", _SOURCE, of="encryptionKey", environment=True, change="in place"),
            Property("indexerPermissionOptions", "list", _SOURCE, order="set", since="2025-05-01-preview"),
        ),
    ),
    ObjectType(
        "changeDetection",
        table(Property("@odata.type", "string", _SOURCE, required=True)),
        discriminator="@odata.type",
        variants={HIGH_WATER_MARK: "highWaterMark", SQL_TRACKING: "sqlTracking"},
    ),
    ObjectType("highWaterMark", table(Property("highWaterMarkColumnName", "string", _SOURCE, required=True))),
    ObjectType("sqlTracking", {}),
    ObjectType(
        "deletionDetection",
        table(Property("@odata.type", "string", sources.BLOB_DELETION, required=True)),
        discriminator="@odata.type",
        variants={SOFT_DELETE: "softDelete", NATIVE_SOFT_DELETE: "nativeSoftDelete"},
    ),
    ObjectType(
        "softDelete",
        table(
            Property("softDeleteColumnName", "string", sources.BLOB_DELETION, required=True),
            Property("softDeleteMarkerValue", "any", sources.BLOB_DELETION),
        ),
    ),
    ObjectType("nativeSoftDelete", {}),
    ObjectType("credentials", table(Property("connectionString", "string", _SOURCE, write_only=True))),
    ObjectType(
        "dataContainer",
        table(
            Property("name", "string", _SOURCE, required=True),
            Property("query", "string", _SOURCE),
        ),
    ),
    ObjectType(
        "indexer",
        table(
            Property("name", "string", sources.NAMING, required=True),
            Property("description", "string", _INDEXER, change="in place"),
            Property("dataSourceName", "string", _INDEXER, required=True),
            Property("skillsetName", "string", _INDEXER),
            Property("targetIndexName", "string", _INDEXER, required=True),
            Property("schedule", "object", _INDEXER, of="schedule", change="in place"),
            Property("parameters", "object", _INDEXER, default={}, of="indexingParameters"),
            Property(
                "fieldMappings",
                "list",
                _MAPPING,
                of="fieldMapping",
                order="named",
                key="targetFieldName|sourceFieldName",
            ),
            Property(
                "outputFieldMappings",
                "list",
                _MAPPING,
                of="fieldMapping",
                order="named",
                key="targetFieldName|sourceFieldName",
            ),
            Property("disabled", "boolean", _INDEXER, default=False, change="in place"),
            Property("encryptionKey", "object", _INDEXER, of="encryptionKey", environment=True, change="in place"),
            Property(
                "cache",
                "object",
                _INDEXER,
                of="indexerCache",
                since="2020-06-30-preview",
                environment=True,
                change="in place",
            ),
        ),
    ),
    ObjectType(
        "indexerCache",
        table(
            Property("storageConnectionString", "string", _INDEXER, environment=True, write_only=True),
            Property("enableReprocessing", "boolean", _INDEXER, default=True),
            Property("identity", "object", _INDEXER, of="identity", environment=True),
            Property("id", "string", _INDEXER),
        ),
    ),
    ObjectType(
        "schedule",
        table(
            Property("interval", "string", _INDEXER, required=True),
            Property("startTime", "string", _INDEXER),
        ),
    ),
    ObjectType(
        "indexingParameters",
        table(
            Property("batchSize", "integer", _INDEXER, minimum=1, change="in place"),
            Property("maxFailedItems", "integer", _INDEXER, default=0, minimum=-1, change="in place"),
            Property("maxFailedItemsPerBatch", "integer", _INDEXER, default=0, minimum=-1, change="in place"),
            Property("base64EncodeKeys", "boolean", _INDEXER),
            Property("configuration", "object", _INDEXER, default={}, of="indexerConfiguration"),
        ),
    ),
    ObjectType(
        "indexerConfiguration",
        table(
            Property("parsingMode", "string", _INDEXER, default="default", values=PARSING_MODES),
            Property("indexedFileNameExtensions", "string", _INDEXER),
            Property("excludedFileNameExtensions", "string", _INDEXER),
            Property("failOnUnsupportedContentType", "boolean", _INDEXER, default=True, change="in place"),
            Property("failOnUnprocessableDocument", "boolean", _INDEXER, default=True, change="in place"),
            Property("indexStorageMetadataOnlyForOversizedDocuments", "boolean", _INDEXER, default=False),
            Property("delimitedTextHeaders", "string", _INDEXER),
            Property("delimitedTextDelimiter", "string", _INDEXER),
            Property("firstLineContainsHeaders", "boolean", _INDEXER, default=True),
            Property("documentRoot", "string", _INDEXER),
            Property("markdownParsingSubmode", "string", _INDEXER, values=MARKDOWN_SUBMODES, since="2026-04-01"),
            Property("markdownHeaderDepth", "string", _INDEXER, values=HEADER_DEPTHS, since="2026-04-01"),
            Property(
                "dataToExtract",
                "string",
                _INDEXER,
                default="contentAndMetadata",
                values=("storageMetadata", "allMetadata", "contentAndMetadata"),
            ),
            Property(
                "imageAction",
                "string",
                _INDEXER,
                default="none",
                values=("none", "generateNormalizedImages", "generateNormalizedImagePerPage"),
            ),
            Property("allowSkillsetToReadFileData", "boolean", _INDEXER, default=False),
            Property("pdfTextRotationAlgorithm", "string", _INDEXER, default="none", values=("none", "detectAngles")),
            Property(
                "executionEnvironment",
                "string",
                _INDEXER,
                default="standard",
                values=("standard", "private"),
                environment=True,
                change="in place",
            ),
            Property("queryTimeout", "string", _INDEXER, change="in place"),
        ),
        open=True,
    ),
    ObjectType(
        "fieldMapping",
        table(
            Property("sourceFieldName", "string", _MAPPING, required=True),
            Property("targetFieldName", "string", _MAPPING),
            Property("mappingFunction", "object", _MAPPING, of="mappingFunction"),
        ),
    ),
    ObjectType(
        "mappingFunction",
        table(
            Property("name", "string", _MAPPING, required=True, values=MAPPING_FUNCTIONS),
            Property("parameters", "any", _MAPPING),
        ),
    ),
)
