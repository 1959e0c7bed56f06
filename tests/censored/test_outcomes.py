"""The door for censored outcomes: what is understood, and one sentence for everything that is not."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest

import curvewise as cw
from curvewise.censored.outcomes import read_outcomes
from optional import optional

pa = optional("pyarrow")

TIME, EVENT, RISK = [5, 3, 9, 9], [1, 0, 1, 0], [3.0, 1.0, 2.0, 1.0]
MISSING = " has 1 missing value (row 1); fill the gaps, or pass missing='drop' to leave such rows out."
FROM = "; time runs from when the prediction was made."
COLUMN = ": expected one value per row (a list, an array or a column of a frame), got a value of type int."
APART = "time: expected numbers that float64 can tell apart, got 1 other value (row 0), the first "
LATE = "entry: expected less than the row's time, got 2 other values (rows 1, 3), the first 3.0 with time 3.0"
LUNG = "event: the codes are 1 and 2; say which is the event, for example cause=2 (R's lung codes 1 censored, 2 dead)."
FINITE = "time: expected finite numbers in one unit, got "
CONVERT = "; convert first (durations: .dt.days)."
ALL_ROWS = "4 other values (rows 0, 1, 2, 3), the first "
EXCHANGED = "; time has only the values 0 and 1, so time and event look exchanged: the order is (time, event, risk)."
CURVES = "; for predicted survival curves pass survival=matrix, times=grid."
CODING = "event: expected 0/1 or True/False, or codes with cause=, got "


BAD_TIME = {
    "negative": ([5, -3, 9, 9], f"time: expected 0 or more, got -3 (row 1){FROM}"),
    "negatives": (
        [5, -3.5, -9, -9],
        f"time: expected 0 or more, got -3.5 (row 1 and 2 others){FROM}",
    ),
    "infinite": ([5, float("inf"), 9, 9], f"{FINITE}1 other value (row 1), the first inf{CONVERT}"),
    "text": (["5", "3", "9", "9"], f"{FINITE}{ALL_ROWS}text, '5'{CONVERT}"),
    "dates": ([dt.date(2020, 1, 1)] * 4, f"{FINITE}{ALL_ROWS}a date or time, datetime.date(2020, 1, 1){CONVERT}"),
    "durations": (
        np.array([1, 2, 3, 4], "m8[D]"),
        f"{FINITE}{ALL_ROWS}a duration, 1 days{CONVERT}",
    ),
    "missing": ([5, None, 9, 9], f"time{MISSING}"),
    "too large": (
        [2**60, 2, 3, 4],
        f"{APART}1152921504606846976; use a coarser unit, or round them.",
    ),
    "one number": (5, f"time{COLUMN}"),
    "shorter": ([1, 2, 3], "time and event must be equally long: time has 3 rows, event has 4 rows."),
}


@pytest.mark.parametrize(("time", "sentence"), BAD_TIME.values(), ids=BAD_TIME)
def test_bad_times(time, sentence):
    with pytest.raises(cw.CurvewiseError) as error:
        cw.concordance(time, EVENT, RISK)
    assert str(error.value) == sentence


BAD_EVENT = {
    "R's lung": (
        [1, 2, 1, 2],
        None,
        LUNG,
    ),
    "competing": (
        [0, 1, 2, 1],
        None,
        "event: 3 codes (0, 1, 2); competing risks need the one of interest: cause=1; 0 is censored.",
    ),
    "share": ([0.37, 1, 0, 1], None, f"{CODING}0.37 (row 0)."),
    "share with a cause": ([0.37, 1, 0, 1], 1, f"{CODING}0.37 (row 0)."),
    "text": (["dead", "alive", "dead", "alive"], None, f"{CODING}'dead' (rows 0, 1, 2, 3)."),
    "dates": (
        [dt.date(2020, 1, 1)] * 4,
        None,
        f"event: expected labels (numbers or text), got {ALL_ROWS}a date or time, datetime.date(2020, 1, 1).",
    ),
    "one other code": ([2, 2, 2, 2], None, "event: the only code is 2; say which is the event, for example cause=2."),
    "minus one": ([-1, 1, 1, -1], None, "event: the codes are -1 and 1; say which is the event, for example cause=1."),
    "absent cause": ([0, 1, 0, 1], 2, "event: no row has the code cause=2; the codes are 0 and 1."),
    "no zero": (
        [1, 2, 3, 1],
        2,
        "event: there are 3 codes (1, 2, 3), and none of them is 0, which means censored; recode them.",
    ),
    "cause 0": (
        [0, 1, 0, 1],
        0,
        "cause: expected the code of an event, which is not 0 (censored), got 0.",
    ),
    "missing": (
        [1, None, 1, 0],
        None,
        f"event{MISSING}",
    ),
}


@pytest.mark.parametrize(("event", "cause", "sentence"), BAD_EVENT.values(), ids=BAD_EVENT)
def test_bad_events(event, cause, sentence):
    with pytest.raises(cw.CurvewiseError) as error:
        cw.concordance(TIME, event, RISK, cause=cause)
    assert str(error.value) == sentence


@pytest.mark.parametrize("event", [[4, 7, 2, 5], [4.5, 7, 2, 5], [0, 7, 2, 5]])
def test_exchanged_time_and_event_are_told(event):
    with pytest.raises(cw.CurvewiseError) as error:
        cw.concordance([1, 0, 1, 0], event, RISK)
    assert str(error.value).endswith(EXCHANGED)


BAD_OTHER = {
    "matrix": ({"risk": np.ones((4, 20))}, f"risk: expected one number per row, got 4 × 20{CURVES}"),
    "lists": ({"risk": [[1, 2]] * 4}, f"risk: expected one number per row, got 4 × 2{CURVES}"),
    "frame": ({"risk": pd.DataFrame(np.ones((4, 3)))}, f"risk: expected one number per row, got 4 × 3{CURVES}"),
    "named matrix": ({"risk": {"m": np.ones((4, 3))}}, f"risk 'm': expected one number per row, got 4 × 3{CURVES}"),
    "text risk": (
        {"risk": [1, 2, 3, "x"]},
        "risk: expected real numbers, got 1 other value (row 3), the first text, 'x'; convert first.",
    ),
    "missing risk": (
        {"risk": [1, 2, float("nan"), 4]},
        "risk has 1 missing value (row 2); fill the gaps, or pass missing='drop' to leave such rows out.",
    ),
    "no risk": ({"risk": None}, "risk: expected one number per row, got None; the order is (time, event, risk)."),
    "no model": (
        {"risk": {}},
        'risk: expected a dict of models, as in {"a": risk_a, "b": risk_b}, got an empty one.',
    ),
    "two models": (
        {"risk": {"a": RISK, "b": RISK}},
        "risk: expected the scores of one model, got 2 (a, b); for several use survival.",
    ),
    "late entry": (
        {"entry": [0, 3, 1, 9]},
        f"{LATE}; leave out rows that were never under observation.",
    ),
    "negative entry": (
        {"entry": [0, -1, 1, 2]},
        "entry: expected 0 or more, got -1 (row 1); entry is on the scale of time.",
    ),
    "text entry": (
        {"entry": ["a", "b", "c", "d"]},
        f"{FINITE.replace('time', 'entry')}{ALL_ROWS}text, 'a'{CONVERT}",
    ),
    "weights": (
        {"weight": [1, -1, 1, 1]},
        "weight: expected weights of 0 or more, all finite, got 1 other value (row 1), the first -1.",
    ),
    "counts": (
        {"weight": [1, 1.5, 1, 1], "weight_kind": "count"},
        "weight: expected whole numbers, since they are counts, got 1 other value (row 1), the first 1.5.",
    ),
    "direction": (
        {"higher_is": "later"},
        "higher_is: expected one of 'positive', 'negative', got 'later'.",
    ),
    "decimals": ({"round_to": -1}, "round_to: expected a whole number of at least 0, got -1."),
    "unknown": ({"sample_weight": [1] * 4}, "sample_weight: unknown option; did you mean 'weight'?"),
    "method": ({"method": "gonen"}, "method: expected one of 'harrell', 'uno', got 'gonen'."),
    "until": ({"until": -1}, "until: expected a finite number of at least 0, got -1."),
    "until text": ({"until": "soon"}, "until: expected a finite number of at least 0, got 'soon'."),
    "censoring": (
        {"censoring": "by-score"},
        "censoring: method='harrell' does not weigh by censoring; leave it out, or use 'uno'.",
    ),
    "other censoring": (
        {"censoring": "cox", "method": "uno"},
        "censoring: expected None, 'by-score' or a pair (time, event), got 'cox'.",
    ),
    "entry of uno": (
        {"entry": [0, 1, 1, 2], "method": "uno"},
        "entry: delayed entry is supported for method='harrell' only; 'uno' needs rows observed from the start.",
    ),
}


@pytest.mark.parametrize(("options", "sentence"), BAD_OTHER.values(), ids=BAD_OTHER)
def test_bad_options_and_other_columns(options, sentence):
    with pytest.raises(cw.CurvewiseError) as error:
        cw.concordance(TIME, EVENT, **{"risk": RISK, **options})
    assert str(error.value) == sentence
    assert "\n" not in str(error.value)


def test_competing_events_are_refused():
    with pytest.raises(cw.CurvewiseError) as error:
        cw.concordance(TIME, [1, 2, 0, 2], RISK, cause=1)
    assert str(error.value) == (
        "event: 2 rows had a competing event, and concordance does not support competing risks; judge the risk by a "
        "time instead, as in horizon(time, event, risk, at=..., cause=...)."
    )


@pytest.mark.parametrize(
    "event",
    [
        [1, 0, 1, 0],
        [True, False, True, False],
        [1.0, 0.0, 1.0, 0.0],
        np.array([1, 0, 1, 0], np.uint8),
        [Decimal(1), Decimal(0), Decimal(1), Decimal(0)],
        pd.Series([True, False, True, False], dtype="boolean"),
        pl.Series([1, 0, 1, 0]),
        pa.array([1, 0, 1, 0]),
    ],
)
def test_events_in_any_container(event):
    assert read_outcomes(TIME, event, RISK).code.tolist() == [1, 0, 1, 0]


@pytest.mark.parametrize(
    "time",
    [
        np.array(TIME, np.int16),
        np.array(TIME, np.float32),
        [Fraction(t) for t in TIME],
        pl.Series(TIME),
        pa.array(TIME),
    ],
)
def test_times_in_any_container(time):
    read = read_outcomes(time, EVENT, RISK)
    assert read.time.dtype == np.float64
    assert read.time.tolist() == TIME


def test_codes_with_a_cause():
    assert read_outcomes(TIME, [2, 0, 1, 3], RISK, cause=2).code.tolist() == [1, 0, 2, 2]
    lung = read_outcomes(TIME, [2, 1, 2, 1], RISK, cause=2)
    assert lung.code.tolist() == [1, 0, 1, 0]
    assert [str(said) for said in lung.notes] == ["no row has code 0, so 1 is read as censored and 2 as the event"]
    assert "1" in lung.notes[0].text("zh")
    text = read_outcomes(TIME, ["dead", "alive", "dead", "alive"], RISK, cause="dead")
    assert text.code.tolist() == [1, 0, 1, 0]
    assert read_outcomes(TIME, ["dead", 0, "dead", "moved"], RISK, cause="dead").code.tolist() == [1, 0, 1, 2]
    assert read_outcomes(TIME, [0, 0, 0, 0], RISK, cause=1).code.tolist() == [0, 0, 0, 0]
    assert read_outcomes(TIME, [2, 2, 2, 2], RISK, cause=2).code.tolist() == [1, 1, 1, 1]


def test_times_of_0_and_1_alone_are_noted():
    found = cw.concordance([1, 0, 1, 0], [1, 1, 0, 0], RISK)
    assert "time is only ever 0 or 1: are time and event swapped?" in map(str, found.notes)
    assert not read_outcomes([1, 1, 1, 1], EVENT, RISK).notes


def test_missing_rows_are_dropped_together_and_rows_keep_their_numbers():
    read = read_outcomes([5, None, 9, 9, 2], [1, 0, None, 0, 1], [1, 2, 3, 4, -7], missing="drop", entry=[0] * 5)
    assert (read.dropped, read.kept.tolist(), read.score.tolist()) == (2, [0, 3, 4], [1, 4, -7])
    with pytest.raises(cw.CurvewiseError, match=r"time: expected 0 or more, got -2 \(row 4\)"):
        read_outcomes([5, None, 9, 9, -2], [1, 0, None, 0, 1], [1, 2, 3, 4, 5], missing="drop")


def test_rows_of_weight_0_are_left_out():
    read = read_outcomes(TIME, EVENT, RISK, weight=[1, 0, 2, 3])
    assert (read.time.tolist(), read.weights.tolist(), read.weights.dtype) == ([5, 9, 9], [1, 2, 3], np.int64)


def test_at_one_time_events_come_before_censorings():
    read = read_outcomes([3, 3, 0, 2.5, 3, 0], [0, 1, 0, 1, 0, 1])
    assert read.order[:3].tolist() == [5, 2, 3]
    assert read.key[1] < read.key[0] == read.key[4]
    assert read.order[3] == 1
    assert read_outcomes([0.0, -0.0], [1, 1]).key.tolist() == [0, 0]


def test_outcomes_say_what_they_hold():
    read = read_outcomes(
        TIME,
        [1, 0, 2, 0],
        {"a": RISK, "b": RISK},
        cause=1,
        entry=[0, 0, 1, 2],
        weight=[1, 2, 1, 1],
        cluster=list("xxyz"),
    )
    assert str(read) == (
        "Outcomes(4 rows: 1 event, 2 censored; 1 competing; 2 models (a, b); weighted (sampling); 3 clusters; "
        "delayed entry)"
    )
    assert repr(read) == str(read)
    assert read.of("b").models == ["b"]
    with pytest.raises(cw.CurvewiseError, match="There is no model 'c'; the models are a, b"):
        read.of("c")
    with pytest.raises(cw.CurvewiseError, match="Outcomes of 2 models"):
        _ = read.score
    some = read.take(np.array([3, 0, 0]))
    assert (some.time.tolist(), some.code.tolist(), some.kept.tolist()) == ([9, 5, 5], [0, 1, 1], [3, 0, 0])
    assert (some.weight.tolist(), some.entry.tolist()) == ([1, 1, 1], [2, 0, 0])


def test_clusters_lie_within_strata():
    with pytest.raises(cw.CurvewiseError, match="stratum: expected every cluster within one stratum"):
        read_outcomes(TIME, EVENT, RISK, cluster=[1, 1, 2, 2], stratum=[1, 2, 1, 1])
    read = read_outcomes(TIME, EVENT, RISK, stratum=["n", "n", "s", "s"])
    assert (read.strata.number, read.strata.degrees) == (2, 2)


def test_outcomes_stand_for_their_columns_and_for_nothing_else():
    read = read_outcomes(TIME, EVENT, RISK)
    assert cw.concordance(read).value == cw.concordance(TIME, EVENT, RISK).value
    with pytest.raises(cw.CurvewiseError, match="already read"):
        cw.concordance(read, EVENT, RISK)
    with pytest.raises(cw.CurvewiseError, match="already read"):
        cw.concordance(read, weight=[1, 2, 3, 4])
