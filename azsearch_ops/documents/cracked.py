"""What comes of a blob: its text and metadata, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from azsearch_ops.errors import AzsearchOpsError

CrackCode = Literal["unsupported", "encrypted", "corrupt"]


@dataclass(frozen=True, slots=True)
class Cracked:
    """The text of a blob, its `metadata_…` properties under Azure's names, and what went wrong without stopping."""

    text: str
    metadata: Mapping[str, object]
    warnings: tuple[str, ...] = ()


class CrackError(AzsearchOpsError):
    """The blob gives no text; `crack_code` says why."""

    code = "crack"

    def __init__(self, message: str, crack_code: CrackCode) -> None:
        super().__init__(message)
        self.crack_code = crack_code
