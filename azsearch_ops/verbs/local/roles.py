"""Keys of the local service that stand for roles, so that what a role lacks can be tried without a cloud."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Sequence
from typing import Any

from azsearch_ops.errors import UsageError
from azsearch_ops.verbs.local.finding import DIRECT, LocalService

FORM = "KEY=ROLE[@INDEX][,ROLE[@INDEX]…]"


def parse_role_keys(texts: Sequence[str]) -> dict[str, list[dict[str, str]]]:
    """Key → its grants, a role on the service or with `@INDEX` on one index; UsageError for another form."""
    found: dict[str, list[dict[str, str]]] = {}
    for text in texts:
        key, equals, roles = text.partition("=")
        grants = [_grant(part) for part in roles.split(",") if part.strip()]
        if not key or not equals or not grants:
            raise UsageError(
                f"--role-key {text}: this is not {FORM}", hint='--role-key reader="Search Index Data Reader"'
            )
        found[key] = grants
    return found


def grant_local(running: LocalService, grants: dict[str, list[dict[str, str]]]) -> None:
    """Let these keys be known beside the service's own, until it ends; UsageError for a role that there is not."""
    body: dict[str, Any] = {"identities": {key: {"grants": g} for key, g in grants.items()}, "add": True}
    request = urllib.request.Request(
        f"{running.endpoint}/__local/roles",
        data=json.dumps(body).encode(),
        headers={"api-key": running.key, "Content-Type": "application/json"},
    )
    try:
        with DIRECT.open(request, timeout=30):
            return
    except urllib.error.HTTPError as refused:
        with refused:
            message = json.loads(refused.read())["error"]["message"]
        raise UsageError(f"--role-key: {message}") from None


def _grant(text: str) -> dict[str, str]:
    role, _, index = text.strip().partition("@")
    return {"role": role, "index": index} if index else {"role": role}
