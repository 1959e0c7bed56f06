"""The costliest mistakes: which rows, in which order, under which names, and nothing without ids."""

import json

import numpy as np
import pytest

import curvewise as cw
from curvewise.document.blocks import Grid, Tabs, Text
from curvewise.evaluation.mistakes import mistakes_blocks, mistakes_of
from curvewise.pages.page import Page
from curvewise.words import words
from pages.sample import HOSTILE

Y = [1, 1, 1, 1, 0, 0, 0, 0, 0, 0]
S = [0.9, 0.4, 0.1, 0.3, 0.8, 0.6, 0.2, 0.1, 0.05, 0.55]
ID = list("abcdefghij")


def mistakes(y=Y, score=S, names=ID, *, threshold=0.5, costs=None, **more):
    return mistakes_of(cw.read_rows(y, {"m": score}, id=names, **more), threshold, costs)


def test_the_furthest_on_the_wrong_side_come_first_misses_before_false_alarms():
    found = mistakes()
    assert [(m.id, m.kind) for m in found.found] == [
        *[("c", "miss"), ("d", "miss"), ("b", "miss")],
        *[("e", "false_alarm"), ("f", "false_alarm"), ("j", "false_alarm")],
    ]
    assert found.total == {"miss": 3, "false_alarm": 3}
    assert found.table.columns["score"] == [0.1, 0.3, 0.4, 0.8, 0.6, 0.55]
    assert found.table.columns["truth"] == ["positive"] * 3 + ["negative"] * 3
    assert "cost" not in found.table.columns
    assert [m.id for m in found.of_kind("miss")] == ["c", "d", "b"]


def test_the_kind_that_costs_more_comes_first():
    assert mistakes(costs={"fp": 5, "fn": 1}).found[0].kind == "false_alarm"
    dear = mistakes(costs={"fp": 1, "fn": 5})
    assert dear.found[0].kind == "miss"
    assert dear.table.columns["cost"] == [5, 5, 5, 1, 1, 1]


def test_a_threshold_counts_as_flagged_and_low_scores_may_mean_positive():
    assert mistakes(threshold=0.4).total == {"miss": 2, "false_alarm": 3}
    turned = mistakes(score=[-s for s in S], threshold=-0.5, higher_is="negative")
    assert [m.id for m in turned.found] == [m.id for m in mistakes().found]
    assert mistakes(threshold=np.inf).total == {"miss": 4, "false_alarm": 0}


def test_at_most_ten_of_a_kind_and_equal_scores_as_they_come():
    y, score = [1] * 30 + [0] * 30, [0.0] * 30 + [1.0] * 30
    found = mistakes(y, score, list(range(60)))
    assert [m.id for m in found.of_kind("miss")] == [str(k) for k in range(10)]
    assert [m.id for m in found.of_kind("false_alarm")] == [str(k) for k in range(30, 40)]
    assert found.total == {"miss": 30, "false_alarm": 30}


def test_unsigned_whole_scores_do_not_wrap_around():
    score = np.array([9, 4, 1, 3, 8, 6, 2, 1, 0, 5], dtype=np.uint8)
    assert [m.id for m in mistakes(score=score, threshold=5).found] == ["c", "d", "b", "e", "f", "j"]


def test_names_stay_with_their_rows_where_rows_are_dropped_and_may_be_missing():
    gaps = [None, *S[1:]]
    found = mistakes(score=gaps, missing="drop")
    assert [m.id for m in found.found] == ["c", "d", "b", "e", "f", "j"]
    assert mistakes(names=[None, "b", None, *ID[3:]]).found[0].id == ""
    pl = pytest.importorskip("polars")
    numbers = pl.Series([1, 2, None, *range(4, 11)])
    assert [m.id for m in mistakes(names=numbers).found][:2] == ["", "4"]  # a missing number is no 0


def test_groups_and_sites_stand_beside_even_under_our_own_names():
    found = mistakes(group={"sex": ["f", "m"] * 5, "score": ["x"] * 10}, site=["n"] * 10)
    assert list(found.table.columns) == ["id", "truth", "score", "mistake", "sex", "group score", "site"]
    assert found.found[0].places == {"sex": "f", "group score": "x", "site": "n"}


def test_an_evaluation_has_them_where_rows_have_ids():
    found = cw.evaluate(Y, {"m": S}, id=ID, costs={"fp": 1, "fn": 1}, replicates=20)
    point = found.models["m"].point
    assert found.mistakes["m"].found == mistakes(threshold=point.threshold, costs={"fp": 1, "fn": 1}).found
    assert found.to_dict()["mistakes"][0]["found"][0]["id"] == found.mistakes["m"].found[0].id
    assert "Costliest mistakes of m" in found.to_markdown()
    json.dumps(found.to_dict(), allow_nan=False)
    without = cw.evaluate(Y, {"m": S}, replicates=20)
    assert without.mistakes == {}
    assert "mistakes" not in without.to_dict()
    assert mistakes_blocks(Page(without, words("en"))) == []
    y, p = [0, 1, 2, 0], [[0.6, 0.3, 0.1], [0.7, 0.2, 0.1], [0.1, 0.2, 0.7], [0.5, 0.4, 0.1]]
    many = cw.evaluate(y, np.array(p), id=list("abcd"), replicates=20)
    assert many.classes.mistakes.columns["row"] == ["b"]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_blocks_for_the_page(lang):
    blocks = mistakes_blocks(Page(cw.evaluate(Y, {"m": S}, id=ID, replicates=20), words(lang)))
    grids = [b for b in blocks if isinstance(b, Grid)]
    assert grids
    assert all(g.models == [0] * len(g.rows) for g in grids)
    shown = {row[0].text for g in grids for row in g.rows}
    assert shown <= set(ID)
    together = mistakes_blocks(
        Page(cw.evaluate(Y, {"m": S}, id=ID, costs={"fp": 1, "fn": 2}, replicates=20), words(lang))
    )
    (grid,) = [b for b in together if isinstance(b, Grid)]
    assert len(grid.head) == 5


def test_several_models_are_shown_one_at_a_time_in_their_colours():
    found = cw.evaluate(Y, {"m": S, "n": S[::-1]}, id=ID, replicates=20)
    (tabs,) = [b for b in mistakes_blocks(Page(found, words("en"))) if isinstance(b, Tabs)]
    assert [title for title, _ in tabs.tabs] == ["m", "n"]
    for place, (name, inner) in enumerate(tabs.tabs):
        for grid in (b for b in inner if isinstance(b, Grid)):
            assert set(grid.models) == {place}
            assert grid.caption.startswith(f"{name} at threshold")


def test_a_kind_without_mistakes_is_said_in_words():
    found = cw.evaluate([1, 1, 0, 0], {"m": [4, 3, 2, 1]}, id=list("abcd"), replicates=20)
    blocks = mistakes_blocks(Page(found, words("en")))
    assert [b.text for b in blocks if isinstance(b, Text)][1:] == [
        "m at threshold 3: 0 positives missed",
        "m at threshold 3: 0 false alarms",
    ]


@pytest.mark.parametrize("kind", list(HOSTILE))
def test_ids_are_only_text(kind):
    found = mistakes(names=[HOSTILE[kind]] * 10)
    assert "<script" not in found.to_markdown() + found._repr_html_()
    assert found.found[0].id == HOSTILE[kind]
