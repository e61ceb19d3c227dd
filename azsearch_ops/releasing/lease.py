"""Mutual exclusion of moves: a lease with expiry, kept in the `description` of the ledger's index.

Aliases carry no ETag, so two pipelines could overwrite each other's move; indexes do have ETags, and a conditional
PUT of the ledger's own definition decides who goes first.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from azsearch_ops.errors import ConflictError, PreconditionError
from azsearch_ops.releasing.clock import Clock
from azsearch_ops.releasing.ledger import Ledger

# Short enough to wait out after a lost machine; whoever works longer renews it.
LEASE_SECONDS: Final = 60
RENEW_SECONDS: Final = LEASE_SECONDS / 3
# Long enough for a lease that nobody renews to run out: a command that is run again then goes on.
PATIENCE_SECONDS: Final = LEASE_SECONDS + 15.0
POLL_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class Owner:
    """Who holds a lease: a process on a host, and a word of its own that no other process has."""

    host: str
    pid: int
    token: str

    def as_json(self, expires: datetime) -> dict[str, Any]:
        """The lease as it stands in the ledger."""
        return {"host": self.host, "pid": self.pid, "token": self.token, "expires": expires.isoformat()}


class Hold:
    """A lease that is held. `keep` is called wherever time passes, and before a write that must not come too late."""

    def __init__(self, ledger: Ledger, alias: str, owner: Owner, clock: Clock) -> None:
        self._ledger = ledger
        self._alias = alias
        self._owner = owner
        self._clock = clock
        self._renewed = clock.monotonic()

    def keep(self) -> None:
        """Renew the lease once a third of it is over; ConflictError when somebody else has taken it.

        A process that was asleep for longer than its lease must not write what the next holder has overtaken.
        """
        if self._clock.monotonic() - self._renewed < RENEW_SECONDS:
            return
        for _ in range(5):
            asked = self._clock.monotonic()
            body = self._ledger.service.get("index", self._ledger.name)
            leases = _leases(body)
            if leases.get(self._alias, {}).get("token") != self._owner.token:
                raise ConflictError(
                    f"the lease of '{self._alias}' ran out and another process took it",
                    hint="run the command again: what was begun is settled first",
                )
            expires = self._clock.now() + timedelta(seconds=LEASE_SECONDS)
            try:
                _write(self._ledger, body, {**leases, self._alias: self._owner.as_json(expires)})
            except PreconditionError:  # Another alias' lease was written in between
                continue
            self._renewed = asked
            return
        raise ConflictError(f"the lease of '{self._alias}' cannot be renewed", hint="run the command again")


@contextmanager
def leased(
    ledger: Ledger,
    alias: str,
    owner: Owner,
    clock: Clock,
    *,
    gone: Callable[[str, int], bool],
    patience: float = PATIENCE_SECONDS,
) -> Iterator[Hold]:
    """Hold the lease of an alias for the block.

    `gone(host, pid)` tells that a holder on this host died, whose lease is then taken over at once. ConflictError
    when another holder keeps it for longer than `patience` seconds.
    """
    ledger.ensure()
    give_up = clock.monotonic() + patience
    while True:
        holder = _take(ledger, alias, owner, clock, gone)
        if holder is None:
            break
        if clock.monotonic() >= give_up:
            raise ConflictError(
                f"'{alias}' is being moved by process {holder['pid']} on {holder['host']} (until {holder['expires']})",
                hint="wait for it to end, then run the command again",
            )
        clock.sleep(POLL_SECONDS)
    try:
        yield Hold(ledger, alias, owner, clock)
    finally:
        _give_back(ledger, alias, owner)


def drop_dead_lease(ledger: Ledger, alias: str, clock: Clock, *, gone: Callable[[str, int], bool]) -> None:
    """Take away the lease of a process that ended without giving it back: killed, or past its expiry."""
    body = ledger.service.find("index", ledger.name)
    holder = _leases(body).get(alias) if body is not None else None
    if body is None or holder is None:
        return
    if gone(holder["host"], holder["pid"]) or datetime.fromisoformat(holder["expires"]) <= clock.now():
        # Where the condition fails somebody took the lease in between, and then it is not a dead one
        with suppress(PreconditionError):
            _write(ledger, body, {name: lease for name, lease in _leases(body).items() if name != alias})


def _take(
    ledger: Ledger, alias: str, owner: Owner, clock: Clock, gone: Callable[[str, int], bool]
) -> Mapping[str, Any] | None:
    """None when the lease is ours now, else who holds it."""
    body = ledger.service.get("index", ledger.name)
    leases = _leases(body)
    holder: Mapping[str, Any] | None = leases.get(alias)
    if (
        holder is not None
        and holder["token"] != owner.token
        and datetime.fromisoformat(holder["expires"]) > clock.now()
        and not gone(holder["host"], holder["pid"])
    ):
        return holder
    expires = clock.now() + timedelta(seconds=LEASE_SECONDS)
    try:
        _write(ledger, body, {**leases, alias: owner.as_json(expires)})
    except PreconditionError:
        return {"host": "another host", "pid": "?", "expires": "unknown"}
    return None


def _give_back(ledger: Ledger, alias: str, owner: Owner) -> None:
    for _ in range(5):
        body = ledger.service.get("index", ledger.name)
        leases = _leases(body)
        if leases.get(alias, {}).get("token") != owner.token:
            return
        try:
            _write(ledger, body, {name: lease for name, lease in leases.items() if name != alias})
        except PreconditionError:  # Another alias' lease was written in between
            continue
        return


def _leases(body: Mapping[str, Any]) -> dict[str, Any]:
    leases: dict[str, Any] = json.loads(body.get("description") or "{}").get("leases", {})
    return leases


def _write(ledger: Ledger, body: Mapping[str, Any], leases: Mapping[str, Any]) -> None:
    ledger.service.put("index", {**body, "description": json.dumps({"leases": leases}, sort_keys=True)})
