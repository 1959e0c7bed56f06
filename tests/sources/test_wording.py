"""An error of the library, said in columns, lines and options of the user."""

from __future__ import annotations

import pytest

import curvewise as cw
from curvewise import CurvewiseError, SourceError, UndefinedMetricError
from curvewise.errors import Advice
from curvewise.sources.wording import FileWords

WORDS = FileWords({"y": "ill", "score": "model_a", "weight": None}, 2, {"rng": "seed"})


def said(call, words=WORDS):
    with pytest.raises(CurvewiseError) as found:
        call()
    return str(words.translate(found.value))


def test_columns_lines_and_options():
    text = said(lambda: cw.roc_auc([0, 1, None], [0.1, None, 0.3]))
    assert text == (
        "column 'ill' has 1 missing value (line 4) and column 'model_a' has 1 missing value (line 3); "
        "fill the gaps, or pass --missing drop to leave such rows out."
    )
    assert "column 'model_a': expected real numbers, got 2 other values (lines 2, 3)" in said(
        lambda: cw.roc_auc([0, 1], ["x", "y"])
    )


def test_rows_that_are_not_lines_are_counted_from_one():
    text = said(lambda: cw.roc_auc([0, 1, None], [0.1, 0.2, 0.3]), FileWords({"y": "ill"}))
    assert "column 'ill' has 1 missing value (data row 3)" in text


def test_a_name_within_a_value_is_not_read_as_a_column():
    # the old wording looked for names in sentences: a class called "y: " fooled it
    text = said(lambda: cw.roc_auc(["y: has", "b"], [0.1, 0.2]))
    assert "'y: has'" in text
    assert text.startswith("column 'ill':")


def test_a_column_without_a_role_keeps_its_name():
    assert said(lambda: cw.sweep([0, 1], [0, 1], weight=[-1, 1])).startswith("weight: expected weights of 0")


def test_columns_of_classes():
    words = FileWords({"y": "pet", "proba 'dog'": "p_dog"}, 2)
    text = said(lambda: cw.multiclass(["cat", "dog"], {"cat": [0.5, 0.5], "dog": [0.5, None]}), words)
    assert text.startswith("column 'p_dog' has 1 missing value (line 3)")
    assert said(lambda: cw.multiclass(["cat", "emu"], {"cat": [1, 0], "dog": [0, 1]}), words).startswith(
        "column 'pet': 1 label of no known class ('emu' in 1 row)"
    )


def test_advice_and_kinds_of_errors():
    advice = CurvewiseError("Too many; {what}.", what=Advice("use rows.of", "give one --score"))
    assert str(WORDS.translate(advice)) == "Too many; give one --score."
    undefined = UndefinedMetricError("{x} is not there.", x=cw.errors.OptionName("rng"))
    assert type(WORDS.translate(undefined)) is UndefinedMetricError
    assert str(WORDS.translate(undefined)) == "--seed is not there."
    file = SourceError("t.csv: empty.")
    assert WORDS.translate(file) is file
