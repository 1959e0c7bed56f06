"""What biased errors would be if the probabilities were right: by brute force, by size, by weight and cluster."""

from types import SimpleNamespace

import numpy as np
import pytest

import curvewise as cw
from curvewise.metric.blocks import read_blocks
from curvewise.metric.probability_bins import in_bins
from curvewise.probabilities import expected_errors
from curvewise.probabilities.expected_errors import BIASED, _between, _cells, _fewer, _of_curves, _of_residuals


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


def test_errors_of_residuals_by_hand():
    """Residuals of 0.6, 0.8 and 1.0 in ten rows; the first two share a bin of five rows. None is below 0."""
    data = SimpleNamespace(p=np.array([0.2, 0.4, 0.6]), n=np.array([2, 3, 5]))
    found = _of_residuals(data, np.array([0, 2]), np.array([[1.0, 2.0, 4.0], [0.0, 3.0, 3.0]]))
    assert found[0] == pytest.approx([0.24, 1.4 / 5, 0.24], abs=1e-6)
    assert found[1, :2] == pytest.approx([0.14, 1.4 / 5])  # -0.4 and 1.8 in the first bin, 0 in the other


def test_errors_of_a_curve_by_hand():
    """Gaps of 0.1, 0.05, 0 and 0.2, of which five of ten rows do not exceed 0.05, and nine not 0.1."""
    data = SimpleNamespace(p=np.array([0.1, 0.3, 0.5, 0.9]), n=np.array([4, 1, 4, 1]))
    found = _of_curves(data, np.array([0.1, 0.5, 0.9]), np.array([[0.2, 0.5, 0.7]]))
    assert found == pytest.approx(np.array([[0.065, 0.05, 0.1]]))


def test_many_probabilities_are_read_at_equal_steps_of_mass(monkeypatch):
    monkeypatch.setattr(expected_errors, "GAPS", 2)
    p, mass = _fewer(np.array([0.1, 0.2, 0.3, 0.4]), np.array([1.0, 1, 1, 5]))
    assert (p.tolist(), mass.tolist()) == ([0.2, 0.4], [4, 4])  # where 2 and 6 of 8 are reached
    p, mass = _fewer(np.array([0.1, 0.2]), np.array([1.0, 3]))
    assert (p.tolist(), mass.tolist()) == ([0.1, 0.2], [1, 3])


def test_only_more_probabilities_than_many_are_put_in_cells(monkeypatch):
    y, p = np.arange(10) % 2, np.repeat([0.2, 0.4, 0.6], [8, 1, 1])
    sweep, blocks = read_blocks(y, p, {})
    bins = in_bins(sweep, 1, "width")
    for many, left in ((3, 3), (2, 2)):
        monkeypatch.setattr(expected_errors, "MANY", many)
        data, starts = _cells(sweep, blocks, bins)
        assert (len(data.p), starts.tolist()) == (left, [0])


def test_every_sample_counts_once():
    """More samples than are looked at together; none of them is as far from right as labels that are all wrong."""
    p = np.repeat([0.1, 0.9], 30)
    found = cw.calibration(p < 0.5, p, replicates=150).expected
    for name in ("ece", "smooth_ece"):
        assert found[name].p_value == pytest.approx(1 / 151)


def test_a_sample_as_far_from_right_counts():
    """One row of 0.4: errors are 0.6 in 40 of 100 samples, else 0.4."""
    found = cw.calibration([1], [0.4], replicates=400).expected["ece"]
    assert found.p_value == pytest.approx(0.4, abs=0.1)
    assert found.expected == pytest.approx(0.4 * 0.6 + 0.6 * 0.4, abs=0.02)
    assert found.limit == pytest.approx(0.6)
    (row,) = found.table.rows()
    assert (row["measure"], row["value"], row["p_value"]) == ("ece", found.value, found.p_value)
