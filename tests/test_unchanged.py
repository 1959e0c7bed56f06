"""Numbers that were accepted stay as they are, for every verb and kind of rows (`tests/unchanged.py` writes them)."""

import json

import pytest

import unchanged

CASES = unchanged.cases()
KEPT = json.loads(unchanged.KEPT.read_text("utf-8"))


@pytest.mark.parametrize("name", CASES)
def test_numbers_are_unchanged(name):
    found = unchanged.numbers(CASES[name]())
    assert len(found) == len(KEPT[name])
    for (place, number), kept in zip(found.items(), KEPT[name], strict=True):
        assert number == (kept if isinstance(kept, str) else pytest.approx(kept, rel=1e-6, abs=1e-9)), place


def test_nothing_is_kept_that_is_not_asked():
    assert list(KEPT) == list(CASES)
