"""Every input of survival over time that cannot be used has one sentence that says what, where and what to do."""

import numpy as np
import pytest

import curvewise as cw

TIME, EVENT = [2, 3, 5, 6, 8, 9], [1, 1, 0, 1, 0, 1]
RISK, P = [9, 4, 7, 6, 1, 2], [0.9, 0.4, 0.7, 0.6, 0.1, 0.2]
GRID = [3, 6]
S = np.column_stack([np.linspace(0.9, 0.5, 6), np.linspace(0.8, 0.3, 6)])


def moved(row, column, value):
    matrix = S.copy()
    matrix[row, column] = value
    return matrix


REFUSED = {
    "no horizon": ({"horizons": []}, r"horizons: expected positive numbers, as in \[365, 1095\], got none\."),
    "negative horizon": ({"horizons": [3, -1]}, r"horizons: expected positive numbers, got -1\."),
    "horizon 0": ({"horizons": [0]}, r"horizons: expected positive numbers, got 0\."),
    "infinite horizon": ({"horizons": [np.inf]}, r"horizons: expected positive numbers, got inf\."),
    "horizon in words": ({"horizons": "6"}, r"horizons: expected positive numbers, got '6'\."),
    "horizon true": ({"horizons": [True]}, r"horizons: expected positive numbers, got True\."),
    "horizon missing": ({"horizons": [None]}, r"horizons: expected positive numbers, got None\."),
    "repeated horizon": ({"horizons": [3, 6, 3]}, r"horizons: 3 is given 2 times\."),
    "entry": ({"entry": [0] * 6}, r"entry: delayed entry is for concordance alone, not for horizons"),
    "unknown option": ({"horizon": 3}, r"horizon: unknown option of survival; did you mean 'horizons'\?"),
    "rounding": ({"round_to": 3}, "round_to: unknown option of survival"),
    "level": ({"level": 1}, "level: expected a number strictly between 0 and 1, got 1"),
    "replicates": ({"replicates": 1}, "replicates: expected a whole number of at least 2, got 1"),
    "controls": ({"controls": "free"}, "controls: expected one of 'all', 'event-free', got 'free'"),
    "censoring": ({"censoring": "km"}, "censoring: expected None, 'by-score' or a pair"),
    "matrix as risk": ({"risk": S}, "risk: expected one number per row, got 6 × 2; .*survival=matrix, times=grid"),
    "nothing predicted": ({"risk": None}, "risk: expected risk scores, one per row, got None; or pass probability="),
    "both": ({"probability": {6: P}, "survival": S, "times": GRID}, "probability: survival= already gives"),
    "times alone": ({"times": GRID}, "times: they are those of the columns of survival=, which is missing"),
    "no times": ({"survival": S}, "times: expected the rising times of the columns of survival=, got None"),
    "fewer times": ({"survival": S, "times": [6]}, r"times: expected 2 rising times for 2 columns, got 1\."),
    "falling times": ({"survival": S, "times": [6, 3]}, r"times: expected rising times, got 3 after 6\."),
    "equal times": ({"survival": S, "times": [6, 6]}, r"times: expected rising times, got 6 after 6\."),
    "times in words": ({"survival": S, "times": ["a", "b"]}, "times: expected rising times of 0 or more, got 'a'"),
    "horizon between times": (
        {"survival": S, "times": GRID, "horizons": [4]},
        r"horizons: 4 is not one of times; the nearest are 3 and 6\.",
    ),
    "horizon past times": (
        {"survival": S, "times": GRID, "horizons": [7]},
        r"horizons: 7 is not one of times; the nearest is 6\.",
    ),
    "rising curve": (
        {"survival": moved(3, 1, 0.84), "times": GRID},
        (
            r"survival: expected probabilities that fall with time, row 3 rises from 0\.6600 to 0\.8400 at 6; "
            r"did you pass the risk 1 - S\?"
        ),
    ),
    "curve outside": (
        {"survival": moved(2, 0, 1.2), "times": GRID},
        r"survival: expected probabilities from 0 to 1 that fall with time, got 1\.2000 at 3 \(row 2\)\.",
    ),
    "curve below": (
        {"survival": S - 0.6, "times": GRID},
        r"survival: expected probabilities from 0 to 1 .*, got −0\.1000 at 6 \(row 3 and 2 other rows\)\.",
    ),
    "one curve column": ({"survival": P, "times": GRID}, "survival: expected a matrix, .* got 6 numbers"),
    "curves in words": ({"survival": [["a", "b"]] * 6, "times": GRID}, "survival: expected a matrix of numbers"),
    "no curves": ({"survival": {}, "times": GRID}, "survival: expected a matrix, or a dict .* got an empty dict"),
    "too few curves": (
        {"survival": S[:4], "times": GRID},
        "time and survival at 3 must be equally long: time has 6 rows, survival at 3 has 4 rows",
    ),
    "probability column": ({"probability": P}, r"probability: expected a dict of probabilities by horizon"),
    "empty probability": ({"probability": {}}, r"probability: expected a dict of probabilities by horizon"),
    "empty of model": ({"probability": {"score": {}}}, "probability: expected a dict .* got an empty dict"),
    "mixed": ({"probability": {6: P, "a": {6: P}}}, "probability: expected .* got some of both"),
    "probability elsewhere": ({"probability": {4: P}}, r"probability: 4 is not one of horizons; they are 6\."),
    "unknown model": (
        {"risk": {"a": RISK, "b": RISK}, "probability": {"c": {6: P}}},
        r"probability: there is no risk of 'c'; the models are a, b\.",
    ),
    "unknown model of curves": (
        {"risk": {"a": RISK, "b": RISK}, "survival": {"c": S}, "times": GRID},
        r"survival: there is no risk of 'c'; the models are a, b\.",
    ),
    "whose probability": (
        {"risk": {"a": RISK, "b": RISK}, "probability": {6: P}},
        r"probability: there are 2 models; pass a dict of such dicts by name \(a, b\)\.",
    ),
    "whose curves": (
        {"risk": {"a": RISK, "b": RISK}, "survival": S, "times": GRID},
        r"survival: there are 2 models; pass a dict of matrices by name \(a, b\)\.",
    ),
    "probability outside": (
        {"probability": {6: [0.9, 0.4, 0.7, 1.6, 0.1, 0.2]}},
        r"probability at 6: expected probabilities from 0 to 1, got 1 other value \(row 3\)",
    ),
    "percentages": (
        {"probability": {6: [90, 40, 70, 60, 10, 20]}},
        r"probability at 6: .*they look like percentages: divide by 100",
    ),
    "missing probability": ({"probability": {6: [None, *P[1:]]}}, "probability at 6 has 1 missing value"),
    "turned": (
        {"risk": None, "probability": {6: P}, "higher_is": "negative"},
        "higher_is: predicted probabilities are of the event",
    ),
    "negative time": ({"time": [2, 3, -5, 6, 8, 9]}, "time: expected 0 or more, got -5"),
    "other codes": ({"event": [1, 2, 0, 1, 0, 1]}, "event: .*cause="),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_input_has_one_sentence(name):
    options, sentence = REFUSED[name]
    given = {"time": TIME, "event": EVENT, "risk": RISK, "horizons": [6], **options}
    with pytest.raises(cw.CurvewiseError, match=sentence) as caught:
        cw.survival(given.pop("time"), given.pop("event"), given.pop("risk"), **given)
    assert "\n" not in str(caught.value)


def several():
    return cw.survival(TIME, EVENT, {"a": RISK, "b": P}, horizons=[5, 6], probability={"b": {5: P, 6: P}})


ASKED = {
    "unknown model": (lambda sv: sv.at(6, "c"), r"model: expected one of a, b, got 'c'\."),
    "no model": (lambda sv: sv.auc_curve(), r"model: expected one of a, b, got None\."),
    "unknown horizon": (lambda sv: sv.at(7, "a"), r"horizon: expected one of the horizons, 5, 6, got 7\."),
    "no horizon": (lambda sv: sv.compare("roc_auc"), r"horizon: roc_auc is at a horizon; expected one of 5, 6\."),
    "needless horizon": (lambda sv: sv.compare("concordance", 6), "horizon: concordance is over all times"),
    "no probability": (lambda sv: sv.compare("brier_loss", 6), "brier_loss at 6 needs probabilities, and a has none"),
    "no curve": (lambda sv: sv.brier_curve("a"), "A Brier score needs probabilities, and a has none"),
    "no integral": (lambda sv: sv.integrated_brier(), "A Brier score needs probabilities"),
    "rule": (lambda sv: sv.integrated_brier("simpson"), "rule: expected one of 'trapezoid', 'step'"),
    "points": (lambda sv: sv.auc_curve("a", points=1), "points: expected a whole number of at least 2, got 1"),
    "groups": (lambda sv: sv.risk_groups("a", 1), "groups: expected a whole number of at least 2, got 1"),
    "metric": (lambda sv: sv.compare("roc_auc", 6, colour=1), "colour: unknown option"),
    "figure": (
        lambda sv: sv.plot(metric="recall"),
        "metric: there is no recall to draw; there are roc_auc, brier_skill",
    ),
}


@pytest.mark.parametrize("name", ASKED)
def test_bad_questions_have_one_sentence(name):
    ask, sentence = ASKED[name]
    with pytest.raises(cw.CurvewiseError, match=sentence):
        ask(several())
