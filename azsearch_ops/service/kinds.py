"""The definition kinds of the service, and how the SDK names the calls for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["index", "alias", "dataSource", "skillset", "indexer", "synonymMap"]


@dataclass(frozen=True, slots=True)
class KindCalls:
    """The SDK's names for one kind: the stem of its methods; `path` is the REST collection."""

    stem: str
    path: str
    on_indexer_client: bool


KINDS: Final[Mapping[Kind, KindCalls]] = {
    "index": KindCalls("index", "indexes", False),
    "alias": KindCalls("alias", "aliases", False),
    "dataSource": KindCalls("data_source_connection", "datasources", True),
    "skillset": KindCalls("skillset", "skillsets", True),
    "synonymMap": KindCalls("synonym_map", "synonymmaps", False),
    "indexer": KindCalls("indexer", "indexers", True),
}
