"""Limits that hold on new rows: exact by enumeration, for ties, clusters and several at once."""

import json
import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.stats import beta, binom, gamma, norm

import curvewise as cw
from curvewise.decisions.choice import Candidates
from curvewise.decisions.guarantee import BLOCK, _Test, in_turn, needed_rows
from curvewise.decisions.rules import all_of, max_alarms, max_fpr, min_precision, min_recall, min_specificity

RISKS = [(0.1, 0.95), (0.3, 0.9), (0.5, 0.8)]


def exact_tail(errors, trials, share):
    """P(Bin(trials, share) ≤ errors) as a fraction."""
    p = Fraction(repr(share))
    return sum(math.comb(trials, k) * p**k * (1 - p) ** (trials - k) for k in range(errors + 1))


def chosen(rule, tp, fp, positives, negatives):
    """Return the place that a rule chooses, 0 where it refuses."""
    counts = Candidates(np.array([0, *tp]), np.array([0, *fp]), positives, negatives)
    try:
        return int(rule.best(counts)[0])
    except cw.UndefinedMetricError:
        return 0


def sample(n=400, seed=0, shift=1.5, share=0.4):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < share).astype(int)
    return y, rng.normal(size=n) + shift * y


@pytest.mark.parametrize(("limit", "confidence"), RISKS)
@pytest.mark.parametrize("negatives", [1, 2, 5, 9, 12])
def test_the_lowest_threshold_that_the_binomial_law_allows(limit, confidence, negatives):
    """Every order of the classes, positives between any two negatives: the order statistic, and no other."""
    steps = np.arange(1, negatives + 1)
    allowed = [k for k in range(negatives + 1) if exact_tail(k, negatives, limit) <= 1 - Fraction(repr(confidence))]
    place = chosen(max_fpr(limit, confidence=confidence), 0 * steps + 1, steps - 1, 1, negatives)
    assert place == (max(allowed) + 1 if allowed else 0)
    # the same for positives, from the other end
    place = chosen(min_recall(1 - limit, confidence=confidence), steps, 0 * steps, negatives, 1)
    missed = [negatives - k for k in steps]
    found = [k for k, m in zip(steps, missed, strict=True) if m in allowed]
    assert place == (min(found) if found else 0)


@pytest.mark.parametrize(("limit", "confidence"), RISKS)
def test_violations_counted_over_all_samples_of_tied_scores(limit, confidence):
    """Three scores of any probabilities, 8 negatives: the chance of breaking the limit, summed over all samples."""
    rule, n, worst = max_fpr(limit, confidence=confidence), 8, 0.0
    for law in product([0.02, 0.05, 0.1, 0.25, 0.4, 0.7], repeat=2):
        if sum(law) >= 1:
            continue
        rates, broken = np.cumsum(law), 0.0
        for counts in product(range(n + 1), repeat=2):
            if sum(counts) > n:
                continue
            place = chosen(rule, [1, 2, 3], [*np.cumsum(counts), n], 3, n)
            if place and [*rates, 1.0][place - 1] > limit + 1e-12:
                rest = n - sum(counts)
                ways = math.factorial(n) / math.prod(map(math.factorial, (*counts, rest)))
                broken += ways * law[0] ** counts[0] * law[1] ** counts[1] * (1 - sum(law)) ** rest
        worst = max(worst, broken)
    assert worst <= 1 - confidence + 1e-12
    # nor is the limit kept by never coming near it, unless no sample of this size could
    assert (worst > 0) is bool(exact_tail(0, n, limit) <= 1 - Fraction(repr(confidence)))


@pytest.mark.parametrize(("negatives", "limit"), [(60, 0.05), (93, 0.05), (300, 0.1)])
def test_violations_for_continuous_scores_are_those_of_the_order_statistic(negatives, limit):
    """With a positive everywhere, the true FPR is a uniform order statistic: its law is known."""
    most = max(k for k in range(negatives) if binom.cdf(k, negatives, limit) <= 0.05)
    rng = np.random.default_rng(0)
    broken = 0
    for _ in range(2000):
        # FPR falls from left to right; thresholds at a fine grid of positives
        uniform = np.sort(rng.random(negatives))
        grid = np.linspace(0, 1, 2001)[1:-1]
        fp = np.searchsorted(uniform, grid)
        place = chosen(max_fpr(limit, confidence=0.95), np.arange(1, len(grid) + 1), fp, len(grid), negatives)
        broken += place > 0 and grid[place - 1] > limit
        assert place == 0 or fp[place - 1] <= most
    expected = binom.cdf(most, negatives, limit)
    assert broken / 2000 == pytest.approx(expected, abs=3 * math.sqrt(expected / 2000))


def test_precision_is_guaranteed_where_the_limit_is_broken_below():
    """Scores of the gamma family: at most 5% of samples break it, and many have an answer."""
    rng, broken, answers = np.random.default_rng(1), 0, 0
    grid = np.linspace(0, 60, 6001)
    recall, fpr = gamma(4).sf(grid), gamma(2).sf(grid)
    precision = 0.3 * recall / np.maximum(0.3 * recall + 0.7 * fpr, 1e-300)
    rule = min_precision(0.55, confidence=0.95)
    for _ in range(400):
        y = rng.random(300) < 0.3
        score = np.where(y, rng.gamma(4, size=300), rng.gamma(2, size=300))
        place = np.argsort(-score)
        tp, fp = np.cumsum(y[place]), np.cumsum(~y[place])
        k = chosen(rule, tp, fp, int(y.sum()), int((~y).sum()))
        answers += k > 0
        broken += k > 0 and np.interp(score[place][k - 1], grid, precision) < 0.55
    assert broken <= 400 * 0.05 + 2 * math.sqrt(400 * 0.05 * 0.95)
    assert answers > 200


def test_thresholds_are_tried_in_turn():
    def tried(passes, start=0):
        passes = np.array(passes)
        return in_turn(passes.__getitem__, start, len(passes)).tolist()

    assert tried([True, True, False, True]) == [True, True, False, False]
    assert tried([True, False, True, True], 2) == [False, False, True, True]
    assert tried([True, True], 2) == [False, False]
    long = [True] * (BLOCK + 5) + [False] + [True] * (3 * BLOCK)
    assert sum(tried(long)) == BLOCK + 5
    assert sum(tried([True] * 4 * BLOCK, 7)) == 4 * BLOCK - 7
    # for a precision of 0.7: 0, 1 and 2 false alarms are allowed of 9, 14 and 19
    shares = [binom.cdf(k, n, 0.3) for k, n in ((0, 9), (1, 14), (2, 19))]
    assert max(shares) <= 0.05 < min(binom.cdf(k, n - 1, 0.3) for k, n in ((0, 9), (1, 14), (2, 19)))
    assert [_Test(np.zeros(n + 1), np.arange(n + 1), 0.3, 0.05).first() for n in (8, 9, 14, 30)] == [9, 9, 14, 19]


def test_a_false_alarm_too_many_ends_the_search_for_precision():
    tp, fp = np.arange(1, 61), np.zeros(60, dtype=int)
    rule = min_precision(0.7, confidence=0.95)
    assert chosen(rule, tp, fp, 60, 60) == 60
    fp[20:] += 8  # at the 21st threshold 8 of 29 alarms are false: not tried beyond
    assert chosen(rule, tp, fp, 60, 60) == 20
    assert binom.cdf(8, 68, 0.3) <= 0.05  # though the last one alone would pass


def test_what_the_point_says():
    y, score = sample()
    point = cw.operating_point(y, score, max_fpr(0.1, confidence=0.95), replicates=20)
    found, fp, n = point.guarantee, point.confusion.fp, int((y == 0).sum())
    assert (found.metric, found.limit, found.confidence, found.kind) == ("fpr", 0.1, 0.95, "exact")
    assert found.here == fp / n
    assert found.bound == pytest.approx(beta.ppf(0.95, fp + 1, n - fp))
    assert found.bound <= 0.1 < beta.ppf(0.95, fp + 2, n - fp - 1)
    expected = "With 95% confidence, at most 10% of the negatives of the same population are flagged at "
    assert f"{expected}{point.threshold} or above ({100 * found.here:.1f}% in these data)." in point.sentence
    assert "以 95% 的置信度保证" in point.sentence_in("zh")
    content = json.loads(json.dumps(point.to_dict(), allow_nan=False))
    assert content["guarantee"] | {"schema": 0} == {
        "schema": 0,
        **{k: getattr(found, k) for k in ("metric", "limit", "confidence", "kind", "here", "bound")},
        "also": [],
    }
    without = cw.operating_point(y, score, max_fpr(0.1), replicates=0)
    assert without.guarantee is None
    assert without.sentence.endswith("The limit is met in these data; new data may exceed it.")
    assert without.threshold < point.threshold


def test_a_specificity_is_an_fpr_and_lower_scores_may_be_positive():
    y, score = sample()
    one, same = (
        cw.operating_point(y, score, rule, replicates=0)
        for rule in (max_fpr(0.1, confidence=0.9), min_specificity(0.9, confidence=0.9))
    )
    assert one.threshold == same.threshold
    assert same.guarantee.bound == pytest.approx(1 - one.guarantee.bound)
    turned = cw.operating_point(y, -score, max_fpr(0.1, confidence=0.9), higher_is="negative", replicates=0)
    assert turned.threshold == -one.threshold
    assert f"at {turned.threshold} or below" in turned.sentence


def test_several_limits_hold_together():
    y, score = sample(1000)
    fpr, precision, recall = max_fpr(0.2), min_precision(0.7), min_recall(0.6)
    both = cw.operating_point(y, score, all_of(fpr, precision, confidence=0.95), replicates=0)
    alone = [
        cw.operating_point(y, score, r, replicates=0).threshold
        for r in (max_fpr(0.2, confidence=0.95), min_precision(0.7, confidence=0.95))
    ]
    assert both.threshold == max(alone)
    assert [g.metric for g in (both.guarantee, *both.guarantee.also)] == ["fpr", "precision"]
    assert len(both.guarantee.table) == 2
    # limits from both ends share what may be spent
    window = cw.operating_point(y, score, all_of(recall, fpr, confidence=0.9), replicates=0)
    assert window.threshold == cw.operating_point(y, score, min_recall(0.6, confidence=0.95), replicates=0).threshold
    other = cw.operating_point(y, score, all_of(fpr, recall, confidence=0.9), replicates=0)
    assert other.threshold == alone[0] < window.threshold
    here = cw.operating_point(y, score, all_of(fpr, recall), replicates=0)
    assert here.threshold == cw.operating_point(y, score, fpr, replicates=0).threshold
    with pytest.raises(
        cw.UndefinedMetricError, match=r"no observed score has an FPR of 0.2 or less and a recall of 0.99"
    ):
        cw.operating_point(y, score, all_of(fpr, min_recall(0.99)), replicates=0)


def test_how_many_rows_would_do():
    assert [needed_rows(a, 0.05) for a in (0.5, 0.1, 0.05, 0.01)] == [5, 29, 59, 299]
    y, score = np.repeat([1, 0], [300, 58]), np.arange(358)[::-1]
    with pytest.raises(
        cw.UndefinedMetricError,
        match=r"58 negatives are too few to guarantee this limit with 95% confidence; 59 without an error would do",
    ):
        cw.operating_point(y, score, max_fpr(0.05, confidence=0.95))
    y, score = np.repeat([1, 0], [300, 59]), np.arange(359)[::-1]
    assert cw.operating_point(y, score, max_fpr(0.05, confidence=0.95), replicates=0).confusion.tp == 300
    with pytest.raises(cw.UndefinedMetricError, match=r"no threshold is shown to keep the limit on new data with 95%"):
        cw.operating_point(1 - y, np.tile([1.0, 2.0], 180)[:359], max_fpr(0.05, confidence=0.95))


def test_clustered_and_weighted_rows_count_as_fewer():
    y, score = sample(600)
    rule = max_fpr(0.1, confidence=0.95)
    plain = cw.operating_point(y, score, rule, replicates=0)
    # each row twice, in a cluster: as good as once
    twice = cw.operating_point(
        np.repeat(y, 2), np.repeat(score, 2), rule, cluster=np.repeat(np.arange(600), 2), replicates=20
    )
    assert twice.guarantee.kind == "approximate"
    assert [n.code for n in twice.notes] == ["guarantee_of_dependent_rows"]
    assert twice.guarantee.bound == pytest.approx(plain.guarantee.bound, rel=0.02)
    assert cw.operating_point(np.repeat(y, 2), np.repeat(score, 2), rule, replicates=0).threshold < twice.threshold
    weighted = cw.operating_point(y, score, rule, weight=np.full(600, 2.5), replicates=0)
    assert weighted.guarantee.bound == pytest.approx(plain.guarantee.bound, rel=0.02)
    for metric in (
        min_precision(0.6, confidence=0.95),
        min_recall(0.8, confidence=0.95),
        max_alarms(0.4, confidence=0.95),
    ):
        once = cw.operating_point(y, score, metric, replicates=0)
        doubled = cw.operating_point(
            np.repeat(y, 2), np.repeat(score, 2), metric, cluster=np.repeat(np.arange(600), 2), replicates=0
        )
        assert doubled.guarantee.bound == pytest.approx(once.guarantee.bound, rel=0.02)
    folds = cw.operating_point(cw.read_rows(y, score, fold=np.arange(600) % 3), rule=rule, replicates=0)
    assert (folds.threshold, folds.guarantee.kind) == (plain.threshold, "approximate")
    assert "models of the folds" in str(folds.notes[0])


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [5, None])
def test_violations_with_clusters(sizes):
    """Rows of a cluster share half of their variance; sizes are equal, or from 1 to 15."""
    rng, rule, broken = np.random.default_rng(3), max_fpr(0.1, confidence=0.95), 0
    for _ in range(600):
        size = np.full(60, sizes) if sizes else np.minimum(1 + rng.geometric(0.25, 60), 15)
        cluster = np.repeat(np.arange(60), size)
        y = (rng.random(len(cluster)) < 0.3).astype(int)
        score = rng.normal(size=60)[cluster] * math.sqrt(0.5) + rng.normal(size=len(cluster)) * math.sqrt(0.5) + 1.6 * y
        point = cw.operating_point(y, score, rule, cluster=cluster, replicates=0)
        broken += norm.sf(point.threshold) > 0.1
    assert broken / 600 <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 600)
    assert broken / 600 > 0.02


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: max_fpr(0.1, confidence=1),
            "confidence: expected a number strictly between 0 and 1|confidence: expected",
        ),
        (lambda: max_fpr(0, confidence=0.9), "at: no number of rows can guarantee an FPR of 0 or less"),
        (lambda: max_fpr(1, confidence=0.9), "at: every threshold keeps an FPR of 1 or less"),
        (lambda: min_recall(1, confidence=0.9), "at: no number of rows can guarantee a recall of 1 or more"),
        (lambda: min_recall(0, confidence=0.9), "at: every threshold keeps a recall of 0 or more"),
        (lambda: max_alarms(10, confidence=0.9), "at: a guarantee for new rows is of a share below 1"),
        (
            lambda: min_precision(0.5, confidence=0.9, prevalence=0.1),
            "prevalence: there is no guarantee of a precision",
        ),
        (lambda: cw.rules.all_of(max_fpr(0.1), min_recall(0.5), levl=1), "levl: unknown option"),
        (lambda: all_of(max_fpr(0.1)), "rules: expected two rules or more"),
        (
            lambda: all_of(max_fpr(0.1), cw.rules.youden()),
            r"rules: expected rules with a limit, as in max_fpr\(0.05\), got youden",
        ),
        (lambda: all_of(max_fpr(0.1, confidence=0.9), min_recall(0.5)), "confidence: state it once"),
        (lambda: all_of(max_fpr(0.1, prevalence=0.2), min_recall(0.5)), "prevalence: state it once"),
    ],
)
def test_refusals_of_rules(call, words):
    with pytest.raises(cw.CurvewiseError, match=words):
        call()


def test_refusals_of_rows():
    y, score = sample(200)
    rule = max_fpr(0.2, confidence=0.9)
    with pytest.raises(cw.OptionError, match="confidence: there is no guarantee for rows sampled within strata"):
        cw.operating_point(y, score, rule, stratum=np.arange(200) % 2)
    with pytest.raises(cw.OptionError, match="confidence: weighted counts do not say how many independent rows"):
        cw.operating_point(cw.sweep(y, score, weight=np.linspace(0.5, 1.5, 200)), rule)
    horizon = cw.horizon(np.linspace(1, 9, 200), y, score, at=5)
    with pytest.raises(cw.OptionError, match="confidence: there is no guarantee for outcomes at a horizon"):
        cw.operating_point(horizon, rule)


def test_so_many_rows_lose_that_little():
    rule = max_fpr(0.1, confidence=0.9)
    n = cw.guarantee_sample_size(rule, auc=0.85, loss=0.05)
    shift, rng, lost = math.sqrt(2) * norm.ppf(0.85), np.random.default_rng(0), []
    positives = np.linspace(-5, 7, 3000)  # a threshold everywhere
    y = np.repeat([0, 1], [n, 3000])
    for _ in range(150):
        point = cw.operating_point(y, np.concatenate([rng.normal(size=n), positives]), rule, replicates=0)
        lost.append(norm.sf(norm.isf(0.1) - shift) - norm.sf(point.threshold - shift))
    assert np.mean(lost) == pytest.approx(0.05, abs=3 * np.std(lost) / math.sqrt(150))
    # the other class, the other way round, and other losses
    assert cw.guarantee_sample_size(min_recall(0.9, confidence=0.9), auc=0.85, loss=0.05) == n
    assert cw.guarantee_sample_size(rule, auc=0.85, loss=0.1) < n < cw.guarantee_sample_size(rule, auc=0.85, loss=0.04)
    # where any loss will do, as many as can guarantee anything
    assert cw.guarantee_sample_size(rule, auc=0.85, loss=0.99) == needed_rows(0.1, 0.1)
    for other, words in (
        (max_fpr(0.1), "a limit with a confidence"),
        (min_precision(0.1, confidence=0.9), "FPR, spec"),
    ):
        with pytest.raises(cw.OptionError, match=f"rule: expected .*{words}"):
            cw.guarantee_sample_size(other, auc=0.8, loss=0.1)
