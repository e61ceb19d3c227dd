"""What the ledger knows about candidates: who built them when, and who still needs them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from azsearch_ops.releasing.ledger import Ledger


def record_candidate(ledger: Ledger, alias: str, index: str, payload: Mapping[str, Any]) -> None:
    """Write down that a candidate is being built, before any object of it is made: so no leftover is nobody's."""
    ledger.write(f"candidate-{index}", "candidate", alias, payload)


def record_source(ledger: Ledger, alias: str, name: str, payload: Mapping[str, Any]) -> None:
    """Write down that a data source is ours."""
    ledger.write(f"source-{name}", "source", alias, payload)


def record_synonym_map(ledger: Ledger, alias: str, name: str, payload: Mapping[str, Any]) -> None:
    """Write down that a synonym map is ours, and that an index of this alias is about to name it."""
    ledger.write(f"synonyms-{name}", "synonyms", alias, {**payload, "alias": alias})


def candidate_record(ledger: Ledger, index: str) -> dict[str, Any] | None:
    """What was written down when the candidate was last built, or None."""
    return ledger.read(f"candidate-{index}")


def source_record(ledger: Ledger, name: str) -> dict[str, Any] | None:
    """What was written down when the data source was made, or None."""
    return ledger.read(f"source-{name}")


def synonym_map_record(ledger: Ledger, name: str) -> dict[str, Any] | None:
    """What was written down when the synonym map was last asked for, or None where it is not ours."""
    return ledger.read(f"synonyms-{name}")


def is_older(record: Mapping[str, Any], age: timedelta, now: datetime) -> bool:
    """Whether a record was written at least `age` ago."""
    return datetime.fromisoformat(str(record["at"]).replace("Z", "+00:00")) + age <= now


def claims_on(ledger: Ledger, index: str) -> dict[str, datetime]:
    """Who claims a candidate, and until when; expired claims included."""
    claims: Mapping[str, str] = (ledger.read(f"claims-{index}") or {}).get("claims", {})
    return {text: datetime.fromisoformat(expires) for text, expires in claims.items()}


def claim(ledger: Ledger, alias: str, index: str, text: str, expires: datetime, now: datetime) -> None:
    """Claim a candidate until `expires`; the caller holds the alias' lease. Expired claims are dropped."""
    kept = {other: until for other, until in claims_on(ledger, index).items() if until > now}
    _write(ledger, alias, index, {**kept, text: expires})


def drop_claim(ledger: Ledger, alias: str, index: str, text: str) -> bool:
    """Give a claim up; whether there was one. The caller holds the alias' lease."""
    claims = claims_on(ledger, index)
    if text not in claims:
        return False
    _write(ledger, alias, index, {other: until for other, until in claims.items() if other != text})
    return True


def _write(ledger: Ledger, alias: str, index: str, claims: Mapping[str, datetime]) -> None:
    plain = {text: until.astimezone(UTC).isoformat() for text, until in sorted(claims.items())}
    ledger.write(f"claims-{index}", "claims", alias, {"claims": plain})
