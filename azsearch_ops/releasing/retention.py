"""Which indexes of a definition may go: decided from what is known about each, without looking anything up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

Fate = Literal["keep", "delete", "rest"]


@dataclass(frozen=True, slots=True)
class Rules:
    """How many released indexes are kept, how long a kept one is refreshed, how long a candidate may stay."""

    keep: int
    fresh_for: timedelta
    failed: timedelta


@dataclass(frozen=True, slots=True)
class Standing:
    """One index and what hangs on it.

    `aliases` point to it, `referrers` are other objects that name it, `claims` text → expiry. `rank` counts released
    indexes from the newest release (0), None for a candidate that never was released; `left` is when its last release
    was replaced, `built` when a candidate was last built. `managed` says that the ledger knows it as built by this
    tool, `adopted` that it served before. `scheduled` and `running` are of its indexer.
    """

    index: str
    aliases: tuple[str, ...]
    referrers: tuple[str, ...]
    claims: Mapping[str, datetime]
    rank: int | None
    left: datetime | None
    built: datetime | None
    managed: bool
    adopted: bool
    scheduled: bool
    running: bool


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of an index, and why."""

    fate: Fate
    why: str


def decide(standing: Standing, rules: Rules, now: datetime) -> Decision:
    """Delete only what is ours, out of use, unclaimed and past its time; `rest` keeps the index and ends its schedule.

    Everything that stands against deletion is named, not the first reason alone.
    """
    if standing.adopted:
        return Decision("keep", "adopted: it served before this tool, and is never deleted")
    if not standing.managed:
        return Decision("keep", "not in the ledger, so not ours to delete")
    against = [f"alias {name} points to it" for name in standing.aliases]
    against += [f"{name} refers to it" for name in standing.referrers]
    against += [
        f"claimed by {text} until {_day(expires)}" for text, expires in sorted(standing.claims.items()) if expires > now
    ]
    in_use = bool(against)
    if standing.running:
        against.append("its indexer is running")
    if standing.rank is None:
        against += _candidate(standing, rules, now)
        told = "never released, and older than retention.failed"
    else:
        against += _released(standing, rules, now)
        told = f"released before the last {rules.keep}, and left more than {_span(rules.fresh_for)} ago"
    if not against:
        return Decision("delete", told)
    stale = standing.left is not None and now - standing.left > rules.fresh_for
    if stale and standing.scheduled and not in_use and not standing.running:
        return Decision("rest", f"{'; '.join(against)}; left more than {_span(rules.fresh_for)} ago, so not refreshed")
    return Decision("keep", "; ".join(against))


def _candidate(standing: Standing, rules: Rules, now: datetime) -> list[str]:
    if standing.built is None:
        return ["its age is not known"]
    until = standing.built + rules.failed
    return [f"candidate, kept until {_time(until)}"] if until > now else []


def _released(standing: Standing, rules: Rules, now: datetime) -> list[str]:
    against: list[str] = []
    assert standing.rank is not None
    if standing.rank < rules.keep:
        against.append(f"one of the last {rules.keep} released")
    if standing.left is None:
        against.append("the newest release")
    elif standing.left + rules.fresh_for > now:
        against.append(f"fresh until {_time(standing.left + rules.fresh_for)}")
    return against


def _day(moment: datetime) -> str:
    return moment.date().isoformat()


def _time(moment: datetime) -> str:
    return moment.isoformat(timespec="minutes").replace("+00:00", "Z")


def _span(length: timedelta) -> str:
    if length.days and not length.seconds:
        return f"{length.days} d"
    return f"{length.total_seconds() / 3600:g} h"
