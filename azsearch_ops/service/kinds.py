"""The definition kinds of the service, and how the SDK names the calls for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["index", "alias", "dataSource", "skillset", "indexer", "synonymMap"]


@dataclass(frozen=True, slots=True)
class KindCalls:
    """The SDK's names for one kind: its model, the stem of its methods; `path` is the REST collection."""

    model: str
    stem: str
    path: str
    on_indexer_client: bool


KINDS: Final[Mapping[Kind, KindCalls]] = {
    "index": KindCalls("SearchIndex", "index", "indexes", False),
    "alias": KindCalls("SearchAlias", "alias", "aliases", False),
    "dataSource": KindCalls("SearchIndexerDataSourceConnection", "data_source_connection", "datasources", True),
    "skillset": KindCalls("SearchIndexerSkillset", "skillset", "skillsets", True),
    "synonymMap": KindCalls("SynonymMap", "synonym_map", "synonymmaps", False),
    "indexer": KindCalls("SearchIndexer", "indexer", "indexers", True),
}
