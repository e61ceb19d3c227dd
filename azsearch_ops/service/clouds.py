"""What differs between Azure's clouds, told by the address of a service: audiences of tokens, and who issues them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Cloud:
    """A cloud. `search` and `models` are audiences of tokens, `management` is the address of the resource manager,
    `authority` issues tokens, and `exchange` is what an assertion that is exchanged for one must be made for.

    Sources: learn.microsoft.com/azure/search/search-security-rbac, …/azure-government/compare-azure-government-global-
    azure, …/azure/china/resources-developer-guide, …/entra/workload-id/workload-identity-federation-create-trust.
    """

    search: str
    models: str
    management: str
    authority: str
    exchange: str


PUBLIC: Final = Cloud(
    "https://search.azure.com",
    "https://cognitiveservices.azure.com",
    "https://management.azure.com",
    "https://login.microsoftonline.com",
    "api://AzureADTokenExchange",
)
_BY_SUFFIX: Final[Mapping[str, Cloud]] = {
    "azure.us": Cloud(
        "https://search.azure.us",
        "https://cognitiveservices.azure.us",
        "https://management.usgovcloudapi.net",
        "https://login.microsoftonline.us",
        "api://AzureADTokenExchangeUSGov",
    ),
    "azure.cn": Cloud(
        "https://search.azure.cn",
        "https://cognitiveservices.azure.cn",
        "https://management.chinacloudapi.cn",
        "https://login.chinacloudapi.cn",
        "api://AzureADTokenExchangeChina",
    ),
}


def cloud_of(address: str) -> Cloud:
    """The cloud of a service's address, such as https://NAME.search.azure.us; the public one for all others."""
    host = (urlsplit(address).hostname or "").lower()
    return next((cloud for suffix, cloud in _BY_SUFFIX.items() if host.endswith(f".{suffix}")), PUBLIC)
