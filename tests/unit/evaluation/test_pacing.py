import threading
import time
from collections.abc import Sequence

import pytest

from azsearch_ops.errors import ServiceError, UnreachableError
from azsearch_ops.evaluation.outcome import Evaluation
from azsearch_ops.evaluation.pacing import MOST_PAUSES, Pace
from azsearch_ops.evaluation.record import record
from azsearch_ops.evaluation.run import evaluate
from azsearch_ops.evaluation.types import Chunk, Judgement, Query

QUERIES = [Query(f"q{i:03}", f"question {i}", (Judgement(f"{i}.md"),)) for i in range(150)]


class Service:
    """Answers with the document of the query at a rank of its own; counts what runs at once."""

    def __init__(self, build: str, refusals: int = 0, slow: float = 0.0) -> None:
        self.most = self._running = self.asked = 0
        self._build, self._refusals, self._slow = build, refusals, slow
        self._lock = threading.Lock()

    def __call__(self, query: Query, depth: int) -> Sequence[Chunk]:
        with self._lock:
            self._running += 1
            self.asked += 1
            self.most = max(self.most, self._running)
            refuse = self.asked > 100 and self._refusals > 0
            self._refusals -= refuse
        time.sleep(self._slow)
        with self._lock:
            self._running -= 1
        if refuse:
            raise UnreachableError("busy", status=503, retry_after=3.0)
        number = int(query.id[1:])
        rank = number % (13 if self._build == "a" else 7)
        length = 30 if number % 50 == 17 else 400
        names = [f"other-{i}.md" for i in range(depth)]
        names[min(rank, depth - 1)] = f"{number}.md"
        return [Chunk(f"{self._build}_{i}", n, f"{n} {'x' * length}", 100.0 - i) for i, n in enumerate(names)][:60]


def run(workers: int, refusals: int = 0, pauses: list[float] | None = None, slow: float = 0.0) -> Evaluation:
    return evaluate(
        QUERIES,
        Service("a", refusals, slow),
        Service("b", slow=slow),
        ["recall@2000t", "mrr@10"],
        len,
        workers=workers,
        pause=(pauses if pauses is not None else []).append,
        resamples=200,
    )


def test_the_number_of_workers_changes_no_result() -> None:
    alone = run(1)
    assert alone.depth > 20, "some queries have to be asked for more"
    assert record(run(6, slow=0.0005)) == record(alone)


def test_several_queries_are_asked_at_once_and_never_more_than_allowed() -> None:
    live, candidate = Service("a", slow=0.002), Service("b", slow=0.002)
    evaluate(QUERIES, live, candidate, ["mrr@10"], len, workers=4, resamples=100)
    assert 2 <= live.most <= 4
    assert 2 <= candidate.most <= 4


def test_latencies_come_from_calls_that_ran_alone() -> None:
    ticks = iter(float(i) for i in range(10_000))
    result = evaluate(QUERIES, None, Service("a"), ["mrr@10"], len, workers=4, clock=lambda: next(ticks), resamples=100)
    assert result.candidate_cost.timed == 40
    assert (result.candidate_cost.p50, result.candidate_cost.p95) == (1.0, 1.0)


def test_a_throttled_call_makes_everybody_wait_as_long_as_the_service_said_and_changes_no_result() -> None:
    pauses: list[float] = []
    throttled = run(6, refusals=3, pauses=pauses)
    assert set(pauses) == {3.0}
    assert 1 <= len(pauses) <= 3
    assert throttled.pauses == len(pauses)
    plain = run(1)
    assert [m.candidate for m in throttled.metrics] == [m.candidate for m in plain.metrics]
    assert [q.live for q in throttled.queries] == [q.live for q in plain.queries]


def test_a_pause_halves_what_runs_at_once() -> None:
    pace = Pace(8, lambda seconds: None)
    refused = [True]

    def once() -> int:
        if refused:
            refused.pop()
            raise UnreachableError("busy", status=429)
        return 7

    assert pace.call(once) == 7
    running, most, lock = [0], [0], threading.Lock()

    def work() -> None:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        time.sleep(0.003)
        with lock:
            running[0] -= 1

    threads = [threading.Thread(target=lambda: pace.call(work)) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 1 < most[0] <= 4


def test_a_service_that_never_has_time_and_other_errors_end_the_run() -> None:
    waited: list[float] = []

    def busy() -> None:
        raise UnreachableError("busy", status=429)

    with pytest.raises(UnreachableError):
        Pace(2, waited.append).call(busy)
    assert len(waited) == MOST_PAUSES
    assert waited[:3] == [1.0, 2.0, 4.0]

    def wrong() -> None:
        raise ServiceError("no", status=400)

    with pytest.raises(ServiceError):
        Pace(2, waited.append).call(wrong)
    with pytest.raises(UnreachableError):
        Pace(2, None).call(busy)
    assert len(waited) == MOST_PAUSES
