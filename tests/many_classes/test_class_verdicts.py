"""One answer per question about a model of many classes: numbers, sides, and what a reader is warned of."""

from __future__ import annotations

import numpy as np
import pytest

import curvewise as cw
from curvewise.many_classes import class_verdicts as say
from many_classes.sample import class_rows

DRAWN = {"level": 0.95, "rng": 0, "replicates": 200}


def judged(y, guess):
    m = cw.multiclass(y, predicted=guess)
    gain = say.gain_over_most_frequent(m, **DRAWN)
    return m, gain, say.how_good(m, m.summary(replicates=200), gain)


def probabilities(sharpness, n=4000):
    """Return labels drawn with probabilities, and these made sharper or blunter."""
    rng = np.random.default_rng(3)
    z = rng.normal(size=(n, 3)) * 1.2
    p = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    y = (p.cumsum(axis=1) > rng.random((n, 1))).argmax(axis=1)
    q = np.exp(sharpness * z)
    return y, q / q.sum(axis=1, keepdims=True)


def right(sharpness):
    m = cw.multiclass(*probabilities(sharpness))
    return say.are_right(m, m.calibration(), m.top_label_calibration())


def test_accuracy_is_compared_with_the_most_frequent_class():
    y = ["a"] * 60 + ["b"] * 30 + ["c"] * 10
    _, gain, (first, second) = judged(y, y[:50] + ["b"] * 10 + y[60:])
    assert gain.value == pytest.approx(0.9 - 0.6)
    assert first.code == "classes_better"
    assert str(first).startswith("Accuracy is 90.0%; always predicting a, the most frequent class, would reach 60.0%.")
    assert second.code == "classes_balanced_better"
    assert second.values["chance"] == pytest.approx(1 / 3)
    _, gain, (first, second) = judged(y, ["c"] * 60 + y[60:])
    assert (first.code, first.values["gain"]) == ("classes_worse", pytest.approx(0.2))
    low, high = first.values["ends"]
    assert 0 < low < 0.2 < high
    _, _, (first, second) = judged(y, ["b"] * 20 + y[20:])
    assert first.code == "classes_better"
    _, _, (first, second) = judged(y, ["a"] * 100)
    assert (first.code, second.code) == ("classes_unclear", "classes_balanced_unclear")


def test_a_model_worse_than_guessing_is_called_so():
    y = list("abc") * 40
    _, _, (first, second) = judged(y, list("bca") * 35 + list("abc") * 5)
    assert (first.code, second.code) == ("classes_worse", "classes_balanced_worse")


def test_the_class_found_least_and_the_pairs_confused_most():
    y = ["a"] * 10 + ["b"] * 10 + ["c"] * 10
    m = cw.multiclass(y, predicted=["a"] * 9 + ["b"] + ["b"] * 5 + ["c"] * 5 + ["c"] * 6 + ["a"] * 4)
    (worst,) = say.worst_class(m.summary(replicates=20))
    assert (worst.values["label"], worst.values["recall"], worst.values["rows"]) == ("b", 0.5, 10)
    assert worst.values["ends"] == pytest.approx(cw.rate_interval(5, 10))
    pairs = [
        (n.values["label"], n.values["other"], n.values["rows"], n.values["share"]) for n in say.confused_most(m.matrix)
    ]
    assert pairs == [("b", "c", 5, 0.5), ("c", "a", 4, 0.4), ("a", "b", 1, 0.1)]
    assert m.matrix.confused(1).columns["rows"] == [5]


def test_a_perfect_model_confuses_nothing_and_is_suspected():
    y = list("abc") * 10
    m = cw.multiclass(y, predicted=y)
    assert [n.code for n in say.worst_class(m.summary(replicates=20))] == ["classes_all_found"]
    assert [n.code for n in say.confused_most(m.matrix)] == ["classes_never_confused"]
    assert len(m.matrix.confused()) == 0
    assert "classes_perfect" in [n.code for n in say.beware(m, None, None)]
    assert [str(n) for n in say.are_right(m, None, None)] == ["Predicted labels were given, not probabilities."]


@pytest.mark.parametrize(
    ("sharpness", "classwise", "chosen"),
    [
        (1.0, "classes_no_sign", "choice_as_sure"),
        (1.7, "classes_off", "choice_too_sure"),
        (0.5, "classes_off", "choice_too_unsure"),
    ],
)
def test_probabilities_are_judged_class_by_class_and_for_the_choice(sharpness, classwise, chosen):
    assert [n.code for n in right(sharpness)] == [classwise, chosen]


def test_what_is_wrong_with_a_class_is_named():
    y, p = probabilities(1.7)
    found = cw.multiclass(y, p).calibration()
    assert found.off == ("0", "1", "2")
    assert "0: too extreme, slope 0.5" in str(found.verdict)
    row = found.table.rows()[0]
    alone = cw.calibration(y == 0, p[:, 0], level=1 - 0.05 / 3, replicates=0)
    ends = (alone.slope.value, alone.slope.low, alone.slope.high)
    assert tuple(row[f"calibration_slope{end}"] for end in ("", "_low", "_high")) == pytest.approx(ends)
    assert row["observed"] == pytest.approx(np.mean(y == 0))
    low = p.copy()
    low[:, 0] *= 0.7
    low /= low.sum(axis=1, keepdims=True)
    assert cw.multiclass(*(y, low)).calibration().judged["0"].observed_expected.low > 1


def test_a_reader_is_warned_of_rare_classes_and_of_those_never_predicted():
    y, p = class_rows(n=90)
    y = np.append(y, [3, 3])
    p = np.vstack([np.column_stack([p, np.zeros(90)]), [[0.5, 0.3, 0.2, 0.0]] * 2])
    found = {n.code: n for n in say.beware(cw.multiclass(y, p), None, None)}
    assert found["few_rows_in_classes"].values["classes"] == ["3 (2)"]
    assert found["classes_never_predicted"].values["classes"] == ["3"]
    assert {n.values["severity"] for n in found.values()} == {"warn"}
    tied = cw.multiclass(y, np.round(2 * p, 1) / 3)
    told = {str(n): n.values["severity"] for n in say.beware(tied, None, None)}
    assert any("do not sum to 1" in text and kind == "warn" for text, kind in told.items())
    assert any("have several highest scores" in text and kind == "note" for text, kind in told.items())
    assert str(say.are_right(tied, None, None)[0]).startswith("The scores are not probabilities: ")


def test_differences_between_groups_are_named_the_clearest_first():
    y, p = class_rows(n=600)
    side = np.where(np.arange(600) % 2, "left", "right")
    m = cw.multiclass(y, p)
    assert [n.code for n in say.differ(m.by_group(side, replicates=200))] == ["class_gaps_none"]
    p[side == "left"] = 1 / 3
    found = say.differ(cw.multiclass(y, p).by_group(side, replicates=200))
    assert {n.code for n in found} == {"class_gap", "class_gap_area"}
    assert "across groups of group" in " ".join(map(str, found))
    assert [n.values["p"] for n in found] == sorted(n.values["p"] for n in found)
    assert say.differ(None) == ()


def test_every_sentence_is_there_in_chinese():
    y, p = class_rows(n=90)
    m = cw.multiclass(y, p)
    gain = say.gain_over_most_frequent(m, **DRAWN)
    notes = [
        *say.how_good(m, m.summary(replicates=20), gain),
        *say.beware(m, m.calibration(), m.top_label_calibration()),
    ]
    for found in notes:
        assert any("\u4e00" <= letter <= "\u9fff" for letter in found.text("zh"))
