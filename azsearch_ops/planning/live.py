"""What is live: bodies as they were read from the service, and the settings released with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class LiveState:
    """The index an alias points to with the objects that fill it; None for what is not there.

    `search` is the released request template, None when the ledger holds none for this index. `adopted` says that
    the index served before there was any release: the first one takes it as it is. `release` is the number of the
    release that made it live, None where there is none.
    """

    index_name: str
    index: Mapping[str, Any]
    skillset: Mapping[str, Any] | None
    data_source: Mapping[str, Any] | None
    indexer: Mapping[str, Any] | None
    search: Mapping[str, Any] | None
    rebuild_digest: str | None
    adopted: bool = False
    release: int | None = None
