"""What an indexer takes in of one blob; the local service has the limits of S1."""

from __future__ import annotations

from typing import Final

from azsearch_ops.contract.limits import TIERS

EXTRACTION_BYTES: Final = 134_217_728
"""A larger blob is not read; the number stands in Azure's own error message."""

EXTRACTED_CHARACTERS: Final = TIERS["standard"].blob_characters
"""UTF-16 units; text beyond them is left out with a warning."""


def shortened(text: str, characters: int | None) -> str:
    """The beginning of `text` that has at most so many UTF-16 units; None: any number."""
    if characters is None or 2 * len(text) <= characters:
        return text
    encoded = text.encode("utf-16-le", "surrogatepass")
    if len(encoded) <= 2 * characters:
        return text
    end = 2 * characters
    # Not between the halves of a pair
    if 0xD8 <= encoded[end - 1] <= 0xDB:
        end -= 2
    return encoded[:end].decode("utf-16-le", "surrogatepass")
