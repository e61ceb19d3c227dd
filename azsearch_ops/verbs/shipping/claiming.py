"""Claim a candidate for a branch or a pull request, so that it is not pruned while that is open."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from azsearch_ops.bodies.render import render
from azsearch_ops.definitions.durations import parse_duration
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.errors import UsageError
from azsearch_ops.releasing.claims import claim, drop_claim
from azsearch_ops.releasing.standings import own_names
from azsearch_ops.verbs.session import Session
from azsearch_ops.verbs.shipping.prunable import base_of


@dataclass(frozen=True, slots=True)
class Claim:
    """Who needs a candidate (`feature/shorter-chunks`, `pull/17`), and for how long from now.

    With `only` its claims on other candidates of the same definition end: a newer commit takes the older one's place.
    """

    text: str
    lasts: timedelta
    only: bool = False


def parse_claim(text: str | None, lasts: str) -> Claim | None:
    """The claim that was asked for, or None without a text; UsageError for a span that is none."""
    if text is None:
        return None
    if not text.strip():
        raise UsageError("--claim needs a text", hint="the branch or the pull request that needs the candidate")
    try:
        return Claim(text, parse_duration(lasts))
    except ValueError as fault:
        raise UsageError(f"--claim-expires {lasts}: {fault}") from None


def claim_candidate(session: Session, index: IndexDefinition, wanted: Claim) -> None:
    """Write the claim down, under the lease; claiming again moves its end."""
    candidate = render(session.project, index.name).candidate
    with session.lease(index.alias):
        now = session.clock.now()
        others = own_names(session.service.names("index"), base_of(session, index)) if wanted.only else ()
        for other in others:
            if other != candidate:
                drop_claim(session.ledger, index.alias, other, wanted.text)
        claim(session.ledger, index.alias, candidate, wanted.text, now + wanted.lasts, now)
