"""Azure SDK and HTTP failures, mapped to our error tree at one place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from azure.core.exceptions import (
    AzureError,
    ClientAuthenticationError,
    HttpResponseError,
    IncompleteReadError,
    ServiceRequestError,
    ServiceResponseError,
)

from azsearch_ops.errors import NotFoundError, PreconditionError, ServiceError, UnreachableError

# Which built-in role allows a call (learn.microsoft.com/azure/search/search-security-rbac).
ROLE_BY_CALL: Final = {
    "documents": "Search Index Data Contributor",
    "query": "Search Index Data Reader",
    "definitions": "Search Service Contributor",
}


LOG_IN: Final = "log in (az login), or in Actions give the job id-token: write and set AZURE_CLIENT_ID, AZURE_TENANT_ID"
"""What to do where a credential gave no token, so that nothing was asked of the service."""


def role_for(call: str) -> str:
    """The least built-in role that allows a call, told from its method and path."""
    if "/docs" in call:
        writes = "search.index" in call or "docs/index" in call
        return ROLE_BY_CALL["documents" if writes else "query"]
    return ROLE_BY_CALL["definitions"]


def error_of(failure: HttpResponseError, call: str) -> ServiceError:
    """The error for an answer of 400 or above; keeps status, Azure's code, message and request id.

    Without a status nothing was asked: there was no token.
    """
    status = failure.status_code or 0
    no_token = not status and isinstance(failure, ClientAuthenticationError)
    code, message = "", (failure.message or "").strip()
    if failure.error is not None:
        code, message = failure.error.code or "", failure.error.message or message
        details = [d.code for d in failure.error.details or () if d.code]
        code = "/".join([code, *details]) if details else code
    headers = getattr(failure.response, "headers", None) or {}
    kind: type[ServiceError] = ServiceError
    hint = ""
    if status == 404:
        kind = NotFoundError
    elif status == 412:
        kind, hint = PreconditionError, "somebody else changed it in between; run the command again"
    elif status == 401:
        hint = "the key is missing or the token was not accepted (expired, or for another audience or tenant)"
    elif status == 403:
        hint = (
            f"grant the role '{role_for(call)}' on the search service to the identity that runs this; where it has the "
            "role, role-based access is off (the service takes keys only), or the key is not one of this service"
        )
    elif status == 429 and "quota" in message.lower():
        hint = "a quota of the service is used up: azsearch-ops prune, or a larger tier"
    elif status in (429, 503, 502, 504):
        kind, hint = UnreachableError, "the service is throttling or busy; run the command again later"
    elif no_token:
        hint = LOG_IN
    first_line = message.splitlines()[0] if message else f"HTTP {status}"
    return kind(
        f"{call}: no token: {first_line}" if no_token else f"{call} answered {status}: {first_line}",
        status=status,
        service_code=code,
        call=call,
        request_id=headers.get("request-id", "") or "",
        hint=hint,
        retry_after=_seconds(headers.get("Retry-After")),
    )


def _seconds(text: str | None) -> float | None:
    """Retry-After as seconds; None where it is missing or a date."""
    try:
        return float(text) if text else None
    except ValueError:
        return None


@contextmanager
def translated(call: str, endpoint: str) -> Iterator[None]:
    """Run one SDK call; every failure leaves as an error of ours that names the call."""
    try:
        yield
    except ClientAuthenticationError as failure:
        raise error_of(failure, call) from failure
    except HttpResponseError as failure:
        raise error_of(failure, call) from failure
    except (ServiceRequestError, ServiceResponseError, IncompleteReadError) as failure:
        raise UnreachableError(
            f"{call}: no answer from {endpoint} ({_cause(failure)})",
            call=call,
            hint="is the service running? what was done is kept: run the command again",
        ) from failure
    except AzureError as failure:  # e.g. a credential that cannot get a token
        raise ServiceError(f"{call}: {failure.message}", call=call) from failure


def _cause(failure: AzureError) -> str:
    text = str(failure.inner_exception or failure)
    return "connection refused" if "refused" in text.lower() else text.splitlines()[0][:200]
