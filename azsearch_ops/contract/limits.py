"""Limits of the service, by tier where they differ. Source: the page of limits, 11/2025."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from azsearch_ops.contract import sources

SOURCE: Final = sources.LIMITS

KNN_DEFAULT: Final = 50
TOP_MAXIMUM: Final = 1_000
ORDERBY_CLAUSES: Final = 32
SEARCH_CHARACTERS: Final = 100_000
VECTOR_FIELDS_PER_QUERY: Final = 10
PAYLOAD_BYTES: Final = 16 * 1024 * 1024
BATCH_DOCUMENTS: Final = 1_000
TERM_BYTES: Final = 32_766
SKILLS_PER_SKILLSET: Final = 30
SCORING_PROFILES: Final = 100
SCORING_FUNCTIONS: Final = 8
SEMANTIC_CONFIGURATIONS: Final = 100
SUGGESTERS: Final = 1
COMPLEX_COLLECTIONS: Final = 40
COMPLEX_DEPTH: Final = 10
COMPLEX_ELEMENTS: Final = 3_000
SCHEDULE_MINIMUM_SECONDS: Final = 300
SCHEDULE_MAXIMUM_SECONDS: Final = 86_400


@dataclass(frozen=True, slots=True)
class Tier:
    """How many objects a service of the tier holds, fields an index, and extracted characters a blob."""

    indexes: int
    aliases: int
    indexers: int | None
    data_sources: int | None
    skillsets: int | None
    synonym_maps: int
    simple_fields: int
    blob_characters: int | None


TIERS: Final[Mapping[str, Tier]] = {
    "free": Tier(3, 6, 3, 3, 3, 3, 1000, 256_000),
    "basic": Tier(15, 30, 15, 15, 15, 3, 100, 512_000),
    "standard": Tier(50, 100, 50, 50, 50, 5, 1000, 4_000_000),
    "standard2": Tier(200, 400, 200, 200, 200, 10, 1000, 8_000_000),
    "standard3": Tier(200, 400, 200, 200, 200, 20, 1000, 16_000_000),
    "standard3hd": Tier(3000, 6000, None, None, None, 20, 1000, None),
    "storage_optimized_l1": Tier(10, 20, 10, 10, 10, 10, 1000, 4_000_000),
    "storage_optimized_l2": Tier(10, 20, 10, 10, 10, 10, 1000, 4_000_000),
}
