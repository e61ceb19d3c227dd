"""Bytes to characters, and plain text (which Markdown is for the service, too)."""

from __future__ import annotations

import codecs

from azsearch_ops.documents.cracked import Cracked, CrackError

# UTF-32 first: its little-endian mark begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF8, "utf-8-sig", "UTF-8"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16LE"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16BE"),
)


def decode(data: bytes, declared: str | None = None) -> tuple[str, str]:
    """The characters of `data` and the name of its encoding: by byte order mark, as declared, UTF-8, else cp1252.

    Raises CrackError for bytes that are no text.
    """
    for mark, codec, name in _MARKS:
        if data.startswith(mark):
            return _strictly(data, codec, name), name
    if b"\0" in data:
        raise CrackError("Document has unsupported content type 'application/octet-stream'", "unsupported")
    if declared is not None:
        try:
            codec = codecs.lookup(declared).name
            return data.decode(codec), codec.upper()
        except (LookupError, UnicodeDecodeError):
            pass  # Pages often declare an encoding that they are not in.
    try:
        return data.decode("utf-8"), "UTF-8"
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace"), "windows-1252"


def crack_plain(data: bytes) -> Cracked:
    """The text as it stands; nothing is stripped or joined."""
    text, encoding = decode(data)
    return Cracked(text, {"metadata_content_type": "text/plain", "metadata_content_encoding": encoding})


def _strictly(data: bytes, codec: str, name: str) -> str:
    try:
        return data.decode(codec)
    except UnicodeDecodeError as error:
        raise CrackError(
            f"Document could not be processed - it is not valid {name}: {error.reason}.", "corrupt"
        ) from error
