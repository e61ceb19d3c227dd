"""Runs of indexers: one at a time each, two at a time in all, started by a call, by creation, or by a schedule."""

from __future__ import annotations

import queue
import sqlite3
import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from importlib import import_module
from typing import Any, Final

from azsearch_ops.local.errors import ServiceFault, conflict
from azsearch_ops.local.etags import new_etag
from azsearch_ops.local.faults import Faults
from azsearch_ops.local.indexing.io import IndexingIO
from azsearch_ops.local.objects.durations import duration_seconds, moment
from azsearch_ops.local.store import Run, Store, Stored

HISTORY: Final = 51
WORKERS: Final = 2
_TICK_SECONDS: Final = 1.0
_BUSY = "Another indexer invocation is currently in progress; concurrent invocations are not allowed."
_INTERRUPTED = (
    "The indexer run was cut off because the local service ended while it was on its way. Documents that were written "
    "stay; the next run goes on with the others."
)


class Runs:
    """Starts, carries out and records runs. Threads are daemons: ending the process never waits for a run.

    `io` makes the service's side of a run, given what is to be told how many items are processed.
    """

    def __init__(self, store: Store, faults: Faults, io: Callable[[Callable[[int], None]], IndexingIO]) -> None:
        self._store = store
        self._faults = faults
        self._io = io
        self._queue: queue.SimpleQueue[Run | None] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self._resets: dict[str, int] = {}
        self._unwritten: dict[int, Run] = {}
        self._threads = [threading.Thread(target=self._work, name="indexer", daemon=True) for _ in range(WORKERS)]
        self._threads.append(threading.Thread(target=self._schedule, name="schedule", daemon=True))

    def begin(self) -> None:
        """Marks the runs that an earlier process left behind as failed, then starts the threads."""
        for run in self._store.active_runs():
            ended = {**run.body, "status": "transientFailure", "errorMessage": _INTERRUPTED, "endTime": _text(_now())}
            self._store.write_run(run.id, ended, active=False)
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Takes no further runs."""
        self._stopping.set()
        for _ in range(WORKERS):
            self._queue.put(None)

    def start(self, indexer: str) -> None:
        """Enters a run and hands it to a worker.

        Raises:
            ServiceFault: 409 when the indexer has a run on its way.
        """
        with self._store.transaction():
            if any(run.active for run in self._store.runs(indexer, 1)):
                raise conflict(_BUSY)
            run = self._store.start_run(indexer, _result("inProgress", start=_now()))
            self._store.forget_runs(indexer, keep=HISTORY)
        self._queue.put(run)

    def newest(self, indexer: str, limit: int) -> tuple[Run, ...]:
        """The newest runs, newest first; one whose end there is no room to write down has ended all the same."""
        return tuple(self._unwritten.get(run.id, run) for run in self._store.runs(indexer, limit))

    def reset(self, indexer: str) -> None:
        """Forgets what the indexer knows of its source; a run on its way will not bring it back."""
        with self._store.transaction():
            self._resets[indexer] = self._resets.get(indexer, 0) + 1
            self._store.write_tracking(indexer, None)
            moment = _now()
            run = self._store.start_run(indexer, _result("reset", start=moment, end=moment))
            self._store.write_run(run.id, run.body, active=False)
            self._touch(indexer)

    def forget(self, indexer: str) -> None:
        """Removes history and memory of an indexer that is deleted or made anew."""
        with self._store.transaction():
            self._resets[indexer] = self._resets.get(indexer, 0) + 1
            self._store.write_tracking(indexer, None)
            self._store.forget_runs(indexer)

    def forget_all(self) -> None:
        """Removes history and memory of every indexer."""
        for stored in self._store.all("indexer"):
            self.forget(stored.name)

    def _work(self) -> None:
        # Here and not at the top: starting the service does not wait for it, and neither does the first run
        import_module("azsearch_ops.local.indexing.run")
        while (run := self._queue.get()) is not None and not self._stopping.is_set():
            try:
                self._carry_out(run)
            except sqlite3.ProgrammingError:  # the store was closed: the process is ending
                return

    def _carry_out(self, run: Run) -> None:
        generation = self._resets.get(run.indexer, 0)
        try:
            body, state = self._outcome(run)
        except ServiceFault as fault:
            body = {**run.body, "status": "transientFailure", "errorMessage": fault.message}
            state = None
        except sqlite3.ProgrammingError:
            raise
        except sqlite3.OperationalError as error:
            body = {
                **run.body,
                "status": "transientFailure",
                "errorMessage": f"The local service cannot use what it keeps: {error}.",
            }
            state = None
        except Exception as error:  # a fault of ours must not leave the indexer running for ever
            body = {**run.body, "status": "transientFailure", "errorMessage": f"{type(error).__name__}: {error}"}
            state = None
        ended = Run(run.id, run.indexer, False, {**body, "endTime": _text(_now())})
        while not self._written(ended, state, generation):
            self._unwritten[run.id] = ended
            if self._stopping.wait(_TICK_SECONDS):
                return
        self._unwritten.pop(run.id, None)

    def _written(self, ended: Run, state: Mapping[str, Any] | None, generation: int) -> bool:
        """Enters the end of a run; False while the disk is full."""
        try:
            with self._store.transaction():
                self._store.write_run(ended.id, ended.body, active=False)
                if state is not None and self._resets.get(ended.indexer, 0) == generation:
                    self._store.write_tracking(ended.indexer, state)
                self._touch(ended.indexer)
        except sqlite3.OperationalError:
            return False
        return True

    def _outcome(self, run: Run) -> tuple[dict[str, Any], Mapping[str, Any] | None]:
        """The result of the run, and what the indexer is to remember (None: what it knew before)."""
        from azsearch_ops.local.indexing.run import run_indexer

        def report(items: int) -> None:
            self._store.write_run(run.id, {**run.body, "itemsProcessed": items}, active=True)

        self._stopping.wait(self._faults.run_seconds(run.indexer))
        indexer = self._object("indexer", run.indexer)
        skillset = self._object("skillset", indexer["skillsetName"]) if indexer["skillsetName"] else None
        outcome = run_indexer(
            indexer,
            self._object("dataSource", indexer["dataSourceName"]),
            skillset,
            self._object("index", indexer["targetIndexName"]),
            self._store.tracking(run.indexer),
            self._io(report),
            _now,
            most=self._faults.most_items(run.indexer),
        )
        body = {
            **run.body,
            "status": outcome.status,
            "errorMessage": outcome.errorMessage,
            "itemsProcessed": outcome.itemsProcessed,
            "itemsFailed": outcome.itemsFailed,
            "initialTrackingState": outcome.initialTrackingState,
            "finalTrackingState": outcome.finalTrackingState,
            "errors": [dict(error) for error in outcome.errors],
            "warnings": [dict(warning) for warning in outcome.warnings],
        }
        return body, outcome.state

    def _object(self, kind: str, name: str) -> Mapping[str, Any]:
        stored = self._store.get(kind, name)
        if stored is None:
            raise ServiceFault(404, "", f"The {kind} '{name}' that the indexer refers to does not exist any more.")
        return stored.body

    def _touch(self, indexer: str) -> None:
        """Gives the indexer a new ETag: the service does so when a run ends (net2025-blob-indexer-status)."""
        stored = self._store.get("indexer", indexer)
        if stored is not None:
            self._store.put("indexer", indexer, stored.body, new_etag())

    def _schedule(self) -> None:
        while not self._stopping.wait(_TICK_SECONDS):
            try:
                for stored in self._store.all("indexer"):
                    if self._due(stored):
                        self._start_quietly(stored.name)
            except sqlite3.ProgrammingError:  # the store was closed: the process is ending
                return
            except sqlite3.OperationalError:  # no room for another run: at a later tick
                continue

    def _due(self, stored: Stored) -> bool:
        schedule = stored.body["schedule"]
        if not schedule or stored.body["disabled"]:
            return False
        started = [r for r in self._store.runs(stored.name, HISTORY) if r.body["status"] != "reset"]
        if started and started[0].active:
            return False
        now = _now()
        first = moment(schedule["startTime"]) if schedule.get("startTime") else None
        if first is not None and first > now:
            return False
        if not started:
            return True
        interval = timedelta(seconds=duration_seconds(schedule["interval"]) or 0)
        return datetime.fromisoformat(started[0].body["startTime"]) + interval <= now

    def _start_quietly(self, indexer: str) -> None:
        try:
            self.start(indexer)
        except ServiceFault:
            return  # somebody else has just started it, which is as good


def _result(status: str, *, start: datetime, end: datetime | None = None) -> dict[str, Any]:
    return {
        "status": status,
        "errorMessage": None,
        "startTime": _text(start),
        "endTime": _text(end) if end else None,
        "itemsProcessed": 0,
        "itemsFailed": 0,
        "initialTrackingState": None,
        "finalTrackingState": None,
        "errors": [],
        "warnings": [],
    }


def _now() -> datetime:
    return datetime.now(UTC)


def _text(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"
