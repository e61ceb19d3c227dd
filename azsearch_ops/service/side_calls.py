"""Calls beside the search service, which only `doctor` makes: an embedding deployment, the resource of a service."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any, Final
from urllib.parse import quote

from azure.core import PipelineClient
from azure.core.credentials import TokenCredential
from azure.core.exceptions import AzureError
from azure.core.pipeline.policies import RetryPolicy
from azure.core.rest import HttpRequest

from azsearch_ops.errors import ServiceError
from azsearch_ops.service.clouds import cloud_of
from azsearch_ops.service.failures import LOG_IN, translated

OPENAI_VERSION: Final = "2024-10-21"
SEARCH_MANAGEMENT_VERSION: Final = "2025-05-01"


def embedding_length(
    resource_uri: str,
    deployment: str,
    text: str,
    *,
    dimensions: int | None,
    key: str,
    credential: TokenCredential | None,
) -> int:
    """Numbers in the vector that a deployment answers; ServiceError or UnreachableError where it does not."""
    call = f"POST {resource_uri.rstrip('/')}/openai/deployments/{deployment}/embeddings"
    body: dict[str, Any] = {"input": [text]} | ({"dimensions": dimensions} if dimensions else {})
    address = f"/openai/deployments/{quote(deployment, safe='')}/embeddings?api-version={OPENAI_VERSION}"
    with translated(call, resource_uri):
        headers = {"api-key": key} if key else _bearer(credential, cloud_of(resource_uri).models)
        answer = _send(resource_uri, HttpRequest("POST", address, headers=headers, json=body))
    return len(answer["data"][0]["embedding"])


def shared_private_links(
    resource_id: str, endpoint: str, credential: TokenCredential, *, management: str | None = None
) -> dict[str, str]:
    """Shared private link of a search service → its status, such as Pending, Approved or Rejected."""
    host = management or cloud_of(endpoint).management
    address = f"{resource_id}/sharedPrivateLinkResources?api-version={SEARCH_MANAGEMENT_VERSION}"
    with translated(f"GET {address.partition('?')[0]}", host):
        answer = _send(host, HttpRequest("GET", address, headers=_bearer(credential, cloud_of(endpoint).management)))
    return {str(r["name"]): str((r.get("properties") or {}).get("status")) for r in answer["value"]}


def identity_of(credential: TokenCredential, audience: str) -> str:
    """Who a credential is, as tokens of Entra ID name it (application and object id); ServiceError without a token.

    Only names are read from the token; it is not checked here, and nothing else of it is kept.
    """
    try:
        token = credential.get_token(f"{audience}/.default").token
    except AzureError as failure:
        told = failure.message.splitlines()[0] if failure.message else type(failure).__name__
        raise ServiceError(f"no token: {told}", call="token", hint=LOG_IN) from failure
    try:
        part = token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
        names = [
            f"{name} {claims[key]}" for key, name in (("appid", "application"), ("oid", "object")) if key in claims
        ]
    except (IndexError, ValueError, binascii.Error, TypeError):
        names = []
    return ", ".join(names) or "an identity whose token does not name it"


def _bearer(credential: TokenCredential | None, audience: str) -> dict[str, str]:
    assert credential is not None, "a call without a key needs an identity"
    return {"Authorization": f"Bearer {credential.get_token(f'{audience}/.default').token}"}


def _send(base: str, request: HttpRequest) -> Any:
    policy = RetryPolicy[Any, Any](retry_total=2, retry_status=2)
    made: PipelineClient[Any, Any] = PipelineClient(base.rstrip("/"), policies=[policy])
    with made as client:
        request.url = client.format_url(request.url)
        response = client.send_request(request)
        response.raise_for_status()
        return response.json()
