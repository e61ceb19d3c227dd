"""How often the gate is right: simulated on the per-query results of Chroma's study, and held to its bounds.

    python tests/benchmarks/gate.py [--data DIR] [--mode hybrid] [--trials 1000] [--seed 1]

Noise is what nobody would call a change: nine builds whose page size differs by up to 4 % around 1,000 characters. A
trial draws queries, takes two of the builds, and swaps them at random on each query, so that the true difference is
zero. Damage on top breaks each query with a chance that lowers the true mean of the first metric by five points. The
verdict is the product's own (two gated metrics, default limits). Ends with 1 where a bound is not met.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

import numpy as np
from chroma_rooms import DATA, per_query

from azsearch_ops.evaluation.interval import mean_intervals
from azsearch_ops.evaluation.outcome import Evaluation, MetricResult, Probe, SideCost
from azsearch_ops.evaluation.significance import drop_p_values
from azsearch_ops.gate.policy import GateLimits
from azsearch_ops.gate.verdict import judge

METRICS = ("recall@2000t", "mrr@10")
LENGTHS = tuple(range(960, 1041, 10))
SIZES = (50, 150, 300, 472)
DROP = 0.05
RESAMPLES = 2_000
POLICY = {name: GateLimits() for name in METRICS}
COST = SideCost(tokens=0.0, unjudged=0.0, p50=None, p95=None, calls=0)

# scenario, queries → outcome → (least, most) share of trials
BOUNDS = {
    ("nothing changed", 50): {"fail": (0.0, 0.06)},
    ("nothing changed", 150): {"fail": (0.0, 0.06), "pass": (0.45, 1.0)},
    ("nothing changed", 472): {"fail": (0.0, 0.06), "pass": (0.90, 1.0)},
    ("five points down", 50): {"pass": (0.0, 0.05)},
    ("five points down", 150): {"pass": (0.0, 0.05)},
    ("five points down", 300): {"pass": (0.0, 0.05)},
    ("five points down", 472): {"pass": (0.0, 0.05), "fail": (0.90, 1.0)},
}


def evaluation_of(live: np.ndarray, candidate: np.ndarray, seed: int) -> Evaluation:
    """The evaluation of values [metric, query], as the gate reads it."""
    rows = candidate - live
    rows[np.abs(rows) < 1e-9] = 0.0
    p_values, intervals = drop_p_values(rows, seed, RESAMPLES), mean_intervals(rows, seed, RESAMPLES)
    metrics = tuple(
        MetricResult(
            name=name,
            candidate=float(candidate[i].mean()),
            live=float(live[i].mean()),
            difference=float(rows[i].mean()),
            low=intervals[i].low,
            high=intervals[i].high,
            bound=intervals[i].bound,
            p=p_values[i],
            deviation=float(rows[i].std()),
            changed=int((rows[i] != 0).sum()),
            better=int((rows[i] > 0).sum()),
            worse=int((rows[i] < 0).sum()),
        )
        for i, name in enumerate(METRICS)
    )
    return Evaluation(
        metrics=metrics,
        query_count=live.shape[1],
        seen=live.shape[1],
        better=metrics[0].better,
        worse=metrics[0].worse,
        candidate_cost=COST,
        live_cost=COST,
        probe=Probe(0, True, True),
        slices=(),
        unscored=(),
        seed=seed,
        resamples=RESAMPLES,
        depth=10,
        reader_top=5,
    )


def simulate(builds: np.ndarray, queries: int, drop: float, trials: int, seed: int) -> tuple[Counter[str], int]:
    """Verdicts over the trials, and how often the naive rule ("no mean may drop") blocks; `builds` is [build, metric,
    query]."""
    chance = np.random.default_rng([seed, queries, int(1000 * drop)])
    verdicts: Counter[str] = Counter()
    blocked = 0
    broken_share = drop / builds[:, 0].mean()
    for trial in range(trials):
        drawn = chance.choice(builds.shape[2], queries, replace=False)
        first, second = (builds[i][:, drawn] for i in chance.choice(len(builds), 2, replace=False))
        swapped = chance.random(queries) < 0.5
        live, candidate = np.where(swapped, second, first), np.where(swapped, first, second)
        if drop:
            candidate = np.where(chance.random(queries) < broken_share, 0.0, candidate)
        evaluation = evaluation_of(live, candidate, trial)
        verdicts[judge(evaluation, POLICY).outcome] += 1
        blocked += any((m.difference or 0.0) < 0.0 for m in evaluation.metrics)
    return verdicts, blocked


def main() -> None:
    """Simulate, print, and hold to the bounds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--mode", default="hybrid", choices=("text", "vector", "hybrid"))
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    values = per_query(arguments.data, LENGTHS, arguments.mode, METRICS)
    builds = np.array([[by_metric[name] for name in METRICS] for by_metric in values])
    churn = (np.abs(builds[0] - builds[-1]) > 1e-9).mean(axis=1)
    spread = (builds[0] - builds[-1]).std(axis=1)
    for i, name in enumerate(METRICS):
        means = builds[:, i].mean(axis=1)
        print(
            f"{name}: {means.min():.3f} to {means.max():.3f} over the nine builds; from the first to the last "
            f"{churn[i]:.0%} of queries change, deviation {spread[i]:.2f}"
        )
    print(f"\n{'':18}{'queries':>8}{'pass':>8}{'undecided':>11}{'fail':>8}{'naive rule blocks':>19}")
    missed = []
    for scenario, drop in (("nothing changed", 0.0), ("five points down", DROP)):
        for queries in SIZES:
            verdicts, blocked = simulate(builds, queries, drop, arguments.trials, arguments.seed)
            shares = {name: verdicts[name] / arguments.trials for name in ("pass", "undecided", "fail")}
            print(
                f"{scenario:18}{queries:>8}{shares['pass']:>8.1%}{shares['undecided']:>11.1%}{shares['fail']:>8.1%}"
                f"{blocked / arguments.trials:>19.1%}"
            )
            for outcome, (least, most) in BOUNDS.get((scenario, queries), {}).items():
                if not least <= shares[outcome] <= most:
                    missed.append(f"{scenario}, {queries} queries: {outcome} {shares[outcome]:.1%}")
    for queries in (1, 10, *SIZES):
        row = builds[0][:, :queries]
        verdict = judge(evaluation_of(row, row.copy(), 0), POLICY)
        said = f"0 of {queries} {'query' if queries == 1 else 'queries'} changed"
        if (verdict.outcome, verdict.reasons) != ("pass", (said,)):
            missed.append(f"identical inputs, {queries} queries: {verdict}")
    print("\nidentical inputs: 0 queries changed, pass, at any size" if not missed else "")
    print("\n".join(["every bound is met"] if not missed else ["NOT MET:", *missed]))
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
