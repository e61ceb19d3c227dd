"""The ledger: an index of the service itself that tells the history of releases to CI and laptops alike.

Documents are read by key only, never by search, since a lookup sees a write sooner than a search does. The alias is
the truth about what is live; the ledger decides nothing alone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

from azsearch_ops.errors import NotFoundError, PreconditionError
from azsearch_ops.releasing.clock import Clock
from azsearch_ops.service.client import Service

LEDGER_NAME: Final = "azsearch-ops-ledger"
Payload = Mapping[str, Any]

_PLAIN: Final = {"searchable": False, "filterable": False, "sortable": False, "facetable": False}


def ledger_body(name: str) -> dict[str, Any]:
    """The index definition of the ledger. `description` carries the leases (releasing/lease.py)."""
    return {
        "name": name,
        "description": json.dumps({"leases": {}}),
        "fields": [
            {"name": "key", "type": "Edm.String", "key": True, "retrievable": True, **_PLAIN},
            {"name": "kind", "type": "Edm.String", "retrievable": True, **_PLAIN, "filterable": True},
            {"name": "alias", "type": "Edm.String", "retrievable": True, **_PLAIN, "filterable": True},
            {"name": "at", "type": "Edm.DateTimeOffset", "retrievable": True, **_PLAIN, "sortable": True},
            {"name": "payload", "type": "Edm.String", "retrievable": True, **_PLAIN},
        ],
    }


def digest_of(value: Any, length: int = 16) -> str:
    """Hexadecimal digest of a JSON value, independent of the order of its keys."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:length]


class Ledger:
    """Reads and writes ledger documents; `name` is the index's, with the environment's prefix."""

    def __init__(self, service: Service, clock: Clock, prefix: str = "") -> None:
        self.service = service
        self.name = f"{prefix}{LEDGER_NAME}"
        self._clock = clock
        self._there = False

    def ensure(self) -> None:
        """Create the ledger's index where it is missing."""
        if self._there:
            return
        if self.service.find("index", self.name) is None:
            try:
                self.service.put("index", ledger_body(self.name), absent=True)
            except PreconditionError:  # Another pipeline created it in between, which is as good
                self.service.get("index", self.name)
        self._there = True

    def read(self, key: str) -> dict[str, Any] | None:
        """The payload under a key, or None (also when there is no ledger yet)."""
        try:
            found = self.service.lookup(self.name, key, ["payload"])
        except NotFoundError:
            return None
        if found is None:
            return None
        payload: dict[str, Any] = json.loads(found["payload"])
        return payload

    def write(self, key: str, kind: str, alias: str, payload: Payload) -> None:
        """Write a payload under a key, in place of an older one."""
        self.ensure()
        document = {
            "key": key,
            "kind": kind,
            "alias": alias,
            "at": self._clock.stamp(),
            "payload": json.dumps(payload, sort_keys=True, ensure_ascii=False),
        }
        self.service.upload(self.name, [document])

    # What is live

    def current(self, alias: str) -> dict[str, Any] | None:
        """`current-ALIAS`: index, search request and release number, as applications read it."""
        return self.read(f"current-{alias}")

    def write_current(self, alias: str, payload: Payload) -> None:
        """Publish what applications are to use."""
        self.write(f"current-{alias}", "current", alias, payload)

    def release(self, alias: str, number: int) -> dict[str, Any] | None:
        """A release by its number, counted from 1 for each alias."""
        return self.read(f"release-{alias}-{number:06d}")

    def write_release(self, alias: str, number: int, payload: Payload) -> None:
        """Write a release."""
        self.write(f"release-{alias}-{number:06d}", "release", alias, payload)

    # Two-phase events

    def pending(self, alias: str) -> dict[str, Any] | None:
        """The event that was intended and not finished, or None."""
        pointer = self.read(f"pending-{alias}")
        return self.read(str(pointer["event"])) if pointer and pointer.get("event") else None

    def intend(self, alias: str, event: Payload) -> str:
        """Write down what is about to be done; returns the event's key."""
        key = f"event-{digest_of({k: v for k, v in event.items() if k != 'at'})}"
        self.write(key, "event", alias, {**event, "state": "intended"})
        self.write(f"pending-{alias}", "pending", alias, {"event": key})
        return key

    def settle(self, alias: str, event: Payload, state: str) -> None:
        """Close an event as `done` or `abandoned`."""
        key = f"event-{digest_of({k: v for k, v in event.items() if k not in ('at', 'state')})}"
        self.write(key, "event", alias, {**event, "state": state})
        self.write(f"pending-{alias}", "pending", alias, {"event": None})

    # Evaluations and holds

    def evaluation(self, key: str) -> dict[str, Any] | None:
        """The summary of an evaluation by its key."""
        return self.read(f"evaluation-{key}")

    def write_evaluation(self, alias: str, key: str, summary: Payload) -> None:
        """Write the summary of an evaluation."""
        self.write(f"evaluation-{key}", "evaluation", alias, summary)

    def holds(self, alias: str) -> dict[str, Any]:
        """Held release identities: identity → why, by whom, since when."""
        return self.read(f"holds-{alias}") or {}

    def write_holds(self, alias: str, holds: Payload) -> None:
        """Write the held identities."""
        self.write(f"holds-{alias}", "holds", alias, holds)
