"""Open a service with a key, or with the identity that the environment offers."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from azure.core.credentials import AzureKeyCredential, TokenCredential

from azsearch_ops.service.client import Service
from azsearch_ops.service.clouds import cloud_of
from azsearch_ops.service.credentials import credential_for


def connect(
    endpoint: str,
    *,
    key: str | None,
    api_version: str,
    query_api_version: str | None = None,
    audience: str | None = None,
    resolve: Callable[[Mapping[str, Any]], Any] | None = None,
    environ: Mapping[str, str] | None = None,
) -> Service:
    """A service reached with `key`, or without one by the identity that `environ` offers (service/credentials.py).

    `audience` is what tokens are for, where the endpoint's domain does not tell its cloud.
    """
    credential: AzureKeyCredential | TokenCredential = (
        AzureKeyCredential(key) if key else credential_for(os.environ if environ is None else environ, endpoint)
    )
    return Service(
        endpoint,
        credential,
        api_version=api_version,
        query_api_version=query_api_version,
        audience=audience or cloud_of(endpoint).search,
        resolve=resolve,
    )
