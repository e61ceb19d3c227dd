"""The api-versions of the service, and which of them know aliases."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from azsearch_ops.contract import sources

DEFAULT_API_VERSION: Final = "2026-04-01"
"""The newest stable version, and the first stable one with aliases."""

_SHAPE = re.compile(r"\d{4}-\d{2}-\d{2}(-preview)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ApiVersion:
    """One api-version: stable, preview, or dead (no longer answered)."""

    name: str
    status: Literal["stable", "preview", "dead"]
    source: str = sources.VERSIONS


API_VERSIONS: Final[Mapping[str, ApiVersion]] = {
    version.name: version
    for version in (
        ApiVersion("2019-05-06", "stable"),
        ApiVersion("2020-06-30", "stable"),
        ApiVersion("2021-04-30-preview", "preview"),
        ApiVersion("2023-07-01-preview", "dead"),
        ApiVersion("2023-10-01-preview", "preview"),
        ApiVersion("2023-11-01", "stable"),
        ApiVersion("2024-03-01-preview", "preview"),
        ApiVersion("2024-05-01-preview", "preview"),
        ApiVersion("2024-07-01", "stable"),
        ApiVersion("2024-09-01-preview", "preview"),
        ApiVersion("2024-11-01-preview", "preview"),
        ApiVersion("2025-03-01-preview", "preview"),
        ApiVersion("2025-05-01-preview", "preview"),
        ApiVersion("2025-08-01-preview", "preview"),
        ApiVersion("2025-09-01", "stable"),
        ApiVersion("2025-11-01-preview", "preview"),
        ApiVersion(DEFAULT_API_VERSION, "stable", sources.SPEC_CHANGES),
        ApiVersion("2026-05-01-preview", "preview"),
        ApiVersion("2026-08-01-preview", "preview"),
    )
}


def is_api_version(text: str) -> bool:
    """Whether `text` has the shape of an api-version, known here or not."""
    return _SHAPE.fullmatch(text) is not None


def is_preview(api_version: str) -> bool:
    """Whether the version is a preview."""
    return api_version.lower().endswith("-preview")


def is_unknown_yet(api_version: str) -> bool:
    """Whether the version is newer than every one that the contract was made from, so that it may have more."""
    return api_version[:10] > max(API_VERSIONS)[:10]


def supports(api_version: str, since: str) -> bool:
    """Whether `api_version` has what came with version `since`.

    Previews are cumulative, so a preview has what any earlier version had; a stable version has what an earlier
    stable version had, and never what so far only a preview has.
    """
    if is_preview(since) and not is_preview(api_version):
        return False
    return api_version[:10] >= since[:10]


def aliases_supported(api_version: str) -> bool:
    """Whether `/aliases` exists and index routes resolve aliases: previews since 2021-04-30, stable since 2026-04-01.

    Source: change log of 2026-04-01; 2024-07-01 and 2025-09-01 answer 404 (azure-sdk-for-java#37680).
    """
    if is_preview(api_version):
        return api_version[:10] >= "2021-04-30"
    return api_version[:10] >= DEFAULT_API_VERSION
