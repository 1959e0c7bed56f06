"""Concordance: R's numbers, a brute force in fractions, derivatives, invariances, and what is undefined."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import curvewise as cw
from censored import brute_force
from censored.reference_data import columns, numbers
from censored.survival_strategies import outcomes, outcomes_of
from curvewise.censored.censoring import censoring_of
from curvewise.censored.concordance import compare_concordance, concordance_of
from curvewise.censored.outcomes import read_outcomes
from curvewise.censored.over_time import censoring_check
from curvewise.censored.pairs import count_inversions, product, weight_above_before
from curvewise.inference.limits import critical_value
from ring import examples

GOLDEN, OURS, PEERS = numbers("golden"), numbers("ours"), numbers("peers")
DATA = ("veteran", "gbsg", "tied300")
BOTH = [(name, model) for name in DATA for model in "ab"]
TIED = GOLDEN["weights_clusters_entry"]["tied300"]
EXACT = 1e-12


def ask(name, model="a", **options):
    data = columns(name)
    return cw.concordance(data["time"], data["event"], data[f"risk_{model}"], **options)


def both(name, **options):
    data = columns(name)
    risk = {model: data[f"risk_{model}"] for model in "ab"}
    return compare_concordance(data["time"], data["event"], risk, **options)


def same_pairs(found, counts):
    assert (found.concordant, found.discordant, found.tied) == pytest.approx(
        [counts[k] for k in ("concordant", "discordant", "tied.x")], rel=EXACT
    )


# ---- R's numbers ----


@pytest.mark.parametrize(("name", "model"), BOTH)
def test_harrell_is_r_s(name, model):
    found, known = ask(name, model), GOLDEN["datasets"][name]["harrell"][model]
    assert found.value == pytest.approx(known["value"], abs=EXACT)
    assert found.standard_error == pytest.approx(known["se"], abs=EXACT)
    same_pairs(found, known["counts"])
    assert isinstance(found.concordant, int)
    assert isinstance(found.comparable, int)
    assert found.value == (2 * found.concordant + found.tied) / (2 * found.comparable)
    assert found.value == pytest.approx(PEERS["datasets"][name]["harrell"][model]["lifelines"], abs=EXACT)


@pytest.mark.parametrize("name", DATA)
def test_somers_d_is_r_s(name):
    assert ask(name).somers_d == pytest.approx(GOLDEN["datasets"][name]["incident_dynamic"]["somers_d"], abs=EXACT)


@pytest.mark.parametrize(("name", "model"), BOTH)
def test_uno_is_r_s_and_its_error_goes_through_the_censoring_estimate(name, model):
    data = columns(name)
    for known, ours in zip(GOLDEN["datasets"][name]["uno"], OURS["datasets"][name]["uno"], strict=True):
        found = ask(name, model, method="uno", until=known["tau"])
        assert found.value == pytest.approx(known[model]["value"], abs=EXACT)
        assert found.standard_error == pytest.approx(ours[f"se_{model}"], abs=EXACT)
        same_pairs(found, known[model]["counts"])
        # R takes G as known, as we do that of another sample
        given = ask(name, model, method="uno", until=known["tau"], censoring=(data["time"], data["event"]))
        assert given.value == found.value
        assert given.standard_error == pytest.approx(known[model]["se"], abs=EXACT)


def test_uno_by_score_weighs_and_varies_within_tenths():
    rng = np.random.default_rng(4)
    data = columns("tied300")
    weight = rng.uniform(0.5, 2, 300)
    rows = read_outcomes(data["time"], data["event"], data["risk_a"], weight=weight)
    found = concordance_of(rows, method="uno", until=9, censoring="by-score")
    left = np.empty(300)
    for level in np.unique(data["risk_a"]):  # five scores: each tenth that holds any holds one of them
        own = data["risk_a"] == level
        left[own] = censoring_of(rows.take(own)).own_left(rows.time[own])
    given = replace(rows, weight=np.where(rows.event, weight / left**2, weight))
    pairs = rows.event[:, None] & (rows.time[:, None] <= 9)
    pairs = pairs & ((rows.time[:, None] < rows.time) | ((rows.time[:, None] == rows.time) & rows.censored))
    worth = pairs * given.weight[:, None] * weight
    won = (rows.score[:, None] > rows.score) + 0.5 * (rows.score[:, None] == rows.score)
    assert found.value == pytest.approx((worth * won).sum() / worth.sum(), abs=EXACT)
    for k in range(0, 300, 29):
        step = np.zeros(300)
        step[k] = 1e-5
        ends = [
            concordance_of(replace(rows, weight=w), method="uno", until=9, censoring="by-score").value
            for w in (weight + step, weight - step)
        ]
        assert found.influence[k] == pytest.approx(weight[k] * (ends[0] - ends[1]) / 2e-5, abs=1e-8)


@pytest.mark.parametrize("name", DATA)
def test_differences_are_r_s(name):
    found, known = both(name), GOLDEN["datasets"][name]["harrell"]["difference"]
    assert found.difference.value == pytest.approx(known["difference_a_minus_b"], abs=EXACT)
    assert found.difference.standard_error == pytest.approx(known["se"], abs=EXACT)
    assert found.statistic == pytest.approx(known["z"], abs=1e-10)
    assert found.p_value == pytest.approx(known["p"], rel=1e-9)
    for tau in OURS["datasets"][name]["uno"]:
        found = both(name, method="uno", until=tau["tau"])
        assert found.difference.standard_error == pytest.approx(tau["se"], abs=EXACT)
        assert (found.statistic, found.p_value) == pytest.approx((tau["z"], tau["p"]), rel=1e-9)


@pytest.mark.parametrize(
    ("options", "known"),
    [
        ({"weight": "weight"}, TIED["case_weights"]["harrell"]),
        ({"cluster": "cluster"}, TIED["cluster"]),
        ({"weight": "weight", "cluster": "cluster"}, TIED["weights_and_cluster"]),
        ({"entry": "entry"}, TIED["delayed_entry"]),
    ],
    ids=["weights", "clusters", "both", "delayed entry"],
)
def test_weights_clusters_and_delayed_entry_are_r_s(options, known):
    found = ask("tied300", **{option: columns("tied300")[column] for option, column in options.items()})
    assert found.value == pytest.approx(known["value"], abs=EXACT)
    assert found.standard_error == pytest.approx(known["se"], abs=EXACT)
    same_pairs(found, known["counts"])
    assert isinstance(found.comparable, int)


def test_uno_with_weights_is_r_s():
    found, known = ask("tied300", method="uno", until=9, weight=columns("tied300")["weight"]), TIED["case_weights"]
    assert found.value == pytest.approx(known["uno_tau_9"]["value"], abs=EXACT)
    same_pairs(found, known["uno_tau_9"]["counts"])


@pytest.mark.parametrize("name", DATA)
def test_censoring_against_the_score(name):
    data, known = columns(name), OURS["datasets"][name]["does_censoring_follow_risk"]
    found = censoring_check(read_outcomes(data["time"], data["event"], data["risk_a"]))
    assert found.value == pytest.approx(known["concordance_of_risk_a_with_censoring"], abs=EXACT)
    assert found.standard_error == pytest.approx(known["se"], abs=EXACT)
    assert (found.value - 0.5) / found.standard_error == pytest.approx(known["z"], abs=1e-10)
    assert found.low < found.value < found.high


def test_seven_rows_on_which_programs_differ():
    # sebp/scikit-survival issue 428, an event and a censoring at 11: scikit-survival has 0.37427, survAUC 0.41290
    time, event = [11, 11, 26, 89, 128, 299, 300], [1, 0, 0, 1, 0, 1, 0]
    risk = [-0.02, 1.20, -0.56, -1.33, -0.81, 1.02, -1.29]
    found = cw.concordance(time, event, risk, method="uno", until=math.nextafter(299, 0))
    assert found.value == pytest.approx(0.31373, abs=5e-6)  # survival::concordance, timewt = "n/G2"


# ---- fractions, pair by pair ----


def brute(data):
    return brute_force.rows_of(data["time"], data["code"], data["risk"], data["weight"], data["entry"])


KINDS = st.sampled_from([(False, False), (True, False), (False, True), (True, True)])


@settings(max_examples=examples(1500))
@given(KINDS.flatmap(lambda kind: outcomes(weighted=kind[0], entered=kind[1])), st.sampled_from([None, 1, 2.5, 4]))
def test_pairs_are_exact_whole_numbers(data, until):
    concordant, tied, total = brute_force.pairs(brute(data), until=until)
    if not total:
        with pytest.raises(cw.UndefinedMetricError):
            concordance_of(outcomes_of(data), until=until)
        return
    found = concordance_of(outcomes_of(data), until=until)
    assert (found.concordant, found.tied, found.comparable) == (concordant, tied, total)
    assert found.discordant == total - concordant - tied
    assert all(isinstance(v, int) for v in (found.concordant, found.discordant, found.tied, found.comparable))
    assert found.value == float((concordant + tied / 2) / total)  # the nearest float, not merely near
    assert 0 <= found.value <= 1


@settings(max_examples=examples(1500))
@given(st.booleans().flatmap(lambda weighted: outcomes(weighted=weighted)), st.sampled_from([None, 1, 2.5, 4]))
def test_uno_is_that_of_fractions(data, until):
    expected = brute_force.concordance(brute(data), uno=True, until=until)
    if expected is None:
        with pytest.raises(cw.UndefinedMetricError):
            concordance_of(outcomes_of(data), method="uno", until=until)
        return
    found = concordance_of(outcomes_of(data), method="uno", until=until)
    assert found.value == pytest.approx(float(expected), abs=EXACT)
    assert (found.value in (0, 1)) == (expected in (0, 1))


@settings(max_examples=examples(150))
@given(
    KINDS.flatmap(lambda kind: outcomes(max_size=7, weighted=kind[0], entered=kind[1])),
    st.sampled_from([None, 2.5]),
    st.booleans(),
)
def test_influences_are_derivatives(data, until, uno):
    if uno:
        data["entry"] = None
    rows, how = brute(data), {"uno": uno, "until": until}
    assume(brute_force.concordance(rows, **how) is not None)
    found = concordance_of(outcomes_of(data), method="uno" if uno else "harrell", until=until).influence
    for k, row in enumerate(rows):
        slope = brute_force.derivative(lambda moved: brute_force.concordance(moved, **how), rows, k)
        assert found[k] == pytest.approx(float(row.weight * slope), abs=1e-8)
    assert found.sum() == pytest.approx(0, abs=1e-12)


@settings(max_examples=examples(300))
@given(st.booleans().flatmap(lambda weighted: outcomes(8, 12, times=2, risks=1, weighted=weighted)))
def test_many_ties_are_counted_in_a_table(data):
    rows = brute(data)
    expected = brute_force.pairs(rows)
    assume(expected[2])
    found = concordance_of(outcomes_of(data))
    assert found.source.pairs.rows._table is not None
    assert (found.concordant, found.tied, found.comparable) == expected
    merged = replace(found.source.pairs.rows)
    vars(merged)["_table"] = None
    assert merged.totals() == expected
    for one, other in zip(merged.row_sums(), found.source.pairs.row_sums(), strict=True):
        assert one.tolist() == other.tolist()
    slope = brute_force.derivative(brute_force.concordance, rows, 3)
    assert found.influence[3] == pytest.approx(float(rows[3].weight * slope), abs=1e-8)


@settings(max_examples=examples(300))
@given(outcomes(codes=(0, 1, 2)))
def test_the_check_of_censoring_exchanges_roles(data):
    exchanged = [int(c == 0) for c in data["code"]]
    expected = brute_force.concordance(brute_force.rows_of(data["time"], exchanged, data["risk"]))
    found = censoring_check(outcomes_of(data))
    if expected is None:
        assert math.isnan(found.value)
        assert found.reason.code in ("survival_none_censored", "survival_no_pair")
    else:
        assert found.value == float(expected)


@given(st.permutations(range(13)), st.lists(st.integers(0, 9), min_size=13, max_size=13))
def test_inversions_one_by_one(ranks, weights):
    rank, weight = np.array(ranks), np.array(weights)
    expected = [sum(weights[i] for i in range(j) if ranks[i] > ranks[j]) for j in range(13)]
    assert weight_above_before(rank, weight).tolist() == expected
    assert weight_above_before(rank, weight.astype(float)).tolist() == expected
    pairs = sum(ranks[i] > ranks[j] and weights[i] > 4 for j in range(13) for i in range(j))
    assert count_inversions(rank, weight > 4) == pairs


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 8, 9])
def test_inversions_of_any_number_of_rows(size):
    backwards = np.arange(size)[::-1].copy()
    assert count_inversions(backwards, np.ones(size, dtype=bool)) == size * (size - 1) // 2
    assert weight_above_before(backwards, np.ones(size, dtype=np.int64)).tolist() == list(range(size))


def test_many_rows_agree_with_counting_time_by_time():
    rng = np.random.default_rng(5)
    time, event, risk = rng.integers(1, 400, 3000), rng.random(3000) < 0.4, rng.integers(0, 50, 3000)
    later = (time[:, None] < time) | ((time[:, None] == time) & ~event)
    pairs = event[:, None] & later
    found = cw.concordance(time, event, risk)
    assert found.comparable == pairs.sum()
    assert found.concordant == (pairs & (risk[:, None] > risk)).sum()
    assert found.tied == (pairs & (risk[:, None] == risk)).sum()


def test_large_counts_do_not_overflow():
    heavy = np.full(40, 10**15)
    found = cw.concordance(np.arange(40), [1] * 40, np.arange(40) % 7, weight=heavy, weight_kind="count")
    plain = cw.concordance(np.arange(40), [1] * 40, np.arange(40) % 7)
    assert found.comparable == plain.comparable * 10**30
    assert (found.value, found.concordant) == (plain.value, plain.concordant * 10**30)
    assert product(np.array([2**62, 1]), np.array([4, 1])) == 2**64 + 1


# ---- invariances ----


def pick(name="tied300"):
    data = columns(name)
    return data["time"], data["event"], data["risk_a"]


@pytest.mark.parametrize(
    "options", [{}, {"method": "uno", "until": 6}, {"weight": True}, {"entry": True}, {"cluster": True}]
)
def test_shuffles_change_nothing(options):
    data = columns("tied300")
    shuffle = np.random.default_rng(1).permutation(300)
    given = {k: data[k] if v is True else v for k, v in options.items()}
    moved = {k: v[shuffle] if isinstance(v, np.ndarray) else v for k, v in given.items()}
    one, two = cw.concordance(*pick(), **given), cw.concordance(*(v[shuffle] for v in pick()), **moved)
    assert two.value == pytest.approx(one.value, abs=1e-14)
    assert two.standard_error == pytest.approx(one.standard_error, abs=1e-14)
    assert two.influence == pytest.approx(one.influence[shuffle], abs=1e-14)
    if one.method == "harrell":
        assert (two.value, two.concordant) == (one.value, one.concordant)


@pytest.mark.parametrize("method", ["harrell", "uno"])
def test_only_the_order_of_scores_and_of_times_matters(method):
    time, event, risk = pick("gbsg")
    one = cw.concordance(time, event, risk, method=method, until=1095.5)
    for other in (np.exp(risk), risk.astype(np.float32), 3 * risk - 7, rank(risk)):
        assert cw.concordance(time, event, other, method=method, until=1095.5).value == one.value
    scaled = cw.concordance(time / 8, event, risk, method=method, until=1095.5 / 8)
    assert (scaled.value, scaled.standard_error) == (one.value, one.standard_error)


def rank(values):
    return np.unique(values, return_inverse=True)[1]


def test_direction():
    time, event, risk = pick()
    turned = cw.concordance(time, event, -risk)
    assert cw.concordance(time, event, -risk, higher_is="negative").value == cw.concordance(time, event, risk).value
    assert turned.value == pytest.approx(1 - cw.concordance(time, event, risk).value, abs=1e-15)
    assert turned.standard_error == pytest.approx(cw.concordance(time, event, risk).standard_error, abs=1e-15)
    assert cw.concordance(time, event, risk.astype(np.uint8), higher_is="negative").value == turned.value


def test_infinite_scores_are_scores():
    assert cw.concordance([1, 2, 3], [1, 1, 0], [float("inf"), 0, -float("inf")]).value == 1


def test_rounded_scores_are_tied():
    exact = cw.concordance([1, 2, 3], [1, 1, 0], [0.101, 0.102, 0.05])
    assert (exact.tied, cw.concordance([1, 2, 3], [1, 1, 0], [0.101, 0.102, 0.05], round_to=2).tied) == (0, 1)


def test_counted_rows_are_repeated_rows():
    data = columns("tied300")
    times = data["weight"].astype(int)
    counted = ask("tied300", weight=times, weight_kind="count")
    repeated = cw.concordance(*(np.repeat(v, times) for v in pick()))
    assert (counted.value, counted.comparable) == (repeated.value, repeated.comparable)
    assert counted.standard_error == pytest.approx(repeated.standard_error, rel=1e-12)
    assert counted.interval().low == pytest.approx(repeated.interval().low, rel=1e-12)
    clustered = ask("tied300", weight=times, weight_kind="count", cluster=data["cluster"])
    again = cw.concordance(*(np.repeat(v, times) for v in pick()), cluster=np.repeat(data["cluster"], times))
    assert clustered.standard_error == pytest.approx(again.standard_error, rel=1e-12)


def test_fractional_weights_scale():
    weight = columns("tied300")["weight"]
    one, two = ask("tied300", weight=weight), ask("tied300", weight=weight * 0.1)
    assert two.value == pytest.approx(one.value, abs=1e-14)
    assert two.standard_error == pytest.approx(one.standard_error, abs=1e-14)
    assert isinstance(two.comparable, float)


def test_without_censoring_uno_is_harrell():
    time, _, risk = pick()
    one, two = (cw.concordance(time, np.ones(300), risk, method=m, until=7) for m in ("harrell", "uno"))
    assert two.value == pytest.approx(one.value, abs=1e-15)
    assert two.influence == pytest.approx(one.influence, abs=1e-15)


def test_entry_at_the_start_changes_nothing():
    time, event, risk = pick()
    one, two = cw.concordance(time, event, risk), cw.concordance(time, event, risk, entry=np.zeros(300))
    assert (one.value, one.concordant, one.standard_error) == (two.value, two.concordant, two.standard_error)


# ---- intervals and tests ----


def test_the_interval_is_on_the_logit_scale():
    found = ask("gbsg")
    end = found.interval()
    half = critical_value(0.95) * found.standard_error / (found.value * (1 - found.value))
    centre = math.log(found.value / (1 - found.value))
    assert (end.low, end.high) == pytest.approx([1 / (1 + math.exp(-x)) for x in (centre - half, centre + half)])
    assert str(end) == "concordance 0.6623, 95% interval 0.6299 to 0.6932 (influence)"
    assert found.interval(0.99).low < end.low
    assert float(found) == end.value == found.value
    with pytest.raises(cw.OptionError, match="level: expected a number strictly between 0 and 1, got 95"):
        found.interval(95)


def test_few_clusters_have_a_t_quantile_and_a_note():
    data = columns("tied300")
    few = data["cluster"] % 6
    found = ask("tied300", cluster=few)
    sums = np.bincount(few.astype(int), found.influence)
    assert found.standard_error == pytest.approx(math.sqrt(sums @ sums), rel=1e-12)
    end, error = found.interval(), found.standard_error / (found.value * (1 - found.value))
    reached = (math.log(end.high / (1 - end.high)) - math.log(found.value / (1 - found.value))) / error
    assert critical_value(0.95, 5) <= reached <= critical_value(0.95, 1)
    assert "only 6 clusters: their variance is uncertain, and intervals are unreliable" in map(str, end.notes)
    assert not ask("tied300").interval().notes


def test_one_cluster_has_no_interval():
    end = ask("tied300", cluster=np.zeros(300)).interval()
    assert not end.has_interval
    assert end.value == ask("tied300").value
    assert str(end.reason) == "no interval: there is only one cluster"


def test_clusters_of_one_row_are_rows():
    alone = ask("tied300", cluster=np.arange(300))
    assert alone.standard_error == pytest.approx(ask("tied300").standard_error, rel=1e-12)


def test_strata_compare_rows_within_them():
    data = columns("tied300")
    found = ask("tied300", stratum=data["risk_b"])
    u, stratum = found.influence, data["risk_b"]
    variance = 0.0
    for s in np.unique(stratum):
        own = u[stratum == s]
        variance += len(own) / (len(own) - 1) * np.sum((own - own.mean()) ** 2)
    assert found.standard_error == pytest.approx(math.sqrt(variance), rel=1e-12)


@pytest.mark.parametrize("turned", [False, True])
def test_perfect_order_has_a_bound(turned):
    time, risk = np.arange(1, 13), -np.arange(1.0, 13)
    found = cw.concordance(time, [1] * 12, -risk if turned else risk)
    end = found.interval()
    assert (found.value, found.standard_error) == (float(not turned), 0)
    bound = 0.025 ** (1 / 6)  # six pairs that share no row
    assert (end.low, end.high) == pytest.approx((0, 1 - bound) if turned else (bound, 1))
    assert "all comparable pairs are in one order: the interval is a bound" in map(str, end.notes)


def test_perfect_order_of_floats_is_exact():
    rng = np.random.default_rng(0)
    time, event = np.sort(rng.exponential(size=200)), rng.random(200) < 0.5
    for options in ({"method": "uno"}, {"weight": rng.random(200)}):
        found = cw.concordance(time, event, -time, **options)
        assert (found.value, found.discordant, found.tied) == (1, 0, 0)
        assert cw.concordance(time, event, time, **options).value == 0
        assert found.interval().low > 0.9


def test_equal_models_do_not_differ():
    data = columns("gbsg")
    found = compare_concordance(data["time"], data["event"], {"a": data["risk_a"], "b": np.exp(data["risk_a"])})
    assert (found.difference.value, found.statistic, found.p_value) == (0, 0, 1)


def test_the_interval_of_a_difference_agrees_with_its_test():
    for name in DATA:
        found = both(name)
        for level in (1 - found.p_value - 1e-6, 1 - found.p_value + 1e-6):
            if 0 < level < 1:
                gap = both(name, level=level).difference
                assert (gap.low > 0 or gap.high < 0) == (found.p_value < 1 - level)


def test_three_models_and_margins():
    data = columns("tied300")
    risk = {"a": data["risk_a"], "b": data["risk_b"], "c": data["risk_a"] + data["risk_b"]}
    found = compare_concordance(data["time"], data["event"], risk, margin=0.02)
    each = [cw.concordance(data["time"], data["event"], r) for r in risk.values()]
    assert list(found.values.values()) == [c.value for c in each]
    assert [(p.first, p.second) for p in found.pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    u = np.stack([each[0].influence - each[1].influence, each[1].influence - each[2].influence])
    gap = np.array([each[0].value - each[1].value, each[1].value - each[2].value])
    assert found.omnibus[0] == pytest.approx(gap @ np.linalg.inv(u @ u.T) @ gap, rel=1e-9)
    assert found.omnibus[1] == 2
    pair = found.pairs[0]
    z = (pair.difference.value + 0.02) / pair.difference.standard_error
    assert pair.p_non_inferior == pytest.approx(math.erfc(z / math.sqrt(2)) / 2, rel=1e-9)
    assert pair.simultaneous.low < pair.difference.low
    one = compare_concordance(data["time"], data["event"], {"a": risk["a"], "b": risk["b"]})
    assert one.p_value == pytest.approx(both("tied300").p_value)


def test_clusters_of_a_difference():
    cluster = columns("tied300")["cluster"]
    found = both("tied300", cluster=cluster)
    u = ask("tied300", "a").influence - ask("tied300", "b").influence
    sums = np.bincount(cluster.astype(int), u)
    assert found.difference.standard_error == pytest.approx(math.sqrt(sums @ sums), rel=1e-12)
    assert found.pairs[0].degrees_of_freedom <= len(np.unique(cluster)) - 1


def test_one_model_against_a_value():
    data = columns("gbsg")
    found = compare_concordance(data["time"], data["event"], {"a": data["risk_a"]})
    c = ask("gbsg")
    assert found.difference.value == pytest.approx(c.value - 0.5)
    assert found.difference.low == pytest.approx(c.interval().low - 0.5)
    assert found.p_value < 1e-10
    end = c.interval(0.9).high
    at_end = compare_concordance(data["time"], data["event"], {"a": data["risk_a"]}, against=end)
    assert at_end.p_value == pytest.approx(0.1)


# ---- undefined, and what to know ----

NO_PAIR = (
    "Concordance needs a comparable pair, and no row was under observation beyond the time of another row's event "
)
UNDEFINED = {
    "no event": (([3, 2, 1], [0, 0, 0], [1, 2, 3]), {}, "Concordance needs an event: 0 of 3 rows had one."),
    "one row": (
        ([3], [1], [1]),
        {},
        f"{NO_PAIR}(1 row, 1 event).",
    ),
    "event last": (
        ([3, 2, 1], [1, 0, 0], [1, 2, 3]),
        {},
        f"{NO_PAIR}(3 rows, 1 event).",
    ),
    "one time": (
        ([2, 2, 2], [1, 1, 1], [1, 2, 3]),
        {},
        f"{NO_PAIR}(3 rows, 3 events).",
    ),
    "late entry": (
        ([2, 3], [1, 1], [1, 2]),
        {"entry": [0, 2]},
        f"{NO_PAIR}(2 rows, 2 events).",
    ),
    "before the first": (
        ([8, 9, 10], [1, 1, 0], [1, 2, 3]),
        {"until": 5},
        "Concordance until 5 needs an event by then: the first is at 8.",
    ),
    "sample ends": (
        ([8, 9, 10], [1, 1, 0], [1, 2, 3]),
        {"method": "uno", "censoring": ([1, 2, 8.5], [1, 0, 0])},
        "Uno's concordance needs censoring times up to 9: the censoring sample ends at 8.5.",
    ),
}


@pytest.mark.parametrize(("given", "options", "sentence"), UNDEFINED.values(), ids=UNDEFINED)
def test_what_is_undefined_is_an_error_with_the_reason(given, options, sentence):
    with pytest.raises(cw.UndefinedMetricError) as error:
        cw.concordance(*given, **options)
    assert str(error.value) == sentence
    for lang in ("en", "zh"):
        assert error.value.reason.text(lang)
        assert "—" not in error.value.reason.text(lang)


@pytest.mark.parametrize("options", [{}, {"method": "uno", "until": 4}, {"weight": [0.1, 0.7, 1.3, 0.2, 0.4]}])
def test_equal_scores_are_exactly_a_half_with_a_note(options):
    found = cw.concordance([1, 2, 3, 4, 5], [1, 0, 1, 1, 0], [7] * 5, **options)
    assert (found.value, found.concordant, found.discordant) == (0.5, 0, 0)
    assert found.tied == found.comparable
    assert "all scores are equal and carry no information: concordance is exactly 1/2" in map(str, found.notes)
    end = found.interval()
    assert not end.has_interval
    assert end.reason.code == "no_variance"


def test_a_score_that_ranks_the_wrong_way_is_told():
    time, event, risk = pick("gbsg")
    notes = [said.code for said in cw.concordance(time, event, -risk).notes]
    assert notes == ["survival_wrong_way"]
    assert not cw.concordance(time, event, risk).notes
    near = cw.concordance([1, 2, 3, 4], [1, 1, 1, 0], [1, 2, 4, 3])
    assert near.value < 0.5
    assert "survival_wrong_way" not in [said.code for said in near.notes]


def test_the_last_event_is_noted_where_uno_has_no_until():
    found = ask("veteran", method="uno")
    last = columns("veteran")["time"][columns("veteran")["event"] == 1].max()
    assert found.until == last
    assert f"until was not given: events up to the last one, at {last:g}, are counted" in map(str, found.notes)
    assert found.value == ask("veteran", method="uno", until=last).value
    assert not [said for said in ask("veteran", method="uno", until=180.5).notes if said.code == "survival_until"]


def test_little_follow_up_is_noted():
    # before the event at 29 all but 2 of 30 were censored
    found = cw.concordance(np.arange(1, 31), [0] * 28 + [1, 0], -np.arange(30), method="uno", until=29)
    assert [said.code for said in found.notes] == ["survival_low_g"]
    assert "an estimated 6.7% are uncensored at 29" in str(found.notes[0])


def test_times_that_differ_by_rounding_are_noted_and_compared_exactly():
    found = cw.concordance([0.1 + 0.2, 0.3, 1], [1, 1, 0], [1, 2, 0])
    assert found.comparable == 3
    assert "neighbouring times differ only by rounding errors" in str(found.notes[0])
    assert not cw.concordance([0.3, 0.3, 1], [1, 1, 0], [1, 2, 0]).notes


def test_censoring_that_follows_the_score_is_told():
    rng = np.random.default_rng(2)
    risk = rng.normal(size=400)
    time, event = rng.exponential(np.exp(-risk)), rng.random(400) < 0.3
    found = censoring_check(read_outcomes(time, event, risk))
    assert [said.code for said in found.notes] == ["survival_censoring_follows"]
    assert "by-score" in found.notes[0].text("zh")
    calm = censoring_check(read_outcomes(*pick("gbsg")))
    assert not calm.notes


def test_the_check_without_a_censored_row_says_so():
    found = censoring_check(read_outcomes([1, 2, 3], [1, 1, 1], [1, 2, 3]))
    assert math.isnan(found.value)
    assert str(found.reason) == "no row was censored"


def test_every_note_has_both_languages():
    for found in (ask("veteran", method="uno"), cw.concordance([1, 2, 3], [1, 1, 0], [5, 5, 5])):
        for said in found.notes:
            assert said.text("en") != said.text("zh")


# ---- the result ----


def test_the_result_prints_and_saves():
    found = ask("gbsg")
    assert str(found) == (
        "Concordance 0.6623: of 133 072 comparable pairs 88 093 concordant, 44 908 discordant, 71 tied"
    )
    uno = ask("gbsg", method="uno", until=1095.5)
    assert str(uno).startswith("Uno's concordance until 1095.5 0.6748: of ")
    assert "weighted comparable pairs" in str(uno)
    saved = json.loads(json.dumps(uno.to_dict()))
    assert saved["schema"] == "curvewise.concordance"
    assert (saved["value"], saved["until"], saved["method"]) == (uno.value, 1095.5, "uno")
    assert "source" not in saved
    assert found.table.columns["comparable"] == [133072]
    assert found.to_frame("pandas")["value"].tolist() == [found.value]
    assert "0.6623" in found.to_markdown()


def test_the_value_needs_no_influence():
    found = ask("gbsg")
    assert "influence" not in vars(found.source)
    assert len(found.influence) == 686
