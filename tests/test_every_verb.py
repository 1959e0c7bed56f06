"""What holds of every public verb: unknown options, wrong directions, results that own their data and travel."""

import copy
import pickle
from operator import attrgetter

import numpy as np
import pandas as pd
import pytest

import curvewise as cw
from calls import VERBS, functions, parameters

every = pytest.mark.parametrize("name", VERBS)
ALONE = ("get_threads", "set_threads", "metrics", "compare_windows")  # they take no data of a caller


def test_every_verb_has_a_call():
    homes = {"": cw, "rules.": cw.rules, "detection.": cw.detection, "objectives.": cw.objectives}
    by_place = {"rules.all_of"}  # takes rules by their place alone, so none of the calls below fits
    assert set(VERBS) | by_place == {prefix + name for prefix, home in homes.items() for name in functions(home)}


@every
@pytest.mark.parametrize("unknown", ["nonsense", "sample_weigth", "lvel"])
def test_an_unknown_option_is_refused_with_a_suggestion(name, unknown):
    verb, arguments = attrgetter(name)(cw), VERBS[name]
    with pytest.raises(cw.UnknownOptionError, match=rf"^{unknown}: unknown option.*(did you mean|the options are)"):
        verb(**arguments, **{unknown: 1})


@pytest.mark.parametrize("name", [n for n in VERBS if "higher_is" in parameters(n)])
@pytest.mark.parametrize("direction", ["Positive", "high", None, 1, np.array(["positive"] * 3)], ids=str)
def test_a_wrong_direction_is_refused(name, direction):
    with pytest.raises(cw.OptionError, match="higher_is: expected one of 'positive', 'negative', got "):
        attrgetter(name)(cw)(**{**VERBS[name], "higher_is": direction})


def of_kind(value, kind):
    """Return a copy of an argument, its arrays as lists or series where these are asked for."""
    if isinstance(value, dict):
        return {k: of_kind(v, kind) for k, v in value.items()}
    if not isinstance(value, np.ndarray):
        return copy.deepcopy(value)
    return value.tolist() if kind is list else kind(value.copy()) if value.ndim == 1 else value.copy()


def spoil(value):
    """Turn all arrays and lists round, where they are."""
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        spoil(part)
    if isinstance(value, list):
        value.reverse()
    elif isinstance(value, np.ndarray):
        value[...] = value[::-1].copy()
    elif isinstance(value, pd.Series):
        value.iloc[:] = value.to_numpy()[::-1].copy()


def content(found):
    return str(found.to_dict()) if isinstance(found, cw.results.Result) else str(found)


@pytest.mark.parametrize("name", [n for n in VERBS if n not in ALONE and not n.startswith("rules.")])
@pytest.mark.parametrize("kind", [np.array, list, pd.Series], ids=["array", "list", "series"])
def test_a_result_owns_its_data(name, kind):
    verb = attrgetter(name)(cw)
    mine = {k: of_kind(v, kind) for k, v in VERBS[name].items()}
    found = verb(**mine)
    for value in mine.values():
        spoil(value)
    assert content(found) == content(verb(**{k: of_kind(v, kind) for k, v in VERBS[name].items()}))


def test_what_is_made_later_is_of_the_same_data():
    rng = np.random.default_rng(4)
    time, event, risk = 1 + 9 * rng.random(60), np.arange(60) % 3 == 0, rng.random(60)
    weight = 1 + rng.random(60)
    found = cw.survival(time, event, {"a": risk}, horizons=[3.0, 6.0], weight=weight, replicates=9)
    same = cw.survival(time.copy(), event, {"a": risk.copy()}, horizons=[3.0, 6.0], weight=weight.copy(), replicates=9)
    for mine in (time, risk, weight):
        mine[...] = mine[::-1].copy()
    assert content(found.auc_curve("a", points=5)) == content(same.auc_curve("a", points=5))


@every
def test_what_a_verb_returns_travels(name):
    found = attrgetter(name)(cw)(**VERBS[name])
    again = pickle.loads(pickle.dumps(found))
    assert content(again) == content(found)
