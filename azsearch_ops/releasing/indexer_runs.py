"""Wait for indexer runs and bring an index up to date with its source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from azsearch_ops.errors import IndexingError, UnreachableError
from azsearch_ops.releasing.clock import Clock
from azsearch_ops.releasing.outcomes import Progress, Report
from azsearch_ops.service.client import Service

# A capped run (2 hours on shared infrastructure) is followed by another; a corpus that needs more runs than this
# is not being indexed but going round in circles.
MOST_RUNS: Final = 100


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for a run and how often to look, in seconds.

    `start` is how long a run that was asked for may take to show, `settle` how long counts may lag.
    """

    deadline: float = 24 * 3600.0
    start: float = 120.0
    settle: float = 60.0
    first_poll: float = 0.05
    slowest_poll: float = 5.0


def settled_status(
    service: Service,
    indexer: str,
    clock: Clock,
    patience: Patience,
    report: Report,
    stage: str,
    total: int | None,
    *,
    after: str | None = None,
) -> dict[str, Any]:
    """The indexer's status once no run is going on; reports documents done while one is.

    With `after`, the start of the run before the one that was asked for, a newer run must show first.
    """
    started = clock.monotonic()
    give_up = started + patience.deadline
    poll = patience.first_poll
    while True:
        status = service.indexer_status(indexer)
        last = status.get("lastResult")
        is_newer = after is None or (last is not None and last.get("startTime") != after)
        done = int((last or {}).get("itemsProcessed") or 0)
        if last is not None and is_newer and last.get("status") not in ("inProgress", "reset", "Reset"):
            if done:
                report(Progress(stage, "documents", done, total))
            return status
        if not is_newer and clock.monotonic() - started >= patience.start:
            raise UnreachableError(
                f"indexer '{indexer}' took a run and shows none after {patience.start:.0f} s",
                hint="run the command again to go on",
            )
        report(Progress(stage, "documents", done, total))
        if clock.monotonic() >= give_up:
            raise UnreachableError(
                f"indexer '{indexer}' did not end within {patience.deadline:.0f} s",
                hint="what is indexed is kept; run the command again to go on",
            )
        clock.sleep(poll)
        poll = min(poll * 1.5, patience.slowest_poll)


def bring_up_to_date(
    service: Service,
    indexer: str,
    clock: Clock,
    patience: Patience,
    report: Report,
    *,
    stage: str,
    total: int | None = None,
) -> dict[str, Any]:
    """Run until a run that started after everything else ended in success and found nothing new; its status.

    Creating an indexer already runs it, a run that is going on (409) is waited for, and a capped one is followed by
    another. IndexingError when a run fails as a whole. Documents are reported over all these runs together.
    """
    report = over_all_runs(report)
    for _ in range(MOST_RUNS):
        settled = service.indexer_status(indexer)
        if (settled.get("lastResult") or {}).get("status") == "inProgress" or not settled.get("lastResult"):
            _fail_unless_success(settled_status(service, indexer, clock, patience, report, stage, total), indexer)
        before = _start_run(service, indexer, clock, patience, report, stage, total)
        status = settled_status(service, indexer, clock, patience, report, stage, total, after=before)
        _fail_unless_success(status, indexer)
        if new_items(status["lastResult"]) == 0:
            return status
    raise IndexingError(f"indexer '{indexer}' still finds new documents after {MOST_RUNS} runs")


def over_all_runs(report: Report) -> Report:
    """`report` for several runs of one indexer, each of which counts from 0: what is done adds up and never falls."""
    before = now = shown = 0

    def told(progress: Progress) -> None:
        nonlocal before, now, shown
        if progress.done is not None:
            before += now if progress.done < now else 0  # A run that counts less is another one
            now = progress.done
            shown = max(shown, before + now)
            progress = replace(progress, done=shown if progress.total is None else min(shown, progress.total))
        report(progress)

    return told


def _start_run(
    service: Service, indexer: str, clock: Clock, patience: Patience, report: Report, stage: str, total: int | None
) -> str | None:
    """Ask for a run; when the run before it began. While another one is going on (409) it is waited for, also where
    the status does not show it yet.
    """
    give_up, pause = clock.monotonic() + patience.deadline, patience.first_poll
    while True:
        before: str | None = (service.indexer_status(indexer).get("lastResult") or {}).get("startTime")
        if service.run_indexer(indexer):
            return before
        if clock.monotonic() >= give_up:
            raise UnreachableError(
                f"indexer '{indexer}' did not take a run within {patience.deadline:.0f} s",
                hint="what is indexed is kept; run the command again to go on",
            )
        settled_status(service, indexer, clock, patience, report, stage, total)
        clock.sleep(pause)
        pause = min(pause * 2, patience.slowest_poll)


def new_items(result: Mapping[str, Any]) -> int:
    """Documents that a run took in, without those that failed."""
    return max(0, int(result.get("itemsProcessed") or 0) - int(result.get("itemsFailed") or 0))


def last_change(status: Mapping[str, Any]) -> str:
    """When a run last took something in (its end time), or an empty string: part of an index's state."""
    for result in _history(status):
        if new_items(result) > 0:
            return str(result.get("endTime") or "")
    return ""


def last_messages(status: Mapping[str, Any]) -> tuple[tuple[Mapping[str, Any], ...], tuple[Mapping[str, Any], ...]]:
    """Errors and warnings of the newest runs, back to the one that last took something in.

    The confirming run finds nothing new and so says nothing about documents; failed ones are listed by the run
    that met them.
    """
    errors: list[Mapping[str, Any]] = []
    warnings: list[Mapping[str, Any]] = []
    for result in _history(status):
        if result.get("status") in ("reset", "Reset"):
            break
        errors += result.get("errors") or ()
        warnings += result.get("warnings") or ()
        if new_items(result) > 0:
            break
    return tuple(errors), tuple(warnings)


def _history(status: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    history = list(status.get("executionHistory") or ())
    last = status.get("lastResult")
    if last is not None and (not history or history[0].get("startTime") != last.get("startTime")):
        history.insert(0, last)
    return history


def _fail_unless_success(status: Mapping[str, Any], indexer: str) -> None:
    last = status.get("lastResult") or {}
    if last.get("status") != "success":
        raise IndexingError(
            f"indexer '{indexer}' ended with {last.get('status')}: {last.get('errorMessage') or 'no message'}",
            hint="mend the cause and run the command again; live is untouched",
        )
