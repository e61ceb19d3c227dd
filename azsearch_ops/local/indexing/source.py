"""Blobs of a container to documents with the source fields that Azure gives them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from azsearch_ops.documents.crack import content_type, crack, crack_as_text
from azsearch_ops.documents.cracked import Cracked, CrackError
from azsearch_ops.documents.folder import Blob, read_blob
from azsearch_ops.documents.markdown import markdown_document, markdown_sections
from azsearch_ops.documents.records import Record, delimited, json_array, json_lines, json_object
from azsearch_ops.local.indexing.document import Document
from azsearch_ops.local.indexing.limits import EXTRACTED_CHARACTERS, EXTRACTION_BYTES, shortened
from azsearch_ops.local.indexing.mapping import FieldMapping, MappingError, base64_encode
from azsearch_ops.local.indexing.settings import Settings
from azsearch_ops.local.indexing.tree import grow

_UNESCAPED = "/!$&'()*+,;=:@-._~"
_STATUS = {"unsupported": 415, "encrypted": 422, "corrupt": 422}
_MAXIMUM_KEY = 1024
_KEY_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-=")


def address(settings: Settings, path: str) -> str:
    """The blob's URL as `metadata_storage_path` has it: the same wherever the folder lies."""
    escaped = quote(path, safe=_UNESCAPED, errors="surrogateescape")
    return f"https://{settings.account}.blob.core.windows.net/{settings.container}/{escaped}"


def load(blob: Blob, folder: Path, settings: Settings) -> Iterator[Document]:
    """The documents of a blob: one, cracked as far as `dataToExtract` asks for, or one an entity.

    A blob that cannot be read or parsed is one document that failed, if it is not tolerated.
    """
    document = Document(blob, address(settings, blob.path))
    document.fields.update(
        {
            "metadata_storage_name": blob.name,
            "metadata_storage_path": document.address,
            "metadata_storage_content_type": content_type(blob.path),
            "metadata_storage_content_md5": blob.md5,
            "metadata_storage_size": blob.size,
            "metadata_storage_last_modified": blob.last_modified.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "metadata_storage_file_extension": blob.extension,
        }
    )
    if settings.extract == "storageMetadata" or _oversized(document, settings):
        yield document
        return
    try:
        data = read_blob(folder, blob.path)
        if settings.parsing.makes_many:
            for record in _records(data, settings):
                yield _entity(document, record, settings)
            return
        if settings.parsing.mode == "json":
            document.fields.update(json_object(data).fields)
        elif settings.parsing.mode == "markdown":
            document.fields.update(markdown_document(data, settings.parsing.depth).fields)
        else:
            _take(
                document, crack_as_text(data) if settings.parsing.mode == "text" else crack(blob.path, data), settings
            )
    except CrackError as error:
        _not_cracked(document, error, settings)
    except OSError as error:
        document.fail("Could not read the blob.", _extraction(settings), error.strerror or str(error), status=503)
    yield document


def _oversized(document: Document, settings: Settings) -> bool:
    """Whether the blob is too large to be read, which is an error unless its storage metadata are to do."""
    size = document.blob.size
    if size <= EXTRACTION_BYTES:
        return False
    if not settings.metadata_of_oversized:
        message = (
            f"Document is '{size}' bytes, which exceeds the maximum size '{EXTRACTION_BYTES}' bytes for document "
            "extraction for your current service tier."
        )
        document.fail(message, _extraction(settings), f"The blob has {size} bytes.", status=413)
    return True


def _records(data: bytes, settings: Settings) -> Iterator[Record]:
    parsing = settings.parsing
    if parsing.mode == "jsonArray":
        return json_array(data, parsing.document_root)
    if parsing.mode == "jsonLines":
        return json_lines(data)
    if parsing.mode == "markdown":
        return markdown_sections(data, parsing.depth)
    return delimited(data, headers=parsing.headers, delimiter=parsing.delimiter)


def _entity(blob: Document, record: Record, settings: Settings) -> Document:
    """The document of one entity; its address is the blob's and its number, from which its key is made."""
    document = Document(blob.blob, f"{blob.address};{record.number}", record.number)
    document.fields.update({**blob.fields, **record.fields, "AzureSearch_DocumentKey": document.address})
    if record.fault:
        message = f"Could not extract content or metadata from your document. {record.fault}"
        document.fail(message, _extraction(settings), record.fault, status=_STATUS["corrupt"])
    return document


def map_fields(document: Document, mappings: Sequence[FieldMapping], key_field: str) -> None:
    """Applies the field mappings, finds the document key and plants the tree.

    A source may be the JSON Pointer of a value inside a property. Without a mapping to the key field the key is the
    base64 of the document's address. Skills see a mapped value under the name of its target too. A value that a
    function refuses, or an illegal key, fails the document.
    """
    mapped: dict[str, object] = {}
    for mapping in mappings:
        value = _value(document.fields, mapping.source)
        if value is None:
            continue
        try:
            mapped[mapping.target] = mapping.apply(value)
        except MappingError as error:
            name = f"Projection.SearchIndex.FieldMapping.{mapping.target}"
            document.fail(f"Could not apply the field mapping of '{mapping.source}'.", name, str(error), status=400)
    if not any(mapping.target == key_field for mapping in mappings):
        mapped[key_field] = base64_encode(document.address)
    explicit = {mapping.source for mapping in mappings}
    document.root = grow({**document.fields, **{name: value for name, value in mapped.items() if name != key_field}})
    implicit = {name: value for name, value in document.fields.items() if name not in explicit}
    key = mapped.get(key_field)
    document.fields = {**implicit, **mapped}
    document.key = key if isinstance(key, str) else ""
    _check_key(document, key_field)


def _value(fields: Mapping[str, Any], source: str) -> Any:
    if source in fields or not source.startswith("/"):
        return fields.get(source)
    value: Any = fields
    for part in source[1:].split("/"):
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        else:
            value = value.get(name) if isinstance(value, dict) else None
    return value


def _check_key(document: Document, key_field: str) -> None:
    if document.failed:
        return
    key, reason = document.key, ""
    if not key:
        reason = "Document key cannot be missing or empty."
    elif len(key) > _MAXIMUM_KEY:
        reason = f"Document key cannot be longer than {_MAXIMUM_KEY} characters."
    elif not _KEY_LETTERS.issuperset(key):
        reason = (
            "Invalid document key. Keys can only contain letters, digits, underscore (_), dash (-), or equal sign (=)."
        )
    elif key.startswith("_"):
        reason = "Invalid document key. Keys cannot start with an underscore (_)."
    if reason:
        details = f"'{key}'. Encode it with the mapping function base64Encode." if key else ""
        document.fail(reason, f"Projection.SearchIndex.FieldMapping.{key_field}", details, status=400)


def _take(document: Document, cracked: Cracked, settings: Settings) -> None:
    document.fields.update(cracked.metadata)
    if settings.extract == "contentAndMetadata":
        text = shortened(cracked.text, EXTRACTED_CHARACTERS)
        document.fields["content"] = text
        if len(text) < len(cracked.text):
            message = f"Truncated extracted text to '{EXTRACTED_CHARACTERS}' characters."
            document.warn(message, _extraction(settings), f"{len(cracked.text) - len(text)} characters are left out.")
    for warning in cracked.warnings:
        document.warn("Could not extract all content of the document.", _extraction(settings), warning)


def _not_cracked(document: Document, error: CrackError, settings: Settings) -> None:
    """An error, or, where the indexer tolerates it, a warning and the storage metadata alone."""
    unsupported = error.crack_code == "unsupported"
    fails = settings.fail_on_unsupported if unsupported else settings.fail_on_unprocessable
    message = f"Could not extract content or metadata from your document. {error.message}"
    if fails:
        document.fail(message, _extraction(settings), error.message, status=_STATUS[error.crack_code])
    else:
        document.warn(message, _extraction(settings), error.message)


def _extraction(settings: Settings) -> str:
    return f"DocumentExtraction.azureblob.{settings.source_name or settings.container}"
