"""Rows that were never verified: a published example, formulas by hand, and designs in which nothing is known."""

import math
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

import curvewise as cw
from curvewise.decisions.verification_cells import Decided, VerificationCells

# Drum & Christacopoulos (1972), hepatic scintigraphy, as in Begg & Greenes (1983) Biometrics 39:207-215
TEST = [1] * 429 + [0] * 221
DISEASE = [1] * 231 + [0] * 32 + [None] * 166 + [1] * 27 + [0] * 54 + [None] * 140


def simulated(n=400, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < 0.3
    stratum = rng.choice(["a", "b"], n)
    score = np.round(rng.normal(1.2 * truth, size=n), 1)
    seen = rng.random(n) < np.where(score >= 0.5, 0.9, 0.3) * np.where(stratum == "a", 1.0, 0.6)
    return np.where(seen, truth.astype(float), np.nan), score, stratum


def test_hepatic_scintigraphy():
    found = cw.verification_corrected(DISEASE, TEST)
    corrected = {name: round(e.value, 3) for name, e in found.corrected.items()}
    assert (corrected["sensitivity"], corrected["specificity"]) == (0.836, 0.738)
    naive = {name: round(e.value, 3) for name, e in found.naive.items()}
    assert (naive["sensitivity"], naive["specificity"]) == (0.895, 0.628)
    assert (found.verified, found.total, found.threshold) == (344, 650, 1.0)
    assert corrected["ppv"] == naive["ppv"]
    assert "344 of 650 rows verified" in str(found)
    assert "rows with the same decision" in str(found)


def test_the_variance_on_the_logit_scale_is_begg_and_greenes():
    # Zhou (1993), eq. for no covariate: 1/(n p q) + (1 - d1)/(d1 v1) + (1 - d0)/(d0 v0)
    found = cw.verification_corrected(DISEASE, TEST, method="logit")
    p, d1, d0 = 429 / 650, 231 / 263, 27 / 81
    variance = 1 / (650 * p * (1 - p)) + (1 - d1) / (d1 * 263) + (1 - d0) / (d0 * 81)
    e = found.corrected["sensitivity"]
    logit = math.log(e.value / (1 - e.value))
    ends = [1 / (1 + math.exp(-(logit + s * 1.959963985 * math.sqrt(variance)))) for s in (-1, 1)]
    assert (e.low, e.high) == pytest.approx(ends)
    assert e.standard_error == pytest.approx(math.sqrt(variance) * e.value * (1 - e.value))
    mover = cw.verification_corrected(DISEASE, TEST).corrected["sensitivity"]
    assert (mover.low, mover.high) == pytest.approx(ends, abs=0.005)
    assert mover.standard_error == e.standard_error


def test_where_all_are_verified_nothing_is_corrected():
    y, score, _ = simulated()
    truth = np.where(np.isnan(y), 0, y)
    found = cw.verification_corrected(truth, score, 0.5)
    for name, e in found.naive.items():
        assert found.corrected[name].value == pytest.approx(e.value)
        assert (found.corrected[name].low, found.corrected[name].high) == pytest.approx((e.low, e.high), abs=0.012)
    assert found.corrected["ppv"].low == pytest.approx(found.naive["ppv"].low)
    auc = cw.interval("roc_auc", truth, score)
    assert found.corrected["roc_auc"].standard_error == pytest.approx(auc.standard_error, rel=0.01)
    assert np.all(found.rows.weight == 1)
    assert "nothing to correct" in str(found)


def test_the_weighted_rows_give_the_same_numbers_in_every_verb():
    y, score, stratum = simulated()
    found = cw.verification_corrected(y, score, 0.5, covariate=stratum)
    for name in ("sensitivity", "specificity", "ppv", "npv"):
        assert found.corrected[name].value == pytest.approx(cw.score(name, found.rows, threshold=0.5))
    weight, positive = found.rows.weight, found.rows.positive
    assert found.corrected["prevalence"].value == pytest.approx(weight[positive].sum() / weight.sum())
    assert found.corrected["roc_auc"].value == pytest.approx(cw.roc_auc(found.rows))
    assert found.rows.weight.sum() == pytest.approx(len(y))
    assert found.rows.models == ["score"]


def test_strata_are_filled_in_cell_by_cell():
    y, score, stratum = simulated()
    hit = missed = 0.0
    for name in "ab":
        for flagged in (True, False):
            here = ((score >= 0.5) == flagged) & (stratum == name)
            share = here.sum() * np.nanmean(y[here])
            hit, missed = hit + share * flagged, missed + share * (not flagged)
    found = cw.verification_corrected(y, score, 0.5, covariate=stratum)
    assert found.corrected["sensitivity"].value == pytest.approx(hit / (hit + missed))
    assert "same decision and covariate" in str(found)


def test_the_variance_with_strata_is_that_of_resampled_rows():
    y, score, stratum = simulated(2000)
    found = cw.verification_corrected(y, score, 0.5, covariate=stratum)
    rng, drawn = np.random.default_rng(1), []
    for _ in range(200):
        k = rng.integers(0, len(y), len(y))
        one = cw.verification_corrected(y[k], score[k], 0.5, covariate=stratum[k]).corrected
        drawn.append([one[name].value for name in found.corrected])
    errors = [e.standard_error for e in found.corrected.values()]
    assert errors == pytest.approx(np.std(drawn, axis=0), rel=0.15)


def test_ratings_have_the_auc_of_counts_filled_in():
    # Gray, Begg & Greenes (1984): every rating has its own share of positives
    rating = np.repeat([1, 2, 3, 4], [100, 60, 40, 50])
    y = [1] * 2 + [0] * 18 + [None] * 80 + [1] * 6 + [0] * 14 + [None] * 40
    y += [1] * 15 + [0] * 15 + [None] * 10 + [1] * 45 + [0] * 5
    positives = np.array([10, 18, 20, 45])
    found = cw.verification_corrected(y, rating)
    wanted = cw.roc_auc(cw.Sweep.from_counts([1, 2, 3, 4], positives, [100, 60, 40, 50] - positives))
    assert found.corrected["roc_auc"].value == pytest.approx(wanted)
    assert list(found.corrected) == ["prevalence", "roc_auc"]
    assert found.corrected["prevalence"].value == pytest.approx(93 / 250)
    assert "same score" in str(found)
    assert "1 of 4 cells have fewer than 5 verified positives" in str(found)


def test_no_false_negative_seen_is_no_proof_of_none():
    y = [1] * 30 + [0] * 20 + [0] * 15 + [None] * 85
    test = [1] * 50 + [0] * 100
    found = cw.verification_corrected(y, test)
    e = found.corrected["sensitivity"]
    assert (e.value, e.high) == (1.0, 1.0)
    assert e.low < 0.7  # 15 verified negatives without a positive leave up to 20% of 100
    logit = cw.verification_corrected(y, test, method="logit").corrected["sensitivity"]
    assert not logit.has_interval
    assert logit.reason.code == "rate_at_end"
    score = np.r_[np.arange(50) + 60, np.arange(100) / 2]
    separated = np.where(np.array(y, float) == 1, score + 200, score)
    auc = cw.verification_corrected(y, separated, 60).corrected["roc_auc"]
    assert auc.value == 1
    assert auc.low < 0.85


def test_weights_clusters_and_options_of_rows():
    y, score, stratum = simulated()
    plain = cw.verification_corrected(y, score, 0.5, covariate=stratum).corrected
    times = np.where(np.arange(len(y)) % 2, 1, 2)
    counted = cw.verification_corrected(y, score, 0.5, covariate=stratum, weight=times, weight_kind="count").corrected
    y2, score2, stratum2 = (np.repeat(v, times) for v in (y, score, stratum))
    repeated = cw.verification_corrected(y2, score2, 0.5, covariate=stratum2).corrected
    scaled = cw.verification_corrected(y, score, 0.5, covariate=stratum, weight=np.full(len(y), 0.3)).corrected
    alone = cw.verification_corrected(y, score, 0.5, covariate=stratum, cluster=np.arange(len(y))).corrected
    turned = cw.verification_corrected(y, -score, -0.5, covariate=stratum, higher_is="negative").corrected
    for name, e in plain.items():
        ends = (e.value, e.low, e.high)
        r = repeated[name]
        assert (counted[name].value, counted[name].standard_error) == pytest.approx((r.value, r.standard_error))
        assert (scaled[name].value, scaled[name].low, scaled[name].high) == pytest.approx(ends)
        assert (turned[name].value, turned[name].low, turned[name].high) == pytest.approx(ends)
        assert (alone[name].value, alone[name].low, alone[name].high) == pytest.approx(ends, abs=0.01)
    twice = [np.repeat(v, 2) for v in (y, score, stratum)]
    cluster = np.repeat(np.arange(len(y)), 2)
    doubled = cw.verification_corrected(twice[0], twice[1], 0.5, covariate=twice[2], cluster=cluster).corrected
    for name, e in alone.items():
        assert (doubled[name].low, doubled[name].high) == pytest.approx((e.low, e.high), abs=0.002)


def test_labels_may_be_missing_in_every_way():
    named = [{1: "ill", 0: "well", None: None}[v] for v in DISEASE]
    wanted = cw.verification_corrected(DISEASE, TEST).table
    assert cw.verification_corrected(named, TEST, positive="ill").table == wanted
    assert cw.verification_corrected(pl.Series(DISEASE), pl.Series(TEST)).table == wanted
    masked = np.ma.masked_array([v or 0 for v in DISEASE], [v is None for v in DISEASE])
    assert cw.verification_corrected(masked, TEST).table == wanted
    lost = [float(v) for v in TEST]
    lost[0] = math.nan
    with pytest.raises(cw.CurvewiseError, match="score has 1 missing value"):
        cw.verification_corrected(DISEASE, lost)
    assert cw.verification_corrected(DISEASE, lost, missing="drop").total == 649


def test_bins_of_the_score():
    y, score, _ = simulated()
    found = cw.verification_corrected(y, score, 0.5, bins=4)
    assert "same decision and bin of the score" in str(found)
    assert len(np.unique(found.rows.weight)) > 2
    ranked = cw.verification_corrected(y, score, bins=5)
    assert list(ranked.corrected) == ["prevalence", "roc_auc"]
    assert ranked.threshold is None


def test_what_says_nothing_is_refused():
    y, score, stratum = simulated()
    with pytest.raises(cw.UndefinedMetricError, match="no row is verified"):
        cw.verification_corrected([None] * 5, [1, 2, 3, 4, 5], 2)
    with pytest.raises(cw.UndefinedMetricError, match="no row is flagged"):
        cw.verification_corrected(y, score, 99)
    with pytest.raises(cw.UndefinedMetricError, match=r"None of .* rows with decision=negative is verified"):
        cw.verification_corrected(np.where(score >= 0.5, 1.0, np.nan), score, 0.5)
    with pytest.raises(
        cw.UndefinedMetricError, match=r"None of .* rows with decision=negative, covariate=b .*fewer bins"
    ):
        cw.verification_corrected(np.where((score < 0.5) & (stratum == "b"), np.nan, y), score, 0.5, covariate=stratum)
    with pytest.raises(cw.OptionError, match="bins: say how verification depended"):
        cw.verification_corrected(y, score)
    with pytest.raises(cw.CurvewiseError, match="no unverified rows left"):
        cw.verification_corrected(cw.read_rows([0, 1], [1, 2]), None)
    with pytest.raises(cw.CurvewiseError, match="must be equally long"):
        cw.verification_corrected([0, 1, None], [1, 2])
    with pytest.raises(cw.UnknownOptionError, match="did you mean 'level'"):
        cw.verification_corrected(y, score, 0.5, confidence_level=0.9)
    one_class = cw.verification_corrected(np.where(np.isnan(y), np.nan, 0.0), score, 0.5).corrected
    assert not one_class["sensitivity"].is_defined
    assert not one_class["roc_auc"].is_defined
    assert one_class["specificity"].value < 1
    assert "only 0 verified positives" in str(cw.verification_corrected(np.where(np.isnan(y), np.nan, 0), score, 0.5))


def test_strata_of_a_survey_are_refused():
    y, score, name = simulated()
    with pytest.raises(cw.CurvewiseError, match=r"stratum: .*covariate="):
        cw.verification_corrected(y, score, 0.5, stratum=name)


def test_the_variance_between_clusters_by_hand():
    """Sums of 3, 2 and -2: their squares times 3/2."""
    rows = SimpleNamespace(cluster=np.array([0, 0, 1, 1, 2]))
    found = VerificationCells.variance(SimpleNamespace(rows=rows), np.array([1.0, 2.0, 3.0, -1.0, -2.0]))
    assert found == pytest.approx((9 + 4 + 4) * 3 / 2)


def test_errors_of_the_odds_and_of_both_shares_add_up_row_by_row():
    """Rows add 0.1 + 0.2/0.5 - 0.05/0.25 = 0.3 and 0.1/0.5 + 0.05/0.25 = 0.4 to the logit."""
    cells = SimpleNamespace(variance=lambda away: float(away @ away))
    above, below = (0.5, (0, 1), np.array([0.2, 0.1])), (0.25, (0, 1), np.array([0.05, -0.05]))
    assert Decided(cells, 0.3, np.array([0.1, 0.0]), above, below).logit_error() == pytest.approx(0.5)


def test_prevalence_reaches_as_far_as_the_predictive_values_do():
    """15 verified negatives without a positive leave up to 20% of 100, whatever the variance of what was seen."""
    y = [1] * 30 + [0] * 20 + [0] * 15 + [None] * 85
    found = cw.verification_corrected(y, [1] * 50 + [0] * 100).corrected
    missed = 100 * (1 - found["npv"].low)
    assert found["prevalence"].high == pytest.approx((30 + missed) / 150, abs=0.02)
    assert found["prevalence"].method == "mover"
    whole = cw.verification_corrected([1, 0, 0, 1, 1, 0, 0], [1, 1, 0, 1, 0, 0, 0])  # nothing to correct
    ends = [(some["prevalence"].low, some["prevalence"].high) for some in (whole.corrected, whole.naive)]
    assert ends[0] == pytest.approx(ends[1])
