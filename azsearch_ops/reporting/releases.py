"""What building, moving and looking came to, as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from azsearch_ops.reporting import figures
from azsearch_ops.reporting.columns import aligned
from azsearch_ops.reporting.evaluations import next_lines
from azsearch_ops.reporting.style import Style, fit

if TYPE_CHECKING:
    from azsearch_ops.releasing.outcomes import (
        BuildOutcome,
        IndexStatus,
        PromoteOutcome,
        ReleaseRecord,
        RollbackOutcome,
        ShipOutcome,
    )

_ACCEPTED_SHOWN = 5


def render_build(outcome: BuildOutcome, style: Style) -> str:
    """The candidate, how much of the source is in it, and every check with how far it reached."""
    good = style.paint("✓", "good")
    reused = ", reused" if outcome.reused else ""
    lines = [f"build     {outcome.candidate}{reused}   {figures.duration(outcome.seconds)}"]
    of = f"/{figures.count(outcome.expected)}" if outcome.expected is not None else ""
    accepted = f", {len(outcome.accepted)} accepted" if outcome.accepted else ""
    chunks = figures.counted(outcome.chunks, "chunk", "chunks")
    if outcome.documents is None:
        lines.append(f"  {good} nothing to build: what serves is measured as it is, {chunks}")
    else:
        lines.append(f"  {good} documents  {figures.count(outcome.documents)}{of}{accepted}, {chunks}")
    marks = {"checked": good, "sampled": good, "not checkable here": style.paint("–", "quiet")}
    drawn = aligned([(check.name, check.state, check.detail) for check in outcome.checks], "lll", indent="")
    lines += [f"  {marks[check.state]} {text}" for check, text in zip(outcome.checks, drawn, strict=True)]
    for document in outcome.accepted[:_ACCEPTED_SHOWN]:
        lines.append(f"    accepted: {document.document} ({document.reason})")
    if len(outcome.accepted) > _ACCEPTED_SHOWN:
        lines.append(f"    and {len(outcome.accepted) - _ACCEPTED_SHOWN} more")
    return "\n".join(lines)


def render_promotion(outcome: PromoteOutcome, style: Style) -> str:
    """What moved, and the release that it made."""
    good = style.paint("✓", "good")
    if not outcome.recorded:
        return f"promote   nothing to do, {outcome.after} is live as release {outcome.release}"
    if outcome.moved:
        before = f"{outcome.before} → {outcome.after}" if outcome.before else f"created, pointing to {outcome.after}"
        line = f"promote   {good} {outcome.alias}  {before}, read back, queried"
    else:
        line = f"promote   {good} {outcome.alias} stays on {outcome.after}"
    settings = "; the search request is new" if outcome.settings_changed else ""
    accepted = outcome.accepted_breaking
    told = f"\n          breaking changes accepted: {accepted['reason']} ({_settings(accepted)})" if accepted else ""
    return f"{line}\n          release {outcome.release}{settings}{told}"


def render_rollback(outcome: RollbackOutcome, style: Style) -> str:
    """Where the alias went back to, what is held now, and what could not be undone."""
    good = style.paint("✓", "good")
    moved = f"{outcome.before} → {outcome.after}" if outcome.before != outcome.after else f"stays on {outcome.after}"
    lines = [
        f"rollback  {good} {outcome.alias}  {moved}, read back, queried",
        f"          release {outcome.release} holds again what release {outcome.back_to} held",
        f"          release {outcome.left} is held: {outcome.held}",
    ]
    lines += [f"          note: {note}" for note in outcome.notes]
    return "\n".join(lines)


def render_ship(outcome: ShipOutcome, style: Style) -> str:
    """How it ended and what to do next; the steps on the way have been shown as they came."""
    lines = [f"note      {note}" for note in outcome.notes]
    took = f"   {figures.duration(outcome.seconds)}"
    if outcome.unchanged:
        lines.append(f"{outcome.name}: nothing to do, {outcome.live} is live{took}")
    elif outcome.promotion is not None:
        if outcome.promotion.before is not None:
            lines.append(f"undo      azsearch-ops rollback {outcome.name} --reason …")
        lines.append(f"{outcome.name}: {style.paint('shipped', 'good')}, {outcome.promotion.after} is live{took}")
    else:
        untouched = f"{outcome.live} stays live" if outcome.live else "nothing is live"
        lines.append(f"promote   {style.paint('skipped', 'bad')}: {untouched}{took}")
        told = next_lines(outcome.name, outcome.evaluation, style) if outcome.evaluation is not None else []
        lines += told or [f"          {outcome.why_not}"]
    return "\n".join(lines)


def render_status(indexes: Sequence[IndexStatus], style: Style) -> str:
    """What is live for each index definition, and what needs attention."""
    if not indexes:
        return "no index definitions"
    head = ("index", "alias", "live", "release", "since", "chunks", "indexer", "candidate")
    rows = [head]
    for index in indexes:
        candidate = (
            index.candidate_state if index.candidate == index.live else f"{index.candidate} {index.candidate_state}"
        )
        rows.append(
            (
                index.name,
                index.alias,
                index.live or figures.NONE,
                str(index.release or figures.NONE),
                index.promoted_at or figures.NONE,
                figures.count(index.documents),
                index.indexer or figures.NONE,
                candidate,
            )
        )
    lines = aligned(rows, "lllrlrll", indent="")
    lines += [f"{style.paint('note', 'doubt')}  {index.name}: {index.note}" for index in indexes if index.note]
    return "\n".join(lines)


def render_history(name: str, releases: Sequence[ReleaseRecord], style: Style) -> str:
    """The releases, newest first."""
    if not releases:
        return f"{name} has no release yet"
    rows = [("release", "kind", "index", "at", "by", "commit", "verdict", "reason")]
    for release in releases:
        verdict = "held" if release.held else release.verdict or figures.NONE
        if release.accepted_breaking:
            verdict = f"{verdict}, breaking"
        rows.append(
            (
                str(release.release),
                release.kind,
                release.index,
                release.at,
                release.by,
                (release.commit or figures.NONE)[:9],
                verdict,
                fit(release.reason or "", 60),
            )
        )
    head, *lines = aligned(rows, "rlllllll", indent="")
    return "\n".join([style.paint(head, "quiet"), *lines])


def _settings(accepted: Mapping[str, Any]) -> str:
    return ", ".join(str(pointer).strip("/") for pointer in accepted["changes"])
