"""The six kinds of named objects: where they live, what they are called, how many there may be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from azsearch_ops.contract.limits import TIERS
from azsearch_ops.local.errors import ServiceFault, not_found

TIER: Final = TIERS["standard"]
"""The tier whose quotas the local service keeps."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind: its collection in addresses, its words in messages, its code in details, its quota."""

    name: str
    collection: str
    label: str
    code: str
    quota: int | None
    etags: bool = True

    def missing(self, name: str) -> ServiceFault:
        """404 as recorded for indexes and aliases (net2025-vector-…-delete-404, py2026-alias-lifecycle)."""
        if self.name == "alias":
            message = (
                f"The index alias needs to be a valid alias. Alias – '{name}' cannot be found within the search "
                f"service – '{SERVICE_NAME}'. Learn more at https://aka.ms/azurecognitivesearchgetalias"
            )
        else:
            message = f"No {self.label} with the name '{name}' was found in a service named '{SERVICE_NAME}'."
        return not_found(message, "OperationNotAllowed", f"{self.code}NotFoundInService")


SERVICE_NAME: Final = "local"

KINDS: Final[Mapping[str, Kind]] = {
    kind.collection: kind
    for kind in (
        Kind("index", "indexes", "index", "Index", TIER.indexes),
        Kind("alias", "aliases", "alias", "IndexAlias", TIER.aliases, etags=False),
        Kind("dataSource", "datasources", "data source", "DataSource", TIER.data_sources),
        Kind("skillset", "skillsets", "skillset", "Skillset", TIER.skillsets),
        Kind("indexer", "indexers", "indexer", "Indexer", TIER.indexers),
        Kind("synonymMap", "synonymmaps", "synonym map", "SynonymMap", TIER.synonym_maps),
    )
}
"""By collection."""


def index_not_found(name: str) -> ServiceFault:
    """404 in the words of the document routes, which differ from those of the definition's own route."""
    return not_found(f"The index '{name}' for service '{SERVICE_NAME}' was not found.")
