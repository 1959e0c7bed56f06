"""Two windows compared: numbers of the verbs they come from, one answer per question, in both languages."""

import dataclasses
import json
import math
from itertools import product

import numpy as np
import pytest

import curvewise as cw
from curvewise.inference.score_drift import score_drift

QUESTIONS = ("roc_auc", "average_precision", "observed_expected", "calibration_slope", "prevalence", "scores")


def rows(n, seed, *, slope=1.0, moved=0.0, centre=-1.0):
    rng = np.random.default_rng(seed)
    odds = rng.normal(centre + moved, 1.2, n)
    y = rng.random(n) < 1 / (1 + np.exp(-(centre + slope * (odds - centre))))
    return y, 1 / (1 + np.exp(-odds))


REFERENCE, SAME, WORSE = rows(4000, 1), rows(2000, 2), rows(2000, 3, slope=0.3)


def found(now=SAME, reference=REFERENCE, **options):
    return cw.compare_windows(cw.sweep(*now), cw.sweep(*reference), **options)


class TestNumbers:
    def test_ranking_is_that_of_compare(self):
        c = found(WORSE)
        for metric in ("roc_auc", "average_precision"):
            sweeps = {"now": cw.sweep(*WORSE), "reference": cw.sweep(*REFERENCE)}
            pair = cw.compare(sweeps, metric=metric)
            change = c.metrics[metric]
            assert change.difference == pair.difference
            assert change.p_value == pair.p_value
            assert change.now.value == cw.score(metric, *WORSE)
            assert change.then.value == cw.score(metric, *REFERENCE)
            assert change.now.has_interval

    def test_an_interval_excludes_0_exactly_where_p_is_small(self):
        for seed, level in product(range(5), (0.5, 0.8, 0.95)):
            c = found(rows(500, seed), level=level)
            for change in c.metrics.values():
                assert change.is_clear == (change.p_value < 1 - level)

    def test_calibration_is_that_of_both_windows(self):
        c = found(WORSE)
        for name, key in (("observed_expected", "observed_expected"), ("calibration_slope", "slope")):
            assert c.calibration[name].now == getattr(cw.calibration(*WORSE, replicates=0), key)
            assert c.calibration[name].then == getattr(cw.calibration(*REFERENCE, replicates=0), key)
            gap = c.calibration[name].difference
            assert gap.low < gap.value < gap.high

    def test_prevalence_has_newcombes_interval(self):
        c = found((np.repeat([1, 0], [56, 14]), np.arange(70)), (np.repeat([1, 0], [48, 32]), np.arange(80)))
        gap = c.prevalence.difference
        # Newcombe (1998) Statist. Med. 17:873-890, table II, method 10, for 56/70 - 48/80
        assert (round(gap.value, 4), round(gap.low, 4), round(gap.high, 4)) == (0.2, 0.0524, 0.3339)

    def test_scores_are_those_of_score_drift(self):
        c = found(WORSE)
        sweeps = cw.sweep(*REFERENCE), cw.sweep(*WORSE)
        for part in ("all", "positives", "negatives"):
            assert c.scores[part] == score_drift(*sweeps, part, level=0.95)

    def test_streams_and_windows_are_taken(self):
        week = cw.StreamWindow(3).update(SAME[0][:900], SAME[1][:900]).advance().update(SAME[0][900:], SAME[1][900:])
        assert cw.compare_windows(week, cw.Stream().update(*REFERENCE)).to_dict() == found().to_dict()

    def test_sizes(self):
        sizes = found().sizes
        assert sizes["now"] == {"rows": 2000, "positives": SAME[0].sum(), "negatives": (~SAME[0]).sum()}
        assert sizes["reference"]["rows"] == 4000


class TestAnswers:
    def test_nothing_has_changed(self):
        c = found()
        assert c.answers == dict.fromkeys(QUESTIONS, "no sign")
        assert c.changed == ()

    def test_a_model_that_says_less(self):
        c = found(WORSE)
        assert {"roc_auc", "calibration_slope"} <= set(c.changed)
        assert c.answers["scores"] == "no sign"
        assert "AUC fell by" in str(c.verdicts[0])

    def test_scores_that_moved(self):
        c = found(rows(2000, 4, moved=0.5))
        assert {"prevalence", "scores"} <= set(c.changed)
        assert c.answers["observed_expected"] == "no sign"

    def test_level_decides(self):
        now = rows(2000, 3, slope=0.93)
        clear = found(now).metrics["roc_auc"].p_value
        assert 1e-4 < clear < 0.05
        assert found(now).answers["roc_auc"] == "changed"
        assert found(now, level=0.9999).answers["roc_auc"] == "no sign"

    @pytest.mark.parametrize(
        ("now", "few"),
        [
            ((np.arange(200) < 19, np.linspace(0.1, 0.9, 200)), "19 positives now; at least 20"),
            ((np.arange(200) > 3, np.linspace(0.1, 0.9, 200)), "4 negatives now; at least 20"),
            ((np.zeros(200), np.linspace(0.1, 0.9, 200)), "0 positives now"),
        ],
        ids=["positives", "negatives", "one-class"],
    )
    def test_too_few_of_a_class(self, now, few):
        c = found(now)
        assert [name for name, answer in c.answers.items() if answer == "too few"] == list(QUESTIONS[:4])
        assert c.answers["prevalence"] == "changed"
        assert few in str(c.verdicts[0])
        assert str(c.verdicts[0]).startswith("Too few rows to judge a change in AUC")
        assert json.dumps(c.to_dict(), allow_nan=False)

    def test_too_few_in_the_reference(self):
        c = found(SAME, (np.arange(6) % 2, np.arange(6) / 10))
        assert set(c.answers.values()) == {"too few"}
        assert "3 positives in the reference" in str(c.verdicts[0])
        assert "6 rows in the reference" in str(c.verdicts[-1])

    def test_weights_have_numbers_and_no_answers(self):
        w = np.random.default_rng(0).random(2000) + 0.5
        c = cw.compare_windows(cw.sweep(*SAME, weight=w), cw.sweep(*REFERENCE))
        assert c.answers == dict.fromkeys(QUESTIONS, "unknown")
        assert c.metrics["roc_auc"].now.value == cw.roc_auc(*SAME, weight=w)
        assert not c.prevalence.difference.has_interval
        assert math.isnan(c.scores["all"].psi_limit)
        assert json.dumps(c.to_dict(), allow_nan=False)

    def test_counts_are_rows(self):
        twice = cw.compare_windows(cw.sweep(*SAME, weight=np.full(2000, 2), weight_kind="count"), cw.sweep(*REFERENCE))
        rows_twice = found([np.tile(v, 2) for v in SAME])
        assert twice.to_dict() == rows_twice.to_dict()

    def test_scores_that_are_no_probabilities(self):
        logit = [(y, np.log(p / (1 - p))) for y, p in (SAME, REFERENCE)]
        c = found(*logit)
        assert c.calibration == {}
        assert list(c.answers) == ["roc_auc", "average_precision", "prevalence", "scores"]
        decisions = [(y, p > 0.5) for y, p in (SAME, REFERENCE)]
        assert found(*decisions).calibration == {}
        lower = [cw.sweep(y, 1 - p, higher_is="negative") for y, p in (SAME, REFERENCE)]
        assert cw.compare_windows(*lower).calibration == {}

    def test_scores_all_equal_in_the_reference(self):
        c = found(SAME, (REFERENCE[0], np.full(4000, 0.3)))
        assert c.answers["scores"] == "unknown"
        assert "All baseline scores are equal" in str(c.verdicts[-1])

    def test_every_sentence_in_both_languages(self):
        w = np.ones(2000) * 1.5
        several = [
            found(WORSE),
            found(),
            found(rows(2000, 4, moved=0.5)),
            found((np.zeros(20), np.arange(20))),
            cw.compare_windows(cw.sweep(*SAME, weight=w), cw.sweep(*REFERENCE)),
            cw.compare_windows(*(cw.Stream(resolution=0.1).update(*v) for v in (SAME, REFERENCE))),
        ]
        for c in several:
            for said in (*c.verdicts, *c.notes):
                for lang in ("en", "zh"):
                    assert said.text(lang)
                    assert "{" not in said.text(lang)


class TestBins:
    def test_notes_say_how_far_bins_leave_numbers_open(self):
        c = cw.compare_windows(cw.Stream(resolution=0.01).update(*SAME), cw.Stream(resolution=0.01).update(*REFERENCE))
        told = [str(n) for n in c.notes]
        assert any(t.startswith("AUC now: scores were counted in bins: the guaranteed bounds") for t in told)
        assert any(t.startswith("the calibration slope in the reference: scores were counted in bins") for t in told)
        assert any("the exact KS may be larger" in t for t in told)
        assert "in_bins" not in [n.code for n in found().notes]
        assert not any(n.code in ("of_metric_when", "ks_in_bins") for n in found().notes)

    def test_fine_bins_answer_as_all_scores_do(self):
        exact = found(WORSE)
        c = cw.compare_windows(cw.Stream(resolution=0.01).update(*WORSE), cw.Stream(resolution=0.01).update(*REFERENCE))
        assert c.answers == exact.answers
        for name, change in c.metrics.items():
            assert change.difference.value == pytest.approx(exact.metrics[name].difference.value, abs=0.003)

    @pytest.mark.parametrize("higher_is", ["positive", "negative"])
    @pytest.mark.parametrize("resolutions", [(0.5, 0.5), (0.05, 0.5), (0.5, None), (None, 0.05)], ids=str)
    def test_drift_is_counted_in_common_bins(self, resolutions, higher_is):
        windows = rows(3000, 5), rows(2000, 6, moved=0.3)
        exact = score_drift(*(cw.sweep(*v, higher_is=higher_is) for v in windows), "all", level=0.95)
        sweeps = [
            cw.Stream(resolution=r, higher_is=higher_is).update(*v).sweep()
            for r, v in zip(resolutions, windows, strict=True)
        ]
        c = score_drift(*sweeps, "all", level=0.95)
        assert c.ks <= exact.ks + 1e-12
        assert exact.ks <= c.ks + c.within
        assert c.within > 0

    def test_bins_of_one_window_are_no_change_of_probabilities(self):
        coarse = cw.Stream(resolution=0.5).update(*REFERENCE)
        c = cw.compare_windows(cw.sweep(*SAME), coarse)
        assert c.calibration["observed_expected"].difference.value == pytest.approx(0, abs=0.1)
        assert c.answers["observed_expected"] == c.answers["calibration_slope"] == "no sign"
        apart = cw.calibration(*SAME).observed_expected.value - float(cw.calibration(coarse.sweep()).observed_expected)
        assert abs(apart) > 0.2  # each by itself

    def test_the_same_rows_in_other_bins_have_not_moved(self):
        sweeps = [cw.Stream(resolution=r).update(*SAME).sweep() for r in (0.5, 0.02)]
        for one, two in (sweeps, sweeps[::-1]):
            c = score_drift(one, two, "all", level=0.95)
            assert (c.psi, c.ks) == (0, 0)


class TestResult:
    def test_shows_answers_numbers_and_drift(self):
        c = found(WORSE)
        text = str(c)
        assert text.index("AUC fell") < text.index("Windows compared: 2000 rows now and 4000 in the reference")
        assert "Drift of the scores" in text
        assert "about 5% of such looks still find a change" in text
        assert list(c.table.columns) == ["metric", "reference", "now", "difference", "low", "high", "p", "answer"]
        assert len(c.table) == 5
        assert c.to_dict()["answers"] == c.answers
        assert [v["code"] for v in c.to_dict()["verdicts"]] == [v.code for v in c.verdicts]
        with pytest.raises(dataclasses.FrozenInstanceError):
            c.level = 0.5

    def test_the_note_on_looks_knows_the_level(self):
        assert "one in 1,000 daily looks" in str(found(level=0.999).notes[-1])


class TestRefused:
    @pytest.mark.parametrize("bad", [None, [1, 2], {"a": 1}], ids=["none", "list", "dict"])
    def test_what_is_no_window(self, bad):
        with pytest.raises(cw.CurvewiseError, match="now: expected a Sweep, a Stream or a StreamWindow"):
            cw.compare_windows(bad, cw.sweep(*SAME))
        with pytest.raises(cw.CurvewiseError, match="reference: expected a Sweep"):
            cw.compare_windows(cw.sweep(*SAME), bad)

    def test_windows_read_differently(self):
        with pytest.raises(cw.CurvewiseError, match="round_to is None and 2"):
            cw.compare_windows(cw.sweep(*SAME), cw.sweep(*REFERENCE, round_to=2))
        with pytest.raises(cw.CurvewiseError, match="higher_is is 'positive' and 'negative'"):
            cw.compare_windows(cw.sweep(*SAME), cw.sweep(*REFERENCE, higher_is="negative"))

    def test_sweeps_of_another_kind(self):
        unknown = cw.Sweep.from_counts([1, 2], [3, 4], [5, 6], negatives_known=False)
        missed = cw.Sweep.from_counts([1, 2], [3, 4], [5, 6], 20)
        for bad in (unknown, missed):
            with pytest.raises(cw.CurvewiseError, match="every row has a score and a label"):
                cw.compare_windows(bad, cw.sweep(*SAME))
        with pytest.raises(cw.CurvewiseError, match="not at a horizon or another prevalence"):
            cw.compare_windows(cw.sweep(*SAME), cw.sweep(*SAME).at_prevalence(0.5))

    def test_an_empty_stream(self):
        with pytest.raises(cw.CurvewiseError, match="no rows yet"):
            cw.compare_windows(cw.StreamWindow(), cw.sweep(*SAME))

    @pytest.mark.parametrize("level", [0, 1, "high", None], ids=str)
    def test_level(self, level):
        with pytest.raises(cw.OptionError, match="level"):
            found(level=level)
        with pytest.raises(cw.UnknownOptionError, match="level"):
            found(confidence_level=0.9)
