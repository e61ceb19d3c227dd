"""Keys and tokens that stand for an identity with certain roles, made by `POST /__local/roles`; the key of the service
itself may do everything. Which role allows what follows learn.microsoft.com/azure/search/search-security-rbac.

A role key is taken from `api-key` as well as from `Authorization: Bearer`: the official SDK sends tokens over TLS only.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from azsearch_ops.local.errors import ServiceFault

Right = Literal["read definitions", "write definitions", "read documents", "write documents"]

RIGHTS: Final[Mapping[str, frozenset[Right]]] = {
    "Owner": frozenset({"read definitions", "write definitions"}),
    "Contributor": frozenset({"read definitions", "write definitions"}),
    "Reader": frozenset({"read definitions"}),
    "Search Service Contributor": frozenset({"read definitions", "write definitions"}),
    "Search Index Data Contributor": frozenset({"write documents"}),
    "Search Index Data Reader": frozenset({"read documents"}),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """A role on the whole service, or on one index only."""

    role: str
    index: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """What a key or token may do, and for how many seconds from now it is valid (None: always)."""

    grants: tuple[Grant, ...]
    seconds: float | None = None


@dataclass(slots=True)
class Roles:
    """The identities that are known. With `enabled` false the service takes its own key only (its default in Azure)."""

    enabled: bool = True
    _known: dict[str, tuple[Identity, float]] = field(default_factory=dict)

    def replace(self, identities: Mapping[str, Identity], *, enabled: bool) -> None:
        """Know these identities instead of those that were known."""
        now = time.monotonic()
        self.enabled = enabled
        self._known = {
            key: (identity, now + identity.seconds if identity.seconds is not None else float("inf"))
            for key, identity in identities.items()
        }

    def add(self, identities: Mapping[str, Identity]) -> None:
        """Know these identities too."""
        now = time.monotonic()
        for key, identity in identities.items():
            self._known[key] = (identity, now + identity.seconds if identity.seconds is not None else float("inf"))

    def knows(self, key: str) -> bool:
        """Whether a key or token stands for an identity, be it expired."""
        return key in self._known

    def check(self, key: str, method: str, address: str) -> None:
        """Refuse what the identity behind `key` may not do.

        Raises:
            ServiceFault: 401 for an expired token, 403 for a missing role or with role-based access off.
        """
        identity, until = self._known[key]
        if time.monotonic() >= until:
            raise ServiceFault(401, "Unauthorized", "The token has expired.")
        if not self.enabled:
            raise ServiceFault(403, "Forbidden", "Access denied: the service does not accept tokens.")
        right, index = needed(method, address)
        if not any(right in RIGHTS[g.role] and g.index in (None, index) for g in identity.grants):
            raise ServiceFault(403, "Forbidden", "Access denied: the identity is not authorized for this operation.")


def needed(method: str, address: str) -> tuple[Right, str | None]:
    """The right that a call needs, and the index that it is about, where it is about one."""
    parts = address.split("/")
    index = parts[1] if parts[0].lower() == "indexes" and len(parts) > 1 else None
    if index is not None and len(parts) > 2 and parts[2].lower() == "docs":
        writes = len(parts) > 3 and parts[3].lower() in ("search.index", "index")
        return ("write documents" if writes else "read documents"), index
    if method == "GET":
        return "read definitions", index
    return "write definitions", index
