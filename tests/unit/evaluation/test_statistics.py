from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azsearch_ops.evaluation.interval import mean_intervals
from azsearch_ops.evaluation.significance import drop_p_values, holm
from azsearch_ops.evaluation.subset_sums import byte_sums, every_subset

ROW = st.lists(st.sampled_from([-1.0, -0.5, -0.1, 0.0, 0.0, 0.25, 1.0]), min_size=1, max_size=40)


def test_p_is_that_of_all_sign_flips() -> None:
    row = [-0.5, -0.25, 0.1, -1.0, 0.3, -0.2, -0.4, 0.05]
    flips = [sum(s * d for s, d in zip(signs, row, strict=True)) for signs in product((-1, 1), repeat=len(row))]
    exact = sum(total <= sum(row) + 1e-12 for total in flips) / len(flips)
    assert drop_p_values([row], seed=3)[0] == pytest.approx(exact, abs=0.01)


def test_p_is_never_below_one_in_the_number_of_flips_and_is_one_without_a_difference() -> None:
    assert drop_p_values([[-1.0] * 200], seed=0) == (1 / 10_001,)
    assert drop_p_values([[0.0] * 50, [1.0] * 50], seed=0) == (1.0, 1.0)
    assert drop_p_values([[]], seed=0) == (1.0,)


def test_the_same_seed_gives_the_same_numbers_and_rows_do_not_disturb_each_other() -> None:
    row, other = [-0.3, 0.2, -0.4, 0.0, -0.1] * 9, [0.1] * 45
    assert len({drop_p_values([row], seed=7) for _ in range(4)}) == 1
    assert drop_p_values([other, row], seed=7)[1] == drop_p_values([row], seed=7)[0]
    assert mean_intervals([other, row], seed=7)[1] == mean_intervals([row], seed=7)[0]


@given(ROW, st.data())
def test_damage_never_raises_p_nor_a_bound(row: list[float], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(row) - 1))
    worse = [*row]
    worse[at] -= data.draw(st.sampled_from([0.01, 0.3, 1.0]))
    before, after = drop_p_values([row, worse], seed=1, flips=500)
    assert after <= before
    first, second = mean_intervals([row, worse], seed=1, resamples=500)
    assert second.bound <= first.bound + 1e-12
    assert second.low <= first.low + 1e-12


def test_the_interval_has_the_width_that_theory_gives() -> None:
    row = [1.0, -1.0] * 100
    interval = mean_intervals([row], seed=0)[0]
    assert interval.high == pytest.approx(1.96 / 200**0.5, rel=0.08)
    assert interval.low == pytest.approx(-1.96 / 200**0.5, rel=0.08)
    assert interval.bound == pytest.approx(-1.645 / 200**0.5, rel=0.08)


def test_many_queries_get_the_same_interval_by_weights_as_by_drawing() -> None:
    chance = np.random.default_rng(5)
    rows = [chance.choice([-0.5, 0.0, 0.0, 0.2, 1.0], 1500).tolist(), [0.0] * 1500]
    weighed, still = mean_intervals(rows, seed=2)
    mean, error = float(np.mean(rows[0])), float(np.std(rows[0])) / 1500**0.5
    assert weighed.low == pytest.approx(mean - 1.96 * error, abs=0.06 * error)
    assert weighed.high == pytest.approx(mean + 1.96 * error, abs=0.06 * error)
    assert weighed.bound == pytest.approx(mean - 1.645 * error, abs=0.06 * error)
    assert (still.low, still.high, still.bound) == (0.0, 0.0, 0.0)
    rows[0][700] -= 1.0
    assert mean_intervals(rows, seed=2)[0].bound < weighed.bound


@pytest.mark.parametrize("queries", [1, 7, 8, 9, 100])
def test_the_sums_of_subsets_are_what_adding_up_gives(queries: int) -> None:
    chance = np.random.default_rng(queries)
    table = chance.normal(size=(queries, 3))
    sums: list[np.ndarray] = []
    byte_sums(table, every_subset(), 400, np.random.default_rng(9), sums.append)
    lines = np.random.default_rng(9).integers(0, 256, size=(-(-queries // 8), 400), dtype=np.uint8)
    chosen = np.unpackbits(lines.T.copy(), axis=1, count=None)[:, :queries]
    assert np.concatenate(sums) == pytest.approx(chosen @ table)


def test_holm_steps_down_and_never_overtakes() -> None:
    assert holm([0.01, 0.04]) == (0.02, 0.04)
    assert holm([0.04, 0.03]) == (0.06, 0.06)
    assert holm([0.9, 0.8]) == (1.0, 1.0)
    assert holm([0.03]) == (0.03,)
    assert holm([]) == ()
