"""The identity of a command that has no key: federated in GitHub Actions, else whatever the environment offers."""

from __future__ import annotations

import json
import logging
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from typing import Any, Final

from azure.core.credentials import TokenCredential

from azsearch_ops.errors import ServiceError, UnreachableError
from azsearch_ops.service.clouds import PUBLIC, Cloud, cloud_of

_NEEDED: Final = (
    "ACTIONS_ID_TOKEN_REQUEST_URL",
    "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
    "AZURE_CLIENT_ID",
    "AZURE_TENANT_ID",
)

# A credential that gets no token warns in twenty lines of every way that it tried, to stderr where nobody listens. What
# is raised says it in one. Whoever configures logging still has them all.
logging.getLogger("azure.identity").addHandler(logging.NullHandler())


def credential_for(environ: Mapping[str, str], address: str = "") -> TokenCredential:
    """In a job with `id-token: write`: its identity, with a fresh assertion of GitHub at each refresh.

    An assertion is valid for minutes, a build for hours: a login made once at the start of a job cannot be renewed.
    Elsewhere DefaultAzureCredential (managed identity, `az login`, environment). The authority is that of the cloud
    that `address` is in, or what AZURE_AUTHORITY_HOST names.
    """
    cloud, authority = cloud_of(address), authority_for(environ, address)
    options: dict[str, Any] = {"authority": authority} if authority else {}
    # Here, since it takes longer to import than everything else of a command with a key
    if all(environ.get(name) for name in _NEEDED):
        from azure.identity import ClientAssertionCredential

        return ClientAssertionCredential(
            environ["AZURE_TENANT_ID"],
            environ["AZURE_CLIENT_ID"],
            lambda: github_assertion(environ, cloud),
            # Its list of clouds is a public page, which a private network may not reach
            disable_instance_discovery=True,
            **options,
        )
    from azure.identity import DefaultAzureCredential

    return DefaultAzureCredential(**options)


def authority_for(environ: Mapping[str, str], address: str) -> str | None:
    """Who issues tokens for a service outside of the public cloud; None where that is the usual, or named already."""
    cloud = cloud_of(address)
    return None if cloud is PUBLIC or environ.get("AZURE_AUTHORITY_HOST") else cloud.authority


def github_assertion(environ: Mapping[str, str], cloud: Cloud = PUBLIC) -> str:
    """A new OIDC token of this job. ServiceError when GitHub refuses it, UnreachableError when it does not answer."""
    separator = "&" if "?" in environ["ACTIONS_ID_TOKEN_REQUEST_URL"] else "?"
    audience = urllib.parse.urlencode({"audience": cloud.exchange})
    request = urllib.request.Request(
        f"{environ['ACTIONS_ID_TOKEN_REQUEST_URL']}{separator}{audience}",
        headers={"Authorization": f"Bearer {environ['ACTIONS_ID_TOKEN_REQUEST_TOKEN']}", "Accept": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return str(json.load(answer)["value"])
    except urllib.error.HTTPError as refused:
        refused.close()
        raise ServiceError(
            f"GitHub refused an identity token to this job ({refused.code})",
            status=refused.code,
            hint="the job needs 'permissions: id-token: write'",
        ) from None  # the cause holds the request with its token
    except (OSError, ValueError, KeyError) as failure:
        raise UnreachableError(f"GitHub gave this job no identity token ({type(failure).__name__})") from None
