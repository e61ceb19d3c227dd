"""Open a service with a key, or with the identity that the environment offers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from azure.core.credentials import AzureKeyCredential, TokenCredential

from azsearch_ops.service.client import Service


def connect(
    endpoint: str,
    *,
    key: str | None,
    api_version: str,
    query_api_version: str | None = None,
    audience: str | None = None,
    resolve: Callable[[Mapping[str, Any]], Any] | None = None,
) -> Service:
    """A service reached with `key`, or without one by DefaultAzureCredential (OIDC, managed identity, az login)."""
    credential: AzureKeyCredential | TokenCredential
    if key:
        credential = AzureKeyCredential(key)
    else:
        # Here, since it takes longer to import than everything else of a command with a key
        from azure.identity import DefaultAzureCredential

        credential = DefaultAzureCredential()
    return Service(
        endpoint,
        credential,
        api_version=api_version,
        query_api_version=query_api_version,
        audience=audience,
        resolve=resolve,
    )
