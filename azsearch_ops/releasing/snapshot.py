"""All definitions of a service at one moment: one list request a kind, however many indexes are planned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from azsearch_ops.service.client import Service
from azsearch_ops.service.kinds import KINDS, Kind


class Objects(Protocol):
    """Where definitions are looked up: the service itself, or a snapshot of it."""

    def find(self, kind: Kind, name: str) -> dict[str, Any] | None:
        """The body of an object, or None."""
        ...

    def all(self, kind: Kind) -> dict[str, dict[str, Any]]:
        """Every object of a kind by name."""
        ...


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The bodies by kind and name."""

    bodies: Mapping[Kind, Mapping[str, dict[str, Any]]]

    def find(self, kind: Kind, name: str) -> dict[str, Any] | None:
        """The body of an object, or None."""
        return self.bodies[kind].get(name)

    def all(self, kind: Kind) -> dict[str, dict[str, Any]]:
        """Every object of a kind by name."""
        return dict(self.bodies[kind])


def take_snapshot(service: Service) -> Snapshot:
    """Every definition of the service, read with one request for each of the five kinds."""
    return Snapshot({kind: service.all(kind) for kind in KINDS})


def indexer_filling(objects: Objects, index: str) -> dict[str, Any] | None:
    """The indexer that fills an index: the one called like it, else the first that targets it."""
    named = objects.find("indexer", index)
    if named is not None and named.get("targetIndexName") == index:
        return named
    filling = sorted(name for name, body in objects.all("indexer").items() if body.get("targetIndexName") == index)
    return objects.find("indexer", filling[0]) if filling else None
