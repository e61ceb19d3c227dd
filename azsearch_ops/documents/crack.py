"""Blobs to text and metadata: Markdown, plain text, HTML and PDF."""

from __future__ import annotations

from collections.abc import Callable

from azsearch_ops.documents.cracked import Cracked, CrackError

_TEXT_EXTENSIONS = frozenset({".md", ".markdown", ".txt", ".text"})
_HTML_EXTENSIONS = frozenset({".html", ".htm", ".xhtml"})
_CONTENT_TYPES = {
    ".csv": "text/csv",
    ".doc": "application/msword",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".eml": "message/rfc822",
    ".epub": "application/epub+zip",
    ".gif": "image/gif",
    ".gz": "application/gzip",
    ".htm": "text/html",
    ".html": "text/html",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".json": "application/json",
    ".markdown": "text/markdown",
    ".md": "text/markdown",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ".text": "text/plain",
    ".txt": "text/plain",
    ".xhtml": "application/xhtml+xml",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".xml": "application/xml",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
    ".zip": "application/zip",
}


def content_type(path: str) -> str:
    """The content type that an upload of this file would be given: by its extension."""
    return _CONTENT_TYPES.get(_extension(path), "application/octet-stream")


def crack(path: str, data: bytes) -> Cracked:
    """The text and metadata of a blob, by its extension, else by its first bytes. Raises CrackError."""
    return _cracker(path, data)(data)


def crack_as_text(data: bytes) -> Cracked:
    """The blob as plain text whatever it is (parsing mode `text`). Raises CrackError for bytes that are no text."""
    from azsearch_ops.documents.plain import crack_plain

    return crack_plain(data)


def _cracker(path: str, data: bytes) -> Callable[[bytes], Cracked]:
    extension = _extension(path)
    start = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if extension == ".pdf" or (not extension and start.startswith(b"%pdf-")):
        from azsearch_ops.documents.pdf import crack_pdf

        return crack_pdf
    if extension in _HTML_EXTENSIONS or (not extension and start.startswith((b"<!doctype html", b"<html"))):
        from azsearch_ops.documents.html import crack_html

        return crack_html
    if extension in _TEXT_EXTENSIONS or not extension:
        return crack_as_text
    raise CrackError(f"Document has unsupported content type '{content_type(path)}'", "unsupported")


def _extension(path: str) -> str:
    stem, dot, extension = path.rpartition("/")[2].rpartition(".")
    return (dot + extension).lower() if stem else ""
