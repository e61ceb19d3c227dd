"""What a candidate will take, in two or three lines of text or of Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from azsearch_ops.reporting import figures

if TYPE_CHECKING:
    from azsearch_ops.planning.estimate import Estimate, Quota

_SLOTS: Final = {
    "indexes": "index slots",
    "indexers": "indexers",
    "skillsets": "skillsets",
    "data sources": "data sources",
    "aliases": "aliases",
}
_UNITS: Final = (("TB", 1024**4), ("GB", 1024**3), ("MB", 1024**2), ("kB", 1024))


def estimate_lines(estimate: Estimate) -> list[str]:
    """The work, the room it takes, and what live does meanwhile; a figure that is not known is left out."""
    lines = ["   ".join(part for part in (_chunks(estimate), _embedding(estimate)) if part)]
    lines.append("   ".join(part for part in (_vectors(estimate), _storage(estimate)) if part))
    lines.append("   ".join(_quota(quota) for quota in estimate.quotas if quota.name in _SLOTS))
    lines.append(_meanwhile(estimate))
    work = estimate.workload
    if work.basis == "unknown":
        lines.append(f"chunks and tokens are not known: {work.note}")
    elif work.note:
        lines.append(f"estimated: {work.note}")
    if estimate.built:
        lines.append("a candidate of this name is there already: what it has is kept")
    return [line for line in lines if line]


def size(number: float) -> str:
    """Bytes for people: 284 MB, 1.2 GB."""
    for unit, factor in _UNITS:
        if number >= factor:
            value = number / factor
            return f"{value:.0f} {unit}" if value >= 99.5 or value == int(value) else f"{value:.1f} {unit}"
    return f"{number:.0f} B"


def _chunks(estimate: Estimate) -> str:
    work = estimate.workload
    documents = f"documents {figures.count(work.documents)}   " if work.documents is not None else ""
    if work.chunks is None:
        return documents.strip()
    before = f"{figures.count(estimate.live_chunks)} → " if estimate.live_chunks is not None else ""
    about = "" if work.basis == "documents" else "≈ "
    return f"{documents}chunks {before}{about}{figures.count(work.chunks)}"


def _embedding(estimate: Estimate) -> str:
    work = estimate.workload
    if not work.tokens:
        return ""
    told = f"embed {_tokens(work.tokens)} tokens"
    if work.cached:
        told += f" ({_tokens(work.cached)} of them cached)"
    if estimate.cost is not None:
        told += f" ≈ {estimate.cost:,.2f} {estimate.currency}"
    if estimate.minutes is not None and estimate.tokens_per_minute is not None:
        rate = _tokens(estimate.tokens_per_minute)
        told += f", {figures.duration(60 * estimate.minutes)} at {rate} tokens a minute"
    return told


def _vectors(estimate: Estimate) -> str:
    if estimate.vectors is None:
        return ""
    before = f"{size(estimate.live_vectors)} → " if estimate.live_vectors is not None else ""
    return f"vectors {before}{size(estimate.vectors)}{_of(estimate, 'vectors')}"


def _storage(estimate: Estimate) -> str:
    return "" if estimate.storage is None else f"storage ≈ {size(estimate.storage)}{_of(estimate, 'storage')}"


def _of(estimate: Estimate, name: str) -> str:
    """How much of a quota is used already."""
    quota = next((q for q in estimate.quotas if q.name == name), None)
    if quota is None or quota.quota is None:
        return ""
    return f" ({size(quota.usage)} of {size(quota.quota)} used)"


def _quota(quota: Quota) -> str:
    after = f" → {quota.usage + quota.adds}" if quota.adds else ""
    of = f" of {quota.quota}" if quota.quota is not None else ""
    why = f" ({quota.why})" if quota.why else ""
    return f"{_SLOTS[quota.name]} {quota.usage}{after}{of}{why}"


def _meanwhile(estimate: Estimate) -> str:
    wait = estimate.standstill
    if estimate.live_chunks is None:
        return ""
    if wait.minutes is None:
        return f"live keeps answering, and is not refreshed while the candidate is filled ({wait.why})"
    if wait.minutes == 0:
        return f"live keeps answering and being refreshed ({wait.why})"
    lasting = figures.duration(60 * wait.minutes)
    return f"live keeps answering, and is not refreshed for about {lasting} ({wait.why})"


def _tokens(number: float) -> str:
    if number >= 999_950:
        return f"{number / 1e6:.1f} M"
    return f"{number / 1000:.0f} k" if number >= 10_000 else f"{number:,.0f}"
