"""What biased errors would be if the probabilities were right: by brute force, by size, by weight and cluster."""

import numpy as np
import pytest

import curvewise as cw
from curvewise.probabilities.expected_errors import BIASED, _between


def drawn(n=300, seed=0, power=1.0):
    rng = np.random.default_rng(seed)
    p = rng.beta(1, 2, n)
    return rng.random(n) < p**power, p


def test_the_mean_by_brute_force():
    y, p = drawn(150)
    found = cw.calibration(y, p, bins=5, replicates=400).expected
    rng = np.random.default_rng(9)
    samples = [cw.calibration(rng.random(150) < p, p, bins=5, replicates=0) for _ in range(150)]
    for name in BIASED:
        own = np.array([getattr(c, name) for c in samples])
        assert found[name].expected == pytest.approx(own.mean(), abs=4 * own.std() / np.sqrt(150)), name
        assert 0.88 <= np.mean(own <= found[name].limit) <= 0.99, name
        assert found[name].value == getattr(cw.calibration(y, p, bins=5, replicates=0), name)


def test_right_probabilities_pass_and_wrong_ones_do_not():
    right = [cw.calibration(*drawn(200, seed), replicates=99).expected for seed in range(60)]
    for name in BIASED:
        assert np.mean([found[name].p_value <= 0.05 for found in right]) <= 0.13, name
        # and yet never 0
        assert min(found[name].value for found in right) > 0.005
    wrong = cw.calibration(*drawn(1000, power=2), replicates=199).expected
    for name in set(BIASED) - {"mce"}:
        assert wrong[name].p_value == pytest.approx(1 / 200)
        assert wrong[name].value > wrong[name].limit > wrong[name].expected


def test_many_rows_are_drawn_in_cells_within_the_bins():
    y, p = drawn(20_000)
    some, all_rows = (cw.calibration(y, np.round(p, digits), replicates=200).expected for digits in (3, 12))
    for name in BIASED:
        assert some[name].expected == pytest.approx(all_rows[name].expected, rel=0.15), name


def test_weights_and_clusters_make_errors_larger():
    y, p = drawn(400)
    plain = cw.calibration(y, p, replicates=200).expected
    weight = np.random.default_rng(1).gamma(0.5, 1, 400) + 0.01
    weighted = cw.calibration(y, p, weight=weight, replicates=200).expected
    copies = np.repeat(np.arange(400), 5)
    clustered = cw.calibration(y[copies], p[copies], cluster=copies, replicates=200).expected
    for name in ("ece", "smooth_ece", "ici"):
        assert weighted[name].expected > 1.2 * plain[name].expected, name
        if name != "ici":  # five times as many rows have a less smooth curve
            assert clustered[name].expected == pytest.approx(plain[name].expected, rel=0.12), name


def test_seeds_and_what_is_left_out():
    y, p = drawn(100)
    one, again, other = (cw.calibration(y, p, rng=k, replicates=50).expected["ece"] for k in (0, 0, 1))
    assert one == again
    assert one.expected != other.expected
    assert one.to_dict()["schema"] == "curvewise.expected_error"
    assert cw.calibration(y, p, replicates=0).expected == {}
    forgotten = cw.calibration(cw.sweep(y, p, weight=np.linspace(0.5, 1.7, 100)))
    assert forgotten.expected == {}
    alone = cw.calibration([1], [0.4]).expected
    assert alone["ece"].value == pytest.approx(0.6)


def test_lines_of_values_are_interpolated_each():
    at, values = np.array([0.1, 0.4, 0.5]), np.array([[0.0, 3.0, 1.0], [1.0, 1.0, 0.0]])
    p = np.array([0.0, 0.1, 0.2, 0.4, 0.45, 0.5, 0.9])
    assert _between(p, at, values) == pytest.approx(np.array([np.interp(p, at, line) for line in values]))
    assert _between(p, at[:1], values[:, :1]).tolist() == [[0.0] * 7, [1.0] * 7]
