"""PDF to text and metadata."""

from __future__ import annotations

import logging
import struct
import zlib
from datetime import datetime
from io import BytesIO

from pypdf import PdfReader
from pypdf.errors import DependencyError, FileNotDecryptedError, PyPdfError, WrongPasswordError

from azsearch_ops.documents.cracked import Cracked, CrackError

# What a damaged file is found to raise somewhere below pypdf, which checks few of the types that it reads; it raises
# NotImplementedError for filters and encryptions that it does not know.
_DAMAGE = (
    PyPdfError, ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, NotImplementedError, OSError,
    RecursionError, TypeError, ValueError, struct.error, zlib.error,
)  # fmt: skip

# pypdf reports each oddity of a file through logging, which prints to stderr where nobody listens.
_logger = logging.getLogger("pypdf")
_logger.addHandler(logging.NullHandler())
_logger.propagate = False


def crack_pdf(data: bytes) -> Cracked:
    """The text of all pages, each beginning on a new line. Raises CrackError for encrypted and damaged files."""
    try:
        reader = PdfReader(BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise _encrypted()
        pages = [page.extract_text() for page in reader.pages]
        metadata = _metadata(reader)
    except (DependencyError, FileNotDecryptedError, WrongPasswordError) as error:
        raise _encrypted() from error
    except _DAMAGE as error:
        reason = str(error).strip() or type(error).__name__
        raise CrackError(f"Document could not be processed - the PDF is damaged: {reason}.", "corrupt") from error
    if not pages:
        raise CrackError("Document could not be processed - the PDF is damaged: it has no pages.", "corrupt")
    text = "\n".join(page.strip("\n") for page in pages)
    warnings = () if text.strip() else ("The PDF has no text layer.",)
    return Cracked(text.encode("utf-8", "replace").decode("utf-8"), metadata, warnings)


def _encrypted() -> CrackError:
    return CrackError("Document could not be processed - it may be encrypted or password protected.", "encrypted")


def _metadata(reader: PdfReader) -> dict[str, object]:
    found: dict[str, object] = {"metadata_content_type": "application/pdf"}
    root = reader.trailer["/Root"]
    language = root.get("/Lang") if hasattr(root, "get") else None
    if isinstance(language, str) and language.strip():
        found["metadata_language"] = language.strip()
    information = reader.metadata
    if information is None:
        return found
    for name, value in (("title", information.title), ("author", information.author)):
        if isinstance(value, str) and value.strip():
            found[f"metadata_{name}"] = value.strip()
    try:
        created = information.creation_date
    except ValueError:
        created = None  # Dates are often written in forms of the writer's own.
    if isinstance(created, datetime):
        found["metadata_creation_date"] = created.isoformat() + ("" if created.tzinfo else "Z")
    return found
