"""Costs that differ by row: against every threshold by hand, in every kind of rows, and in the user's unit."""

import math

import numpy as np
import pytest

import curvewise as cw
from curvewise.decisions.repeated_choice import _mean_cost
from curvewise.decisions.row_costs import CostColumn, CostsOfRows, _unskewed, with_costs

Y, S = [1, 0, 1, 0], [0.9, 0.8, 0.4, 0.1]
FP, FN = [9, 2, 9, 1], [10, 9, 1, 9]  # nines belong to the other class and must not count


def payments(n=600, seed=0, share=0.15):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < share
    seen = rng.normal(size=n) + 1.5 * y
    p = 1 / (1 + np.exp(-(math.log(share / (1 - share)) + 1.5 * seen - 1.5**2 / 2)))
    return y, p, rng.lognormal(3, 1, n)


def drawn(seed):
    """Return rows with ties, weights, either direction, and costs of which at least one differs by row."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 80))
    y = rng.random(n) < rng.uniform(0.15, 0.6)
    y[:2] = True, False
    score = np.round(rng.normal(size=n) + y, int(rng.integers(0, 4)))
    costs = {k: rng.lognormal(2, 1.5, n) if rng.random() < 0.6 else float(rng.uniform(0.5, 9)) for k in ("fp", "fn")}
    costs |= {k: -rng.lognormal(0, 1, n) if rng.random() < 0.4 else 0.0 for k in ("tp", "tn")}
    costs["fn"] = costs["fn"] if any(map(np.ndim, costs.values())) else rng.lognormal(2, 1, n)
    options = {"weight": rng.random(n) + 0.1} if rng.random() < 0.4 else {}
    options |= {"higher_is": "negative"} if rng.random() < 0.3 else {}
    return y, score, costs, options, float(rng.uniform(0.05, 0.5)) if rng.random() < 0.4 else None


def by_hand(y, score, costs, options, prevalence, cut):
    """Return the mean cost per row at a threshold, without a sweep."""
    flagged = score <= cut if "higher_is" in options else score >= cut
    column = {k: np.broadcast_to(v, len(y)) for k, v in costs.items()}
    each = np.where(flagged, np.where(y, column["tp"], column["fp"]), np.where(y, column["fn"], column["tn"]))
    weight = options.get("weight", np.ones(len(y)))
    if prevalence is None:
        return np.average(each, weights=weight)
    shares = {True: prevalence, False: 1 - prevalence}
    return sum(share * np.average(each[y == on], weights=weight[y == on]) for on, share in shares.items())


def test_threshold_and_cost_are_those_of_all_thresholds():
    for seed in range(100):
        y, score, costs, options, prevalence = drawn(seed)
        point = cw.operating_point(y, score, cw.rules.min_cost(**costs, prevalence=prevalence), replicates=0, **options)
        turned = "higher_is" in options
        cuts = [-math.inf if turned else math.inf, *np.unique(score)]
        found = {cut: by_hand(y, score, costs, options, prevalence, cut) for cut in cuts}
        least = min(found.values())
        best = [cut for cut, cost in found.items() if cost <= least + 1e-12 * max(map(abs, found.values()))]
        assert point.value == pytest.approx(least, rel=1e-12, abs=1e-12)
        assert point.threshold == (min(best) if turned else max(best))
        middle = float(cuts[len(cuts) // 2])
        cost = cw.expected_cost(y, score, middle, **costs, prevalence=prevalence, **options)
        assert cost == pytest.approx(found[middle], rel=1e-12, abs=1e-12)


def test_a_worked_example():
    """Total costs above all scores and at .9, .8, .4, .1 are 11, 1, 3, 2, 3."""
    totals = [4 * cw.expected_cost(Y, S, cut, fp=FP, fn=FN) for cut in (math.inf, *S)]
    assert totals == [11, 1, 3, 2, 3]
    point = cw.operating_point(Y, S, cw.rules.min_cost(fp=FP, fn=FN), replicates=0)
    assert (point.threshold, point.value, point.confusion.recall) == (0.9, 0.25, 0.5)
    assert (point.cost.none, point.cost.every, point.cost.least, point.cost.total) == (11 / 4, 3 / 4, 0, 1)
    assert point.cost.saving == pytest.approx(2 / 3)


@pytest.mark.parametrize("prevalence", [None, 0.05])
def test_columns_of_one_value_are_that_number(prevalence):
    y, p, _ = payments()
    n = len(y)
    for costs in ({"fp": 1, "fn": 6}, {"fp": 2.5, "fn": 9, "tp": -1, "tn": -0.5}):
        number = cw.rules.min_cost(**costs, prevalence=prevalence)
        column = cw.rules.min_cost(**{k: np.full(n, v) for k, v in costs.items()}, prevalence=prevalence)
        one, two = (cw.operating_point(y, p, rule, replicates=50) for rule in (number, column))
        assert (one.threshold, one.confusion) == (two.threshold, two.confusion)
        assert two.value == pytest.approx(one.value, rel=1e-12)
        assert two.cost_ratio == pytest.approx(one.cost_ratio)
        for name in ("none", "every", "least"):
            assert getattr(two.cost, name) == pytest.approx(getattr(one.cost, name), rel=1e-9)


def test_weights_of_repeated_rows_are_the_rows_repeated():
    y, p, amount = payments(200)
    times = np.arange(200) % 3 + 1
    rows = {"y": y, "score": p, "fn": amount}
    rule = cw.rules.min_cost(fp=3, fn=amount)
    weighted = cw.operating_point(y, p, rule, weight=times, weight_kind="count", replicates=0)
    y, p, amount = (np.repeat(v, times) for v in rows.values())
    plain = cw.operating_point(y, p, cw.rules.min_cost(fp=3, fn=amount), replicates=0)
    assert weighted.value == pytest.approx(plain.value, rel=1e-12)
    assert weighted.threshold == plain.threshold


def test_rates_count_rows_and_costs_count_money():
    y, p, amount = payments()
    point = cw.operating_point(y, p, cw.rules.min_cost(fp=3, fn=amount), replicates=0)
    plain = cw.sweep(y, p).at(point.threshold)
    assert (point.confusion.tp, point.confusion.fp) == (plain.tp, plain.fp)
    assert point.prevalence == np.mean(y)


def test_rows_decided_by_expected_cost():
    y, p, amount = payments()
    decide = {"fp": 3.0, "fn": amount, "decide_by": "expected_cost"}
    flagged = p * amount >= (1 - p) * 3
    cost = np.where(y, np.where(flagged, 0, amount), np.where(flagged, 3, 0)).mean()
    assert cw.expected_cost(y, p, **decide) == pytest.approx(cost, rel=1e-12)
    point = cw.operating_point(y, p, cw.rules.min_cost(**decide))
    assert point.value == pytest.approx(cost, rel=1e-12)
    assert (point.confusion.tp + point.confusion.fp, point.threshold, point.optimism) == (flagged.sum(), 0.0, None)
    assert point.cost.estimate.low < cost < point.cost.estimate.high
    assert point.sentence.startswith("Flag the rows for which an alarm is expected to cost no more than no alarm.")


def test_costs_that_are_the_same_for_all_rows_decide_at_one_probability():
    y, p, _ = payments()
    by_row = cw.operating_point(y, p, cw.rules.min_cost(fp=1, fn=4, decide_by="expected_cost"))
    assert by_row.confusion.tp == cw.sweep(y, p).at(0.2).tp
    assert by_row.confusion.fp == cw.sweep(y, p).at(0.2).fp


def test_both_ways_are_compared_on_the_same_rows():
    y, p, amount = payments()
    found = cw.compare_costs(y, {"p": p}, fp=3, fn=amount, decide_by="both", replicates=60)
    by_score = cw.operating_point(y, p, cw.rules.min_cost(fp=3, fn=amount), replicates=60).cost.estimate.value
    by_gain = cw.expected_cost(y, p, fp=3, fn=amount, decide_by="expected_cost")
    assert list(found.values) == ["p by score", "p by expected cost"]
    assert list(found.values.values()) == pytest.approx([by_score, by_gain], rel=1e-12)
    assert found.difference.low < found.difference.value < found.difference.high


def test_the_standard_error_of_a_difference_by_hand():
    y, p, amount = payments()
    a, b = p, np.random.default_rng(1).permutation(p)
    found = cw.compare_costs(y, {"a": a, "b": b}, fp=3, fn=amount, replicates=30)
    each = []
    for score in (a, b):
        point = cw.operating_point(y, score, cw.rules.min_cost(fp=3, fn=amount), replicates=30)
        flagged = score >= point.threshold
        each.append((np.where(y, amount * ~flagged, 3.0 * flagged), point.value - point.cost.estimate.value))
    away, n = each[0][0] - each[1][0], len(y)
    parts = (away - away.mean()) / n
    plain = sum((parts[on] ** 2).sum() * on.sum() / (on.sum() - 1) for on in (y, ~y))
    floor = 2 * ((amount[y] ** 2).mean() + 9.0) / n**2
    shift = (each[0][1] - each[1][1]) ** 2
    assert found.difference.standard_error == pytest.approx(math.sqrt(plain + floor + shift), rel=1e-9)


def test_the_mean_is_corrected_for_the_choice():
    """Of scores that say nothing the chosen threshold looks cheaper than it is."""
    rng, gaps = np.random.default_rng(5), []
    for seed in range(20):
        y, amount = rng.random(150) < 0.3, rng.lognormal(2, 1, 150)
        point = cw.operating_point(y, rng.normal(size=150), cw.rules.min_cost(fp=4, fn=amount), replicates=40, rng=seed)
        gaps.append(point.cost.estimate.value / point.value)
    assert np.mean(gaps) > 1.03


@pytest.mark.parametrize("options", [{}, {"cluster": True}, {"stratum": True}, {"weight": True}])
def test_every_kind_of_rows_has_an_interval(options):
    y, p, amount = payments()
    k = np.arange(len(y))
    columns = {"cluster": k // 4, "stratum": k % 3, "weight": 0.5 + k % 5}
    given = {name: columns[name] for name in options}
    point = cw.operating_point(y, p, cw.rules.min_cost(fp=3, fn=amount), replicates=30, **given)
    estimate = point.cost.estimate
    assert 0 <= estimate.low < estimate.value < estimate.high
    one = np.ones(len(y))
    assert CostsOfRows(with_costs(cw.read_rows(y, p, **given), {"fp": 3.0, "fn": 5.0})).mean(one) == pytest.approx(1)


def test_a_large_skewness_moves_the_interval_up():
    y, p, amount = payments()
    ends = []
    for heavy in (np.full(len(y), amount.mean()), np.where(np.arange(len(y)) == np.flatnonzero(y)[0], 3000.0, amount)):
        rows = with_costs(cw.read_rows(y, p), {"fp": 3.0, "fn": CostColumn(heavy)})
        found = CostsOfRows(rows)
        each = found.of_rows(np.zeros(len(y), dtype=bool))
        value = found.mean(each)
        low, high = found.interval(value, each, 0.95, value)
        ends.append((high - value) / (value - low))
    assert ends[1] > 2 * ends[0] > 1


def test_the_transform_undoes_the_skewness():
    for skew in (0.0, 0.1, -0.3, 0.8):
        a = skew / 3
        for t in (-1.96, 0.0, 1.2):
            x = _unskewed(t, skew)
            assert x + a * x**2 + a**2 * x**3 / 3 + a / 2 == pytest.approx(t, abs=1e-12)


def test_rows_left_out_take_their_costs_with_them():
    y, p, amount = payments(300)
    gaps = p.copy()
    gaps[[3, 50]] = np.nan
    keep = ~np.isnan(gaps)
    rule = cw.rules.min_cost(fp=3, fn=amount)
    found = cw.operating_point(y, gaps, rule, replicates=0, missing="drop")
    kept = cw.operating_point(y[keep], p[keep], cw.rules.min_cost(fp=3, fn=amount[keep]), replicates=0)
    assert (found.threshold, found.value) == (kept.threshold, pytest.approx(kept.value, rel=1e-12))


def test_the_unit_stands_beside_money():
    y, p, amount = payments()
    point = cw.operating_point(y, p, cw.rules.min_cost(fp=3, fn=CostColumn(amount, "amount"), unit="EUR"), replicates=0)
    assert "EUR on average" in str(point.cost.statement)
    assert "EUR" in point.cost.statement.text("zh")
    assert "min_cost(fp=3.0, fn='amount', unit='EUR')" in str(point)
    assert point.to_dict()["rule"]["options"] == {"fp": 3.0, "fn": "amount", "unit": "EUR"}


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ({"fp": 1, "fn": [1, 2, 3]}, "fn: expected one cost per row, 4, got 3 values"),
        ({"fp": [1, 1, 1], "fn": [1, 2, 3, 4]}, "costs: expected columns of one length, got 3 and 4"),
        ({"fp": 1, "fn": [1, None, 3, 4]}, r"fn: expected a cost for every row, got 1 other value \(row 1\)"),
        ({"fp": 1, "fn": [1, math.inf, 3, 4]}, r"fn: expected finite costs, got 1 other value \(row 1\)"),
        ({"fp": [1, 1, -1, 1], "fn": 1}, "fp: expected costs of 0 or more for a mistake"),
        ({"fp": 1, "fn": "amount"}, "fn: expected a number or one value per row, got the name 'amount'"),
        ({"fp": [1, 1, 1, 1], "fn": 1, "tn": 1, "tp": 1}, "every mistake the better answer"),
        ({"fp": 1, "fn": 2, "decide_by": "gain"}, "decide_by: expected one of 'score', 'expected_cost'"),
        ({"fp": 1, "fn": 2, "decide_by": "expected_cost", "prevalence": 0.1}, "prevalence: .*leave it out"),
    ],
)
def test_bad_costs_are_one_sentence(costs, message):
    with pytest.raises(cw.CurvewiseError, match=message):
        cw.operating_point(Y, S, cw.rules.min_cost(**costs))


def test_costs_by_row_need_rows_and_probabilities():
    rule = cw.rules.min_cost(fp=1, fn=FN)
    with pytest.raises(cw.CurvewiseError, match="costs: one value per row needs rows, not a sweep"):
        cw.operating_point(cw.sweep(Y, S), rule)
    with pytest.raises(cw.CurvewiseError, match=r"from 0 to 1"):
        cw.expected_cost(Y, [9, 8, 4, 1], fp=1, fn=FN, decide_by="expected_cost")
    with pytest.raises(cw.CurvewiseError, match="threshold: say where"):
        cw.expected_cost(Y, S, fp=1, fn=FN)
    with pytest.raises(cw.CurvewiseError, match="threshold: rows are decided by their costs; leave it out"):
        cw.expected_cost(Y, S, 0.5, fp=1, fn=FN, decide_by="expected_cost")


def test_an_evaluation_names_the_column():
    y, p, amount = payments(400)
    data = {"fraud": y.astype(int), "p": p, "amount": amount, "id": np.arange(400)}
    asked = {"replicates": 20, "rng": 0}
    found = cw.evaluate(
        data, label="fraud", scores="p", id="id", costs={"fp": 3, "fn": "amount", "unit": "EUR"}, **asked
    )
    point = found.models["p"].point
    alone = cw.operating_point(y, p, cw.rules.min_cost(fp=3, fn=amount, unit="EUR"), **asked)
    assert (point.threshold, point.cost.estimate) == (alone.threshold, alone.cost.estimate)
    assert found.options.costs == {"fp": 3.0, "fn": pytest.approx(amount[y].mean())}
    costs = [m.cost for m in found.mistakes["p"].of_kind("miss")]
    missed = np.sort(amount[y & (p < point.threshold)])[::-1]
    assert costs == pytest.approx(missed[:10])
    direct = cw.evaluate(y, {"p": p}, costs={"fp": 3, "fn": amount}, **asked)
    assert direct.models["p"].point.threshold == point.threshold


def test_the_gains_of_the_credit_card_example_of_scikit_learn():
    """Its metric earns 2% of what is rightly accepted, 50 per fraud stopped, and loses 5 per false alarm and the fraud.

    The tuned threshold is the one that earns most, here over all thresholds.
    """
    y, p, amount = payments()

    def earned(flagged):
        stopped, accepted = (y & flagged).sum() * 50, -amount[y & ~flagged].sum()
        return stopped + accepted - 5 * (~y & flagged).sum() + (0.02 * amount[~y & ~flagged]).sum()

    rule = cw.rules.min_cost(fp=5, fn=amount, tp=-50, tn=-0.02 * amount)
    point = cw.operating_point(y, p, rule, replicates=0)
    best = max([math.inf, *p], key=lambda cut: earned(p >= cut))
    assert point.threshold == best
    assert -point.value * len(y) == pytest.approx(earned(p >= best), rel=1e-12)


def test_the_mean_cost_of_choices_counts_each_class_by_its_rows_or_by_the_prevalence():
    assert _mean_cost([2.0, 4.0], [1.0, 3.0], None) == (2 + 4) / (1 + 3)
    assert _mean_cost([2.0, 4.0], [1.0, 3.0], 0.25) == pytest.approx(0.25 * 2 + 0.75 * 4 / 3)
    assert _mean_cost([2.0, 4.0], [1.0, 3.0], 0.5) == pytest.approx(0.5 * 2 + 0.5 * 4 / 3)
    assert math.isnan(_mean_cost([0.0, 4.0], [0.0, 3.0], None))
