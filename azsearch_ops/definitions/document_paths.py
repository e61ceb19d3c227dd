"""The one spelling in which the document of a judgement is compared, with others and with the documents there are."""

from __future__ import annotations

import unicodedata


def one_spelling(path: str) -> str:
    """`path` with composed characters and forward slashes, no empty segment and no `.`.

    `./a.md`, `/a.md` and `a.md` are one document, and so are the two Unicode forms in which file systems keep `ä`.
    """
    composed = unicodedata.normalize("NFC", path).replace("\\", "/")
    return "/".join(segment for segment in composed.split("/") if segment not in ("", "."))
