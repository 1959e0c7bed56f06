"""Reader studies: published analyses of one dataset, designs that degenerate, and input that is not crossed.

``reference/vandyke114.csv``: Van Dyke et al. (1993), 114 cases (45 with a dissection of the aorta), five radiologists,
spin-echo and cine MRI, ratings from 1 to 5; as dataset02 of RJafroc (tests/testthat/goodValues361/DfSaveDataFile).
"""

import csv
import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import curvewise as cw

FILE = Path(__file__).parents[1] / "reference" / "vandyke114.csv"
SPREAD = 5e-8  # the programs print eight digits


@cache
def van_dyke():
    with FILE.open() as file:
        rows = list(csv.DictReader(file))
    y = np.array([int(row["truth"]) for row in rows])
    scores = {
        m: {str(r): np.array([int(row[f"{m}_{r}"]) for row in rows]) for r in range(1, 6)}
        for m in ("spin_echo", "cine")
    }
    return y, scores


def long(y, scores):
    rows = [(y[c], s[c], r, m, c) for m, own in scores.items() for r, s in own.items() for c in range(len(y))]
    names = ("y", "score", "reader", "modality", "case")
    return {name: [row[k] for row in rows] for k, name in enumerate(names)}


def test_random_readers_and_cases_as_MRMCaov_prints_them():
    # MRMCaov 0.1.5 (R), README: summary(mrmc(empirical_auc(truth, rating), treatment, reader, case, VanDyke))
    study = cw.reader_study(*van_dyke(), method="jackknife")
    assert study.components == pytest.approx(
        {
            "reader": 0.0015349993,
            "reader_by_modality": 0.0002004025,
            "error": 0.0008022883,
            "cov1": 0.0003466137,
            "cov2": 0.0003440748,
            "cov3": 0.0002390284,
        },
        abs=SPREAD,
    )
    assert [n.code for n in study.notes] == ["modalities_equal", "reader_study_random_cases"]
    assert study.statistic == pytest.approx(4.456319, abs=1e-6)
    assert study.degrees_of_freedom == pytest.approx((1, 15.25967), abs=1e-5)
    assert study.p_value == pytest.approx(0.05166569, abs=SPREAD)
    gap = study.difference
    assert (gap.value, gap.standard_error) == pytest.approx((-0.04380032, 0.02074862), abs=SPREAD)
    assert (gap.low, gap.high) == pytest.approx((-0.0879594986, 0.0003588544), abs=SPREAD)
    assert [e.value for e in study.means.values()] == pytest.approx([0.8970370, 0.9408374], abs=SPREAD)
    assert [e.standard_error for e in study.means.values()] == pytest.approx([0.03317360, 0.02156637], abs=SPREAD)


def test_fixed_readers_and_fixed_cases_as_JAFROC_prints_them():
    # JAFROC 4.2.1 (Windows), RJafroc inst/JAFROC/VanDykeROC.txt, analyses 2 and 3
    fixed = cw.reader_study(*van_dyke(), method="jackknife", readers="fixed")
    assert fixed.statistic == pytest.approx(5.48, abs=0.005)
    assert fixed.difference.standard_error == pytest.approx(0.01872, abs=5e-6)
    assert [e.standard_error for e in fixed.means.values()] == pytest.approx([0.02428969, 0.01677630], abs=5e-8)
    cases = cw.reader_study(*van_dyke(), cases="fixed")
    assert (cases.statistic, cases.p_value) == pytest.approx((8.70, 0.0420), abs=0.005)
    assert cases.degrees_of_freedom == (1, 4)
    assert (cases.difference.low, cases.difference.high) == pytest.approx((-0.08502, -0.00258), abs=5e-6)
    assert [e.standard_error for e in cases.means.values()] == pytest.approx([0.02482994, 0.01615303], abs=5e-8)


def test_each_reader_is_what_interval_gives():
    y, scores = van_dyke()
    study = cw.reader_study(y, scores)
    for modality, own in scores.items():
        for reader, score in own.items():
            assert study.by_reader[modality][reader] == cw.interval("roc_auc", y, score)


def test_one_fixed_reader_is_a_comparison_of_two_models():
    y, scores = van_dyke()
    one = cw.reader_study(y, {m: {"1": own["1"]} for m, own in scores.items()}, readers="fixed")
    models = cw.compare(y, {m: own["1"] for m, own in scores.items()}, method="delong-wald")
    assert one.p_value == pytest.approx(models.p_value)
    assert (one.difference.low, one.difference.high) == pytest.approx((models.difference.low, models.difference.high))
    assert math.isnan(one.components["cov2"])


def test_long_columns_in_any_order_give_the_same():
    y, scores = van_dyke()
    columns = long(y, scores)
    order = np.random.default_rng(0).permutation(len(columns["y"]))
    shuffled = {name: [column[k] for k in order] for name, column in columns.items()}
    found = cw.reader_study(shuffled.pop("y"), shuffled.pop("score"), **shuffled)
    wanted = cw.reader_study(y, {m: scores[m] for m in sorted(scores)})
    assert found.table == wanted.table
    assert found.components == wanted.components


def test_p_and_interval_agree():
    y, scores = van_dyke()
    for how in ({}, {"readers": "fixed"}, {"cases": "fixed"}):
        study = cw.reader_study(y, scores, **how)
        edge = cw.reader_study(y, scores, **how, level=1 - study.p_value)
        assert edge.difference.high == pytest.approx(0, abs=1e-12)


def test_another_metric_by_jackknife_and_a_margin():
    y, scores = van_dyke()
    found = cw.reader_study(y, scores, metric="sensitivity", threshold=4, margin=0.01)
    assert found.method == "jackknife"
    mean = np.mean([s[y == 1] >= 4 for s in scores["cine"].values()])
    assert found.means["cine"].value == pytest.approx(mean)
    assert found.pairs[0].p_non_inferior > 0.5  # spin echo is the first, and worse
    loss = cw.reader_study(y, scores, metric="fnr", threshold=4, margin=0.01)
    assert loss.pairs[0].p_non_inferior == pytest.approx(found.pairs[0].p_non_inferior)
    assert loss.p_value == pytest.approx(found.p_value)


def test_a_rate_by_jackknife_has_the_variance_of_its_mean():
    # the jackknife of a mean is exact: s²/n over the positives, up to how often a negative is left out
    y, scores = van_dyke()
    found = cw.reader_study(y, {"cine": {"1": scores["cine"]["1"]}}, metric="recall", threshold=5, readers="fixed")
    hits = scores["cine"]["1"][y == 1] >= 5
    n, all_cases = len(hits), len(y)
    exact = hits.var(ddof=1) / n * (all_cases - 1) / all_cases * n / (n - 1)
    assert found.components["error"] == pytest.approx(exact)


def test_clusters_of_one_case_and_weights_that_count():
    y, scores = van_dyke()
    plain = cw.reader_study(y, scores)
    clustered = cw.reader_study(y, scores, cluster=np.arange(len(y)))
    assert clustered.difference.value == plain.difference.value
    assert clustered.difference.standard_error == pytest.approx(plain.difference.standard_error, rel=0.02)
    times = np.where(np.arange(len(y)) % 3 == 0, 2, 1)
    repeated = {m: {r: np.repeat(s, times) for r, s in own.items()} for m, own in scores.items()}
    for method in ("delong", "jackknife"):
        counted = cw.reader_study(y, scores, weight=times, weight_kind="count", method=method)
        wanted = cw.reader_study(np.repeat(y, times), repeated, method=method)
        assert counted.p_value == pytest.approx(wanted.p_value, rel=1e-9)
    halves = cw.reader_study(y, scores, weight=np.full(len(y), 0.5))
    assert halves.p_value == pytest.approx(plain.p_value)


def test_three_modalities_have_pairs_and_one_test():
    y, scores = van_dyke()
    third = {r: s + scores["spin_echo"][r] for r, s in scores["cine"].items()}
    study = cw.reader_study(y, {**scores, "both": third})
    assert len(study.pairs) == 3
    assert study.degrees_of_freedom[0] == 2
    assert all(p.p_holm >= p.p_value for p in study.pairs)
    with pytest.raises(cw.CurvewiseError, match="3 modalities have 3 differences"):
        study.difference  # noqa: B018


def test_one_modality_has_a_mean_and_no_test():
    y, scores = van_dyke()
    columns = long(y, {"cine": scores["cine"]})
    study = cw.reader_study(columns["y"], columns["score"], reader=columns["reader"], case=columns["case"])
    both = cw.reader_study(y, scores)
    assert study.p_value is None
    assert study.pairs == ()
    assert study.means["all"].low == both.means["cine"].low
    # readers vary by more than the errors that they do not share
    areas = [cw.roc_auc(y, s) for s in scores["cine"].values()]
    errors = study.components["error"] - study.components["cov2"]
    assert study.components["reader"] == pytest.approx(np.var(areas, ddof=1) - errors)
    assert "p" not in study.table.columns
    table = study.component_table.columns
    assert table["component"] == ["error", "cov2", "reader"]
    assert table["correlation"] == [None, study.components["cov2"] / study.components["error"], None]


def test_equal_modalities_have_p_1_and_no_variance_no_interval():
    y, scores = van_dyke()
    same = cw.reader_study(y, {"a": scores["cine"], "b": scores["cine"]})
    assert (same.p_value, same.difference.value) == (1.0, 0.0)
    perfect = {"1": y, "2": 2 * y}
    flat = {"1": 0 * y, "2": 0 * y}
    apart = cw.reader_study(y, {"a": perfect, "b": flat})
    assert math.isnan(apart.p_value)
    assert not apart.difference.has_interval
    assert apart.difference.reason.code == "readers_do_not_vary"


def test_what_is_missing_is_said_and_can_be_left_out():
    y, scores = van_dyke()
    columns = long(y, scores)
    short = {name: [v for k, v in enumerate(column) if k not in (500, 501)] for name, column in columns.items()}
    said = "2 scores of 1 140 missing, the first of modality 'spin_echo', reader '5', case 44"
    with pytest.raises(cw.CurvewiseError, match=said):
        cw.reader_study(short["y"], short["score"], **{k: short[k] for k in ("reader", "modality", "case")})
    keep = np.setdiff1d(np.arange(len(y)), [44, 45])
    wanted = cw.reader_study(y[keep], {m: {r: s[keep] for r, s in scores[m].items()} for m in sorted(scores)})
    left = cw.reader_study(
        short["y"], short["score"], **{k: short[k] for k in ("reader", "modality", "case")}, missing="drop"
    )
    assert left.table.columns == wanted.table.columns
    assert "cases without all scores dropped: 2" in str(left)
    columns["score"] = [math.nan if k in (500, 501) else float(v) for k, v in enumerate(columns["score"])]
    names = {k: columns[k] for k in ("reader", "modality", "case")}
    with pytest.raises(cw.CurvewiseError, match="score has 2 missing values"):
        cw.reader_study(columns["y"], columns["score"], **names)
    assert cw.reader_study(columns["y"], columns["score"], **names, missing="drop").table == left.table


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"y": lambda v, k: 1 - v if k == 7 else v}, "same value in all rows of a case, got others in 1 case"),
        ({"case": lambda v, k: 6 if k == 7 else v}, "expected one score of each reader .* got 1 more"),
        (
            {"case": lambda v, k: 6 if k == 7 + 114 * 8 else v},
            r"got 1 more \(row 919\), the first of modality 'cine', reader '4', case 6",
        ),
        ({"reader": lambda v, k: k}, "every reader in every modality .* no case has them all"),
    ],
)
def test_a_design_that_is_not_crossed_is_refused(change, said):
    columns = long(*van_dyke())
    for name, function in change.items():
        columns[name] = [function(v, k) for k, v in enumerate(columns[name])]
    with pytest.raises(cw.CurvewiseError, match=said):
        cw.reader_study(columns.pop("y"), columns.pop("score"), **columns)


def test_options_that_do_not_fit_are_refused():
    y, scores = van_dyke()
    one = {m: {"1": own["1"]} for m, own in scores.items()}
    with pytest.raises(cw.OptionError, match="one reader is no sample"):
        cw.reader_study(y, one)
    with pytest.raises(cw.OptionError, match="nothing is uncertain"):
        cw.reader_study(y, scores, readers="fixed", cases="fixed")
    with pytest.raises(cw.OptionError, match="method: expected one of None, 'jackknife'"):
        cw.reader_study(y, scores, metric="ap", method="delong")
    with pytest.raises(cw.CurvewiseError, match="reader and case: say who"):
        cw.reader_study(y, scores["cine"]["1"])
    with pytest.raises(cw.CurvewiseError, match="a dict of scores says that itself"):
        cw.reader_study(y, scores, reader=y)
    with pytest.raises(cw.CurvewiseError, match="every reader must read every modality; 5 did not"):
        cw.reader_study(y, {**scores, "x": {r: s for r, s in scores["cine"].items() if r != "5"}})
    with pytest.raises(cw.CurvewiseError, match="got no readers in 'x'"):
        cw.reader_study(y, {"x": y})
    with pytest.raises(cw.UnknownOptionError, match="did you mean 'level'"):
        cw.reader_study(y, scores, confidence_level=0.9)
    with pytest.raises(cw.CurvewiseError, match="Rows do not say who"):
        cw.reader_study(cw.read_rows(y, scores["cine"]["1"]), None)
    with pytest.raises(cw.UndefinedMetricError, match="needs both classes"):
        cw.reader_study(np.ones(114), scores)
    with pytest.raises(cw.UndefinedMetricError, match="at least two rows of each class"):
        cw.reader_study(np.arange(114) == 0, scores)
    with pytest.raises(cw.UndefinedMetricError, match="Without one of the cases"):
        cw.reader_study(np.arange(114) == 0, scores, metric="ap")


def test_few_readers_and_few_cases_are_told():
    y, scores = van_dyke()
    two = {m: {r: own[r] for r in ("1", "2")} for m, own in scores.items()}
    assert "only 2 readers" in str(cw.reader_study(y, two))
    some = np.r_[0:20, 105:114]
    few = {m: {r: s[some] for r, s in own.items()} for m, own in scores.items()}
    assert "only 9 positives" in str(cw.reader_study(y[some], few))
    more = np.append(some, 104)
    enough = {m: {r: s[more] for r, s in own.items()} for m, own in scores.items()}
    assert y[more].sum() == 10
    assert "unreliable" not in str(cw.reader_study(y[more], enough))


@pytest.mark.parametrize("order", [("spin_echo", "cine"), ("cine", "spin_echo")])
@pytest.mark.parametrize("readers", ["random", "fixed"])
def test_a_margin_at_the_end_of_an_interval_leaves_half_of_the_error(order, readers):
    y, scores = van_dyke()
    scores = {name: scores[name] for name in order}
    gap = cw.reader_study(y, scores, readers=readers, level=0.9).difference
    margin = max(-gap.low, gap.high)
    pair = cw.reader_study(y, scores, readers=readers, margin=margin).pairs[0]
    assert pair.p_equivalent == pytest.approx(0.05)
    worse = order[0] == "spin_echo"  # the first is worse: by no more than the margin?
    assert pair.p_non_inferior == pytest.approx(0.05) if worse else pair.p_non_inferior < 0.01


def test_four_readers_are_not_few():
    y, scores = van_dyke()
    for number, told in ((3, True), (4, False)):
        some = {m: {r: s for r, s in own.items() if int(r) <= number} for m, own in scores.items()}
        assert ("few_readers" in [n.code for n in cw.reader_study(y, some).notes]) == told


def test_a_metric_without_a_better_end_takes_no_margin():
    y, scores = van_dyke()
    found = cw.reader_study(y, scores, metric="predicted_rate", threshold=4)
    assert found.difference.has_interval
    with pytest.raises(cw.CurvewiseError, match="predicted_rate has no better end"):
        cw.reader_study(y, scores, metric="predicted_rate", threshold=4, margin=0.1)


def test_rows_are_named_that_differ_from_the_first_of_their_case():
    """Three readers of two cases, rows 0 to 5: the second reader says otherwise of case a."""
    columns = {"reader": [1, 1, 2, 2, 3, 3], "case": ["a", "b"] * 3, "score": [1, 2, 3, 4, 5, 6]}
    with pytest.raises(cw.CurvewiseError, match=r"others in 1 case \(row 2\), the first 'a'"):
        cw.reader_study([1, 0, 0, 0, 1, 0], modality=["m"] * 6, **columns)


@pytest.mark.parametrize("level", [0, 1])
def test_a_level_lies_strictly_between_0_and_1(level):
    y, scores = van_dyke()
    with pytest.raises(cw.CurvewiseError, match="level: expected"):
        cw.reader_study(y, scores, level=level, metric="no such metric")
