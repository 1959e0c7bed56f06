"""Sensitivity and specificity over sites, against R's mada and against plain quadrature."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize
from scipy.special import expit, logit
from scipy.stats import binom, norm

import curvewise as cw
from curvewise.breakdown.bivariate import binomial_likelihood, normal_fit
from curvewise.breakdown.pooled_rates import SiteRates, _correlation, _logit
from curvewise.breakdown.rates_over_sites import likelihood

# AuditC of R's package mada: 14 studies of a questionnaire for alcohol use disorders (Kriston et al. 2008)
TP = [47, 126, 19, 36, 130, 84, 68, 752, 59, 142, 137, 57, 34, 152]
FN = [9, 51, 10, 3, 19, 2, 0, 0, 5, 50, 24, 3, 1, 51]
FP = [101, 272, 12, 78, 211, 68, 112, 3226, 55, 571, 107, 103, 21, 88]
TN = [738, 1543, 192, 276, 959, 89, 423, 2977, 136, 2788, 358, 437, 56, 264]


def audit_c(sites=14):
    return {"tp": TP[:sites], "fp": FP[:sites], "fn": FN[:sites], "tn": TN[:sites]}


def test_normal_is_madas_where_no_count_is_0():
    # mada::reitsma on the first six studies (AuditC6 of its vignette), from the results of the public repository
    # alejandrocuevas-ufro/mada-zhou-i2-reproducibility (results/public_example_model_diagnostics.csv); not run here
    found = cw.pool_rates(counts=audit_c(6), method="normal")
    assert (found.sensitivity.value, found.specificity.value) == pytest.approx((0.8555863478, 0.8261321554), abs=1e-6)
    assert [row[k] for k, row in enumerate(found.model.of_mean)] == pytest.approx([0.21724161, 0.10193197], abs=2e-6)
    assert [sd**2 for sd in found.between_sd] == pytest.approx([1.15959101, 0.59052635], abs=1e-5)
    assert found.correlation == pytest.approx(-0.93206373, abs=1e-6)  # mada's is with the false positive rate
    assert not found.notes


def test_normal_is_madas_with_half_added_everywhere():
    # the same source, all 14 studies; mada's vignette prints 2.100, -1.264 and standard errors 0.338 and 0.174
    tp, fp, fn, tn = (np.array(v) + 0.5 for v in (TP, FP, FN, TN))
    logits = np.stack([np.log(tp / fn), np.log(fp / tn)], axis=1)
    found = normal_fit(logits, np.stack([1 / tp + 1 / fn, 1 / fp + 1 / tn], axis=1))
    assert found.mean == pytest.approx((2.0997422475, -1.2636909353), abs=1e-6)
    (a, b), (_, c) = found.between
    assert (a, c) == pytest.approx((1.3795828916, 0.4072081556), abs=1e-5)
    assert b / math.sqrt(a * c) == pytest.approx(0.8542745195, abs=1e-6)
    assert [found.of_mean[k][k] for k in (0, 1)] == pytest.approx([0.1141433030, 0.0303914393], abs=1e-6)


def test_half_is_added_where_a_count_is_0_alone():
    found = cw.pool_rates(counts=audit_c(), method="normal")
    assert "0.5 was added to the counts of 2 sites" in str(found.notes[0])
    plain = cw.pool_rates(counts=audit_c())
    assert plain.notes == ()
    # 0.5 missed of 752.5 is a lower sensitivity than 0 of 752
    assert found.sensitivity.value < plain.sensitivity.value
    assert found.specificity.value == pytest.approx(plain.specificity.value, abs=0.01)


def test_binomial_likelihood_against_plain_quadrature():
    hits, of = np.array([[8.0, 40.0], [0.0, 3.0], [12.0, 0.0]]), np.array([[10.0, 50.0], [4.0, 9.0], [12.0, 0.0]])
    mean, root = np.array([1.0, 1.5]), np.array([0.8, -0.4, 0.3])
    a, b = np.meshgrid(*[np.linspace(-8, 8, 801)] * 2)
    at = mean[0] + root[0] * a, mean[1] + root[1] * a + root[2] * b
    wanted = 0.0
    for x, n in zip(hits, of, strict=True):
        chance = norm.pdf(a) * norm.pdf(b) * 0.02**2
        for k, size, logits in zip(x, n, at, strict=True):
            chance = chance * binom.pmf(k, size, expit(logits)) / math.comb(int(size), int(k))
        wanted += math.log(chance.sum())
    assert binomial_likelihood(hits, of, mean, root) == pytest.approx(wanted, abs=2e-4)


def test_margin_against_plain_quadrature():
    x, n = np.array([8.0, 0.0, 95.0]), np.array([10.0, 4.0, 100.0])
    mean, tau = np.array([0.5, 2.0]), np.array([0.05, 0.7, 3.0])
    found = likelihood(x, n, mean, tau)
    for i, t in enumerate(tau):
        for j, m in enumerate(mean):
            wanted = 0.0
            for k, size in zip(x, n, strict=True):
                chance = quad(
                    lambda z, k=k, size=size, m=m, t=t: binom.pmf(k, size, expit(m + t * z)) * norm.pdf(z),
                    -9,
                    9,
                    points=[(logit((k + 0.5) / (size + 1)) - m) / t] if t > 1 else None,
                    limit=200,
                )[0]
                wanted += math.log(chance) - math.log(math.comb(int(size), int(k)))
            assert found[i, j] == pytest.approx(wanted, abs=2e-3)


def test_the_fit_is_the_maximum():
    found = cw.pool_rates(counts=audit_c(8))
    tp, fp, fn, tn = (np.array(v[:8], dtype=float) for v in (TP, FP, FN, TN))
    hits, of = np.stack([tp, tn], axis=1), np.stack([tp + fn, fp + tn], axis=1)
    (a, b), (_, c) = found.model.between
    own = [*found.model.mean, math.sqrt(a), b / math.sqrt(a), math.sqrt(c - b * b / a)]

    def cost(at):
        return -binomial_likelihood(hits, of, np.array(at[:2]), np.array(at[2:]))

    other = minimize(cost, [1, 1, 0.5, 0, 0.5], method="Nelder-Mead", options={"maxiter": 4000, "fatol": 1e-9})
    assert cost(own) <= other.fun + 1e-4


def test_summary_curve_is_the_bivariate_model_in_other_words():
    found = cw.pool_rates(counts=audit_c(6), method="normal")
    model, (one, two) = found.hsroc, found.between_sd
    # Rutter and Gatsonis: logits (Θ ± Λ/2)e^(∓β/2), variances (σ²θ + σ²α/4)e^(∓β)
    scale = math.exp(model["shape"] / 2)
    assert (model["threshold"] + model["accuracy"] / 2) / scale == pytest.approx(found.model.mean[0])
    assert -(model["threshold"] - model["accuracy"] / 2) * scale == pytest.approx(found.model.mean[1])
    spread = model["threshold_variance"] + model["accuracy_variance"] / 4
    assert (spread / scale**2, spread * scale**2) == pytest.approx((one**2, two**2))
    curve = found.curve(points=5)
    fpr, tpr = (np.array(curve.columns[k]) for k in ("fpr", "tpr"))
    assert np.all(np.diff(tpr) > 0)
    wanted = model["accuracy"] / scale + np.log(fpr / (1 - fpr)) / scale**2
    assert tpr.tolist() == pytest.approx(expit(wanted).tolist())


def test_regions_hold_their_intervals():
    found = cw.pool_rates(counts=audit_c(6))
    for kind, one, two in (
        (
            "confidence",
            (found.sensitivity.low, found.sensitivity.high),
            (found.specificity.low, found.specificity.high),
        ),
        ("prediction", found.new_sensitivity, found.new_specificity),
    ):
        region = found.region(kind, points=400)
        assert region.columns["fpr"][0] == pytest.approx(region.columns["fpr"][-1])
        for rate, (low, high) in (("tpr", one), ("fpr", (1 - two[1], 1 - two[0]))):
            reached = logit(np.array(region.columns[rate]))
            wider = math.sqrt(5.991) / 1.95996
            assert np.ptp(reached) == pytest.approx(wider * (logit(high) - logit(low)), rel=1e-3)
    assert found.new_sensitivity[0] < found.sensitivity.low < found.sensitivity.value < found.sensitivity.high
    assert len(found.region(points=8)) == 9  # the first point once more, at the end
    with pytest.raises(cw.CurvewiseError, match="points: expected a whole number of at least 8"):
        found.region(points=7)


def test_rows_and_counts_say_the_same():
    rng = np.random.default_rng(2)
    site = rng.integers(0, 6, 900)
    y = rng.random(900) < 0.3
    score = rng.normal(size=900) + (1 + 0.3 * site) * y
    by_rows = cw.pool_rates(y, score, site, threshold=0.8)
    flagged = score >= 0.8
    counts = {
        name: [int(np.sum((site == k) & (y == truth) & (flagged == told))) for k in range(6)]
        for name, truth, told in (("TP", True, True), ("FP", False, True), ("FN", True, False), ("TN", False, False))
    }
    by_counts = cw.pool_rates(counts={**counts, "Site": list("012345"), "year": [1] * 6})
    assert by_rows.model == by_counts.model
    assert by_rows.forest.columns == by_counts.forest.columns
    assert (by_rows.threshold, by_counts.threshold) == (0.8, None)
    again = cw.pool_rates(cw.read_rows(y, score, site=site), threshold=0.8)
    assert again.sensitivity == by_rows.sensitivity
    repeated = cw.pool_rates(y, score, site, threshold=0.8, weight=np.full(900, 2), weight_kind="count")
    assert repeated.sites[0].tp == 2 * by_rows.sites[0].tp


def test_sites_with_one_class_count_for_one_rate():
    counts = {name: [*values[:6], 0 if name in ("tp", "fn") else 50] for name, values in audit_c(6).items()}
    found = cw.pool_rates(counts=counts)
    without = cw.pool_rates(counts=audit_c(6))
    assert found.sensitivity.low == without.sensitivity.low
    assert found.specificity.value < without.specificity.value
    assert math.isnan(found.forest.columns["sensitivity"][-1])
    normal = cw.pool_rates(counts=counts, method="normal")
    assert "with rows of only one class: 7" in str(normal.notes[0])
    assert normal.model == cw.pool_rates(counts=audit_c(6), method="normal").model


def test_rows_without_a_site_and_few_sites():
    rng = np.random.default_rng(5)
    y, score = rng.random(400) < 0.4, rng.random(400)
    site = [*(list("abc") * 120), *[None] * 40]
    found = cw.pool_rates(y, score, site, threshold=0.5)
    assert [s.name for s in found.sites] == list("abc")
    assert [n.code for n in found.notes] == ["site_left_out", "few_sites"]


def test_large_and_equal_sites_have_narrow_intervals():
    counts = {"tp": [80_000] * 10, "fn": [20_000] * 10, "fp": [10_000] * 10, "tn": [90_000] * 10}
    found = cw.pool_rates(counts=counts)
    assert found.sensitivity.value == pytest.approx(0.8, abs=1e-4)
    assert found.sensitivity.high - found.sensitivity.low < 0.004
    assert 0.79 < found.new_sensitivity[0] < found.new_sensitivity[1] < 0.81


def test_coverage_with_ten_sites():
    """100 draws with τ = 0.5 gave 0.97 and 0.93 for the mean, 0.96 for a new site; Wald intervals 0.85 to 0.91."""
    rng = np.random.default_rng(8)
    inside = new = 0
    for _ in range(30):
        of = rng.integers(10, 150, (10, 2))
        hits = rng.binomial(of, expit(rng.normal([1.4, 2.2], 0.5, (10, 2))))
        (tp, tn), (p, n) = hits.T, of.T
        found = cw.pool_rates(counts={"tp": tp, "fn": p - tp, "fp": n - tn, "tn": tn})
        inside += found.sensitivity.low <= expit(1.4) <= found.sensitivity.high
        new += found.new_specificity[0] <= expit(rng.normal(2.2, 0.5)) <= found.new_specificity[1]
    assert inside >= 26
    assert new >= 26


def test_prints_and_travels():
    found = cw.pool_rates(counts=audit_c(6))
    assert "Rates over 6 sites" in str(found)
    assert "correlation −0.9" in str(found)
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert told["sensitivity"]["value"] == found.sensitivity.value
    assert len(told["sites"]) == 6
    assert len(told["confidence_region"]) == 101
    assert found.to_frame("polars").shape == (2, 7)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"counts": {"tp": [1], "fp": [1]}}, "counts: expected the columns tp, fp, fn, tn, found no fn, tn"),
        ({"counts": {k: [1, -1, 2] for k in ("tp", "fp", "fn", "tn")}}, "tp: expected whole numbers of 0 or more"),
        ({"counts": {k: [1.5, 1, 2] for k in ("tp", "fp", "fn", "tn")}}, "tp: expected whole numbers"),
        ({"counts": {k: [1, 2] for k in ("tp", "fp", "fn", "tn")}}, "at least 3 sites with positives"),
        ({"counts": {**audit_c(3), "fn": [0, 0, 0]}}, "sensitivity is 1 at every site"),
        ({"counts": {**audit_c(3), "tn": [0, 0, 0]}}, "specificity is 0 at every site"),
        ({"counts": audit_c(3), "threshold": 0.5}, "counts stand in the place of rows"),
        ({"counts": audit_c(3), "method": "reml"}, "method: expected one of"),
        ({"counts": audit_c(3), "level": 1}, "level: expected"),
        ({"y": [0, 1], "score": [1, 2], "site": [1, 1]}, "rates need a threshold"),
        ({"y": [0, 1], "score": [1, 2], "site": [1, 1], "threshold": 1, "cluster": [1, 2]}, "neither clusters"),
        ({"y": [0, 1], "score": [1, 2], "site": [1, 1], "threshold": 1, "rng": 1}, "rng"),
    ],
)
def test_refusals(options, words):
    with pytest.raises(cw.CurvewiseError, match=words):
        cw.pool_rates(**options)


def test_a_site_without_a_class_has_three_numbers_that_are_not_known():
    found = SiteRates("a", tp=0, fp=1, fn=0, tn=3).rates(0.95)
    assert found == pytest.approx([math.nan] * 3 + [3 / 4, *cw.rate_interval(3, 4)], nan_ok=True)


@pytest.mark.parametrize("between", [((0.0, 0.0), (0.0, 0.25)), ((0.25, 0.0), (0.0, 0.0))])
def test_sites_that_are_alike_in_one_rate_have_no_summary_curve(between):
    found = cw.pool_rates(counts=audit_c(5))
    alike = replace(found, model=replace(found.model, between=between))
    assert all(math.isnan(value) for value in alike.hsroc.values())


def test_the_parameters_of_the_summary_curve_and_the_regions_by_hand():
    """Rutter and Gatsonis' parameters as Harbord et al. (2007) write them, and the correlation times k/(k + 10)."""
    found = cw.pool_rates(counts=audit_c(6))
    between, mean = ((0.5, 0.1), (0.1, 0.3)), (1.2, 0.8)
    model = replace(found.model, between=between, mean=mean, of_mean=((0.04, -0.01), (-0.01, 0.09)))
    moved = replace(found, model=model)
    sd, ratio = (math.sqrt(0.5), math.sqrt(0.3)), (0.3 / 0.5) ** 0.25
    assert moved.hsroc == pytest.approx(
        {
            "accuracy": ratio * 1.2 + 0.8 / ratio,
            "threshold": (ratio * 1.2 - 0.8 / ratio) / 2,
            "shape": 2 * math.log(ratio),
            "accuracy_variance": 2 * (sd[0] * sd[1] + 0.1),
            "threshold_variance": (sd[0] * sd[1] - 0.1) / 2,
        }
    )
    (told,) = [part for part in moved.parts() if getattr(part, "code", "") == "rates_how"]
    assert (told.values["sd_one"], told.values["sd_two"]) == pytest.approx(sd)
    for kind, covariance in (
        ("confidence", ((0.04, -0.01), (-0.01, 0.09))),
        ("prediction", ((0.54, 0.09), (0.09, 0.39))),
    ):
        region = moved.region(kind, points=400).columns
        one, two = logit(region["tpr"]), -logit(region["fpr"])
        seen = np.corrcoef(one[:-1], two[:-1])[0, 1]
        (a, b), (_, c) = covariance
        assert seen == pytest.approx(b / math.sqrt(a * c) * 6 / 16)


def test_a_rate_that_does_not_vary_goes_together_with_nothing():
    assert _correlation(((0.2, 0.0), (0.0, 0.0))) == _correlation(((0.0, 0.0), (0.0, 0.2))) == 0
    assert _correlation(((4.0, 3.0), (3.0, 9.0))) == 0.5


def test_tables_and_numbers_of_points():
    found = cw.pool_rates(counts=audit_c(6), method="normal")
    assert [each.title for each in found.tables()] == [found.table.title, found.forest.title]
    assert (len(found.curve()), len(found.curve(points=2))) == (100, 2)
    assert (len(found.region()), len(found.region(points=8))) == (101, 9)  # closed: the first point is the last


def test_rates_of_0_and_1_have_the_logit_of_an_edge():
    assert _logit(0.25) == pytest.approx(-math.log(3))
    assert (_logit(0.0), _logit(1.0)) == pytest.approx((-34.539, 34.539), rel=2e-3)  # log 1e15
