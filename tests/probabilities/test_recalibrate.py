"""Maps that recalibrate probabilities: how they are fitted, applied, judged, written and read back."""

import json
import math
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize, minimize_scalar

import curvewise as cw
from curvewise.probabilities import recalibrate as dealing
from curvewise.probabilities.probability_maps import STEPS, estimated_prevalence
from curvewise.probabilities.recalibrate import folds

FITTED = ("isotonic", "platt", "beta", "temperature")
GRID = np.linspace(0, 1, 201)


def drawn(n=600, seed=0, decimals=2):
    """Return labels, and probabilities that are too extreme and too high."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(-1, 1.5, n)
    p = 1 / (1 + np.exp(-(0.7 + 1.8 * truth)))
    return rng.random(n) < 1 / (1 + np.exp(-truth)), p.round(decimals).clip(0.01, 0.99)


def odds(p):
    return np.log(p) - np.log1p(-p)


def log_loss(y, q):
    return -np.mean(np.log(np.where(y, q, 1 - q)))


def test_platt_is_the_calibration_line():
    y, p = drawn()
    fit, c = cw.recalibrate(y, p, method="platt", rng=0), cw.calibration(y, p)
    assert fit.parameters["slope"] == pytest.approx(c.slope.value, abs=1e-12)
    assert fit.parameters["intercept"] == pytest.approx(c.intercept.value, abs=1e-12)
    wanted = 1 / (1 + np.exp(-(c.intercept.value + c.slope.value * odds(p))))
    assert fit.apply(p) == pytest.approx(wanted)


def test_isotonic_is_the_isotonic_fit():
    y, p = drawn()
    assert cw.recalibrate(y, p, cv=None).apply(GRID).tolist() == cw.isotonic(y, p).apply(GRID).tolist()


def test_temperature_against_a_search():
    y, p = drawn()
    best = minimize_scalar(lambda b: log_loss(y, 1 / (1 + np.exp(-b * odds(p)))), bounds=(0.01, 10))
    fit = cw.recalibrate(y, p, method="temperature", cv=None)
    assert fit.parameters["temperature"] == pytest.approx(1 / best.x, rel=1e-4)


@pytest.mark.parametrize("power", [(0.5, 2.0), (-0.4, 1.5), (1.5, -0.4), (-0.3, -0.3)])
def test_beta_against_a_bounded_search(power):
    rng = np.random.default_rng(2)
    p = rng.uniform(0.02, 0.98, 500).round(3)
    y = rng.random(500) < 1 / (1 + np.exp(-(power[0] * np.log(p) - power[1] * np.log1p(-p))))

    def loss(x):
        eta = x[0] * np.log(p) - x[1] * np.log1p(-p) + x[2]
        return np.logaddexp(0, np.where(y, -eta, eta)).sum()

    best = minimize(loss, [1, 1, 0], bounds=[(0, None), (0, None), (None, None)], method="L-BFGS-B")
    fit = cw.recalibrate(y, p, method="beta", cv=None)
    found = [fit.parameters[k] for k in "abc"]
    assert min(found[:2]) >= 0
    assert loss(found) <= best.fun + 1e-6
    assert found == pytest.approx(best.x, abs=0.02)
    if power == (-0.3, -0.3):
        assert found[:2] == [0, 0]
        assert "the map is constant" in str(fit.notes[0])
        assert fit.apply([0, 0.5, 1]) == pytest.approx([y.mean()] * 3)


def test_beta_against_betacal():
    data = np.genfromtxt(
        files("curvewise.data") / "screening.csv", delimiter=",", names=True, dtype=None, encoding="ascii"
    )
    fit = cw.recalibrate(data["disease"], data["model_b"], method="beta", cv=None)
    # betacal 1.1.0, BetaCalibration("abm"), whose third parameter is m with c = b ln(1 - m) - a ln m;
    # it stops a little before the maximum
    a, b, m = 0.2785750936785775, 1.0151247983299385, 0.948863669713174
    assert [fit.parameters[k] for k in "abc"] == pytest.approx([a, b, b * math.log(1 - m) - a * math.log(m)], abs=2e-3)


@given(st.integers(0, 2**32 - 1), st.sampled_from(FITTED), st.booleans())
def test_maps_rise_stay_inside_and_survive_json(seed, method, weighted):
    y, p = drawn(40, seed)
    rows = {"weight": np.random.default_rng(seed).random(40) + 0.1} if weighted else {}
    fit = cw.recalibrate(y, p, method=method, rng=0, cv=2, **rows)
    mapped = fit.apply(GRID)
    assert mapped.min() >= 0
    assert mapped.max() <= 1
    assert (np.diff(mapped) >= -1e-15).all()
    again = cw.Recalibration.from_json(fit.to_json())
    assert again == fit
    assert again.apply(GRID).tolist() == mapped.tolist()
    if method in ("platt", "temperature"):
        assert mapped[[0, -1]].tolist() == [0, 1]


@pytest.mark.parametrize("method", FITTED)
def test_a_sweep_and_whole_weights_give_the_same_map(method):
    y, p = drawn(300)
    weight = np.random.default_rng(1).integers(1, 4, 300)
    rows = cw.recalibrate(y.repeat(weight), p.repeat(weight), method=method, rng=0)
    assert cw.recalibrate(y, p, weight=weight, weight_kind="count", method=method, rng=0) == rows
    assert cw.recalibrate(cw.sweep(y, p, weight=weight, weight_kind="count"), method=method, rng=0) == rows


@pytest.mark.parametrize("method", FITTED)
def test_cross_validation_by_rows(method):
    """Deal rows as the folds do, fit and judge with rows alone, and find the same losses."""
    y, p = drawn(200)
    fit = cw.recalibrate(y, p, method=method, rng=7, cv=4)
    rng, fold = np.random.default_rng(7), np.empty(len(y), dtype=int)
    for label in (True, False):
        here = np.flatnonzero(y == label)
        here = here[np.argsort(-p[here], kind="stable")]  # as in the sweep
        fold[here] = rng.permutation(len(here)) % 4
    out = np.empty(len(y))
    for k in range(4):
        out[fold == k] = cw.recalibrate(y[fold != k], p[fold != k], method=method, cv=None).apply(p[fold == k])
    assert fit.after["brier_loss"] == pytest.approx(np.mean((out - y) ** 2))
    assert fit.before == pytest.approx({"brier_loss": np.mean((p - y) ** 2), "log_loss": log_loss(y, p)})
    own = fit.apply(p)
    assert fit.apparent["brier_loss"] == pytest.approx(np.mean((own - y) ** 2))
    if math.isfinite(fit.after["log_loss"]):
        assert fit.after["log_loss"] == pytest.approx(log_loss(y, out))
    else:
        assert np.any(np.where(y, out, 1 - out) == 0)
        assert any("infinite log loss" in str(note) for note in fit.notes)


@pytest.mark.parametrize("most", [10**7, 10])
def test_folds_share_out_every_row_once(most, monkeypatch):
    monkeypatch.setattr(dealing, "MOST_DEALT", most)
    y, p = drawn(503)
    sweep = cw.sweep(y, p)
    parts = list(folds(sweep, None, 5, np.random.default_rng(0)))
    assert sum(test for _, test in parts) == sweep
    for train, test in parts:
        assert train + test == sweep
        if most > 10:
            assert abs(test.positives - sweep.positives / 5) < 1
            assert abs(test.negatives - sweep.negatives / 5) < 1


def test_fractional_weights_are_dealt_by_rows():
    y, p = drawn(200)
    weight = np.random.default_rng(1).random(200) + 0.1
    fit = cw.recalibrate(y, p, weight=weight, method="platt", rng=0)
    assert fit.after["brier_loss"] < fit.before["brier_loss"]
    same = cw.recalibrate(y, p, weight=weight * 4, method="platt", rng=0)
    assert same.after == pytest.approx(fit.after)
    lost = cw.recalibrate(cw.sweep(y, p, weight=weight), method="platt")
    assert lost.after is None
    assert "does not keep the rows" in str(lost.notes[0])
    assert lost.parameters == pytest.approx(fit.parameters)


def test_a_recalibrated_model_is_better_on_new_rows():
    fit = cw.recalibrate(*drawn(2000, 1, 6), method="platt", rng=0)
    y, p = drawn(20_000, 2, 6)
    assert fit.after["log_loss"] < fit.before["log_loss"] - 0.05
    assert fit.after["log_loss"] == pytest.approx(log_loss(y, fit.apply(p)), abs=0.03)
    assert fit.after["log_loss"] >= fit.apparent["log_loss"]


def test_the_seed_decides():
    y, p = drawn()
    assert cw.recalibrate(y, p, method="beta", rng=3) == cw.recalibrate(y, p, method="beta", rng=3)
    one, other = (cw.recalibrate(y, p, method="beta", rng=k) for k in (3, 4))
    assert one.parameters == other.parameters
    assert one.after != other.after


def test_prior_shift_is_bayes_rule():
    # P(x | class) fixed at three values of x; the posterior at each prevalence follows by hand
    positive, negative = np.array([0.2, 0.3, 0.5]), np.array([0.6, 0.3, 0.1])
    old = 0.25 * positive / (0.25 * positive + 0.75 * negative)
    counts = cw.Sweep.from_counts(old, np.array([20, 30, 50]), np.array([180, 90, 30]))
    fit = cw.recalibrate(counts, method="prior", prevalence=0.02)
    wanted = 0.02 * positive / (0.02 * positive + 0.98 * negative)
    assert fit.apply(old) == pytest.approx(wanted)
    assert fit.apply([0, 1]).tolist() == [0, 1]
    assert fit.apparent["log_loss"] < fit.before["log_loss"]
    there = counts.at_prevalence(0.02)
    assert fit.before["brier_loss"] == pytest.approx(cw.brier_loss(there))


def test_prevalence_is_estimated_as_em_does():
    rng = np.random.default_rng(4)
    y = rng.random(20_000) < 0.3
    x = rng.normal(1.5 * y)
    p = 1 / (1 + (0.7 / 0.3) * np.exp(1.5**2 / 2 - 1.5 * x))  # the true posterior at 0.3
    there = rng.random(20_000) < 0.05
    seen = rng.normal(1.5 * there)
    new = 1 / (1 + (0.7 / 0.3) * np.exp(1.5**2 / 2 - 1.5 * seen))
    share = 0.3
    for _ in range(3000):  # Saerens, Latinne and Decaestecker (2002), as they write it
        up, down = share / 0.3 * new, (1 - share) / 0.7 * (1 - new)
        share = float(np.mean(up / (up + down)))
    found, steps = estimated_prevalence(new, 0.3)
    assert found == pytest.approx(share, abs=1e-8)
    assert steps < 100
    assert found == pytest.approx(0.05, abs=0.01)
    fit = cw.recalibrate(y, p, method="prior", prevalence="estimate", new=new)
    assert fit.parameters["to"] == pytest.approx(0.05, abs=0.01)
    assert "20,000 unlabelled rows" in str(fit.notes[0])
    assert cw.calibration(there, fit.apply(new)).in_the_large.value == pytest.approx(0, abs=0.2)
    with pytest.raises(cw.UndefinedMetricError, match="estimated prevalence is 0"):
        cw.recalibrate(y, p, method="prior", prevalence="estimate", new=[0.001, 0.002])
    with pytest.raises(cw.UndefinedMetricError, match="estimated prevalence is 1"):
        cw.recalibrate(y, p, method="prior", prevalence="estimate", new=[0.99, 0.98])


def test_certain_rows():
    y, p = drawn(200)
    fit = cw.recalibrate(np.append(y, [True, False]), np.append(p, [1.0, 0.0]), method="platt", cv=None)
    assert fit.parameters == cw.recalibrate(y, p, method="platt", cv=None).parameters
    assert "2 rows of p = 0 or p = 1 are unchanged" in str(fit.notes[0])
    for method in ("platt", "beta", "temperature"):
        with pytest.raises(cw.UndefinedMetricError, match="turned out otherwise"):
            cw.recalibrate(np.append(y, True), np.append(p, 0.0), method=method)
    assert cw.recalibrate(np.append(y, True), np.append(p, 0.0), rng=0).apply([0.0])[0] >= 0


@pytest.mark.parametrize(
    ("method", "p", "words"),
    [
        ("platt", [0.1, 0.2, 0.8, 0.9], "separate the classes perfectly"),
        ("beta", [0.1, 0.2, 0.8, 0.9], "separate the classes perfectly"),
        ("temperature", [0.1, 0.2, 0.8, 0.9], "the colder, the better"),
        ("temperature", [0.9, 0.8, 0.2, 0.1], "no temperature turns them round"),
    ],
)
def test_maps_without_an_answer(method, p, words):
    with pytest.raises(cw.UndefinedMetricError, match=words):
        cw.recalibrate([0, 0, 1, 1], p, method=method)


def test_a_part_without_a_map_is_told():
    # the one overlapping row is needed by every fit
    y = [0] * 6 + [1] * 5 + [1]
    p = [0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.6, 0.65, 0.7, 0.75, 0.8, 0.35]
    fit = cw.recalibrate(y, p, method="platt", rng=0, cv=3)
    assert fit.after is None
    assert "not cross-validated: no map for a part" in str(fit.notes[-1])
    assert "after" not in str(fit.table).split("flattering")[0].replace("after, on the rows fitted on", "")


def test_few_rows_are_told():
    y, p = drawn(100)
    keep = np.concatenate([np.flatnonzero(~y), np.flatnonzero(y)[:3]])
    fit = cw.recalibrate(y[keep], p[keep], rng=0)
    assert "only 3 independent rows of a class for 5 parts" in str(fit.notes[0])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "magic"}, "method: expected one of"),
        ({"cv": 1}, "cv: expected a whole number of at least 2"),
        ({"method": "prior"}, "needs a share of positives"),
        ({"method": "prior", "prevalence": 0}, "strictly between 0 and 1"),
        ({"method": "prior", "prevalence": "guess"}, "prevalence: expected"),
        ({"method": "prior", "prevalence": "estimate"}, "new: prevalence='estimate' needs"),
        ({"method": "prior", "prevalence": 0.1, "new": [0.1]}, "new: only"),
        ({"method": "platt", "prevalence": 0.1}, "only method='prior'"),
    ],
)
def test_options_are_checked(options, words):
    y, p = drawn(50)
    with pytest.raises(cw.CurvewiseError, match=words):
        cw.recalibrate(y, p, **options)


def test_input_is_checked_when_fitting_and_when_applying():
    y, p = drawn(50)
    with pytest.raises(cw.UndefinedMetricError, match="0 of 2 rows are positive"):
        cw.recalibrate([0, 0], [0.1, 0.2])
    fit = cw.recalibrate(y, p, method="platt", cv=None)
    with pytest.raises(cw.CurvewiseError, match=r"2 other values \(rows 0, 2\), the first -2.0; they look like logits"):
        fit.apply([-2.0, 0.5, 3.0])
    with pytest.raises(cw.CurvewiseError, match="1 missing value"):
        fit.apply([0.1, float("nan")])
    with pytest.warns(cw.CurvewiseWarning, match="clipped"):
        assert fit.apply([1 + 1e-9])[0] == 1
    assert fit.apply(np.float32([0.5])).dtype == np.float64


def test_printed():
    y, p = drawn()
    fit = cw.recalibrate(y, p, method="beta", rng=0)
    text = str(fit)
    for words in (
        "Recalibration by beta (a ",
        "before",
        "on rows not fitted on (5 folds)",
        "flattering",
        "brier",
    ):
        assert words in text
    assert "<table>" in fit._repr_html_()
    moved = cw.recalibrate(y, p, method="prior", prevalence=0.1)
    assert "before, at prevalence 0.1" in str(moved)
    assert cw.recalibrate(y, p, cv=None).after is None


def written(**changes):
    y, p = drawn(100)
    data = json.loads(cw.recalibrate(y, p, method=changes.pop("of", "platt"), rng=0).to_json())
    return json.dumps({k: v for k, v in {**data, **changes}.items() if v != "gone"})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not JSON"),
        ("[" * 100_000, "nested too deeply|not JSON"),
        (b"\xff\xfe\x00", "not JSON"),
        ('{"schema": "curvewise.recalibration", "version": 1, "n": NaN}', "NaN is no number"),
        ("[]", "schema 'curvewise.recalibration'"),
        (written(schema="curvewise.sweep"), "schema 'curvewise.recalibration'"),
        (written(version=2), "a newer curvewise"),
        (written(version=True), "a newer curvewise"),
        (written(method="gone"), "not whole"),
        (written(method="__import__"), "method: expected one of"),
        (written(method="beta"), "expected a, b, c for a beta map"),
        (written(parameters={"slope": -1, "intercept": 0}), "slope: expected"),
        (written(parameters={"slope": 1e400, "intercept": 0}), "not JSON|slope: expected"),
        (written(parameters={"slope": "1", "intercept": 0}), "slope: expected"),
        (written(parameters={"slope": 1, "intercept": 0, "more": 1}), "expected intercept, slope"),
        (written(of="temperature", parameters={"temperature": 0}), "above 0"),
        (written(method="prior", parameters={"from": 0.1, "to": 1}), "strictly between"),
        (
            written(of="isotonic", parameters={k: [] for k in STEPS}),
            "a list",
        ),
        (
            written(
                of="isotonic",
                parameters={
                    "low": [0, 0.5],
                    "high": [0.4, 1],
                    "n": [1, 1],
                    "positives": [0, 1],
                    "value": [1, 0],
                },
            ),
            "do not rise",
        ),
        (
            written(
                of="isotonic",
                parameters={
                    "low": [0, 0.3],
                    "high": [0.4, 1],
                    "n": [1, 1],
                    "positives": [0, 1],
                    "value": [0, 1],
                },
            ),
            "do not rise",
        ),
        (
            written(
                of="isotonic",
                parameters={"low": [0], "high": [1], "n": [1], "positives": [1], "value": [1.5]},
            ),
            "value: expected a number from 0 to 1",
        ),
        (
            written(
                of="isotonic",
                parameters={"low": [0], "high": [1], "n": [1], "positives": [1], "value": [0.5, 1]},
            ),
            "one length",
        ),
        (written(before={"brier_loss": 1}), "before: expected brier_loss and log_loss"),
        (written(notes=["x"]), "notes with code and values"),
        (written(notes=[{"code": "x", "values": {}}]), "there is no note"),
        (written(notes=[{"code": "undefined", "values": {"why": "x" * 201}}]), "at most 200 characters"),
        (written(notes=[{"code": "undefined", "values": {"why": [1]}}]), "expected text"),
        (written(score=3), "score: expected text"),
        (written(positives=1000), "positives: expected"),
        (3, "Expected the text of a map"),
    ],
)
def test_hostile_and_old_files_are_refused(text, words):
    with pytest.raises(cw.CurvewiseError, match=words):
        cw.Recalibration.from_json(text)


def test_json_holds_only_numbers_and_text():
    y, p = drawn(400, decimals=6)
    fit = cw.recalibrate(y, p, rng=0)
    assert fit.after["log_loss"] == math.inf  # JSON has no infinity of its own
    assert cw.Recalibration.from_json(fit.to_json().encode()) == fit
    assert json.loads(fit.to_json())["after"]["log_loss"] == "inf"


def test_one_false_alarm_is_enough_for_a_temperature():
    """Nothing is positive below 0.5, and one negative lies above: Σ (y - 1/(1 + exp(-x/T)))·x is 0 at the answer."""
    y, p = np.array([0, 0, 1, 0, 1, 1]), np.array([0.1, 0.3, 0.7, 0.7, 0.8, 0.9])
    temperature = cw.recalibrate(y, p, method="temperature", cv=None).parameters["temperature"]
    x = odds(p)
    assert np.sum((y - 1 / (1 + np.exp(-x / temperature))) * x) == pytest.approx(0, abs=1e-9)


def test_the_estimated_prevalence_says_how_often_it_halved():
    """Half of the rows say 0.2, half 0.8, at a prevalence of 0.5: it stays, and is known to 1 in 2^steps."""
    share, steps = estimated_prevalence(np.array([0.2, 0.8]), 0.5)
    assert share == pytest.approx(0.5)
    assert 10 < steps < 200
