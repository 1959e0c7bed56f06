"""What a figure is asked for that it cannot do: one sentence, whatever matplotlib says of it."""

from operator import attrgetter

import matplotlib.pyplot as plt
import pytest

import curvewise as cw
from calls import VERBS, P, Q, Y
from curvewise.figures.registry import registered

DRAWN = ("evaluate", "by_group", "by_site", "compare", "interval", "calibration", "d_calibration", "confusion")
DRAWN += ("roc_curve", "pr_curve", "cost_curve", "reliability", "survival", "by_fold", "multiclass", "random_effects")
WRONG = {"ax": 3, "labels": 5, "color": object(), "lang": "xx", "nonsense": 1}


@pytest.mark.parametrize("option", WRONG)
@pytest.mark.parametrize("verb", DRAWN)
def test_a_wrong_option_is_one_sentence(verb, option):
    found = attrgetter(verb)(cw)(**VERBS[verb])
    assert type(found).__name__ in (*registered(), "Evaluation")
    with pytest.raises(cw.CurvewiseError) as refused:
        found.plot(**{option: WRONG[option]})
    plt.close("all")
    assert option in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("verb", [cw.pr_curve, cw.lift_curve, cw.cost_curve, cw.decision_curve, cw.brier_curve])
def test_guides_that_two_curves_share_are_told_once(verb):
    axes = verb(Y, P).plot(label="first")
    verb(Y, Q).plot(ax=axes, label="second")
    told = [text.get_text() for text in axes.get_legend().get_texts()]
    plt.close("all")
    assert told[:2] == ["first", "second"]
    assert len(set(told)) == len(told)
