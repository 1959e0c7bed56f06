"""Numbers that were accepted stay as they are, for every verb and kind of rows (`tests/unchanged.py` writes them)."""

import json

import pytest

import unchanged

CASES = unchanged.cases()
KEPT = json.loads(unchanged.KEPT.read_text("utf-8"))
ACCEPT = "If that is meant: python tests/unchanged.py, read the diff, and add a line to CHANGELOG.md"


@pytest.mark.parametrize("name", CASES)
def test_numbers_are_unchanged(name):
    differences = list(unchanged.differences(KEPT[name], CASES[name]()))
    assert not differences, "\n".join([name, *differences, ACCEPT])


def test_differences_are_named_by_place():
    kept = {"/gone": 0.25, "/same": 0.5, "/moved": 0.75}
    result = {"same": 0.5 + 1e-9, "moved": 0.8, "new": 0.1, "whole": 3, "again": 0.5}
    assert list(unchanged.differences(kept, result)) == [
        "/gone: gone, was 0.25", "/moved: 0.8, was 0.75", "/new: new, 0.1"
    ]  # fmt: skip


def test_nothing_is_kept_that_is_not_asked():
    assert list(KEPT) == list(CASES)
