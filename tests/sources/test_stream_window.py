"""Windows over streams: the last periods, merged across workers, saved and restored."""

import json
import pickle
import struct
import zlib

import numpy as np
import pytest

import curvewise as cw

COARSE = {"resolution": 0.5}


def rows(n=300, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    return y, np.round(rng.normal(y), 2)


def joined(seeds):
    return [np.concatenate(c) for c in zip(*(rows(seed=s) for s in seeds), strict=True)]


def filled(days, periods=3, **options):
    found = cw.StreamWindow(periods, **options)
    for day in range(days):
        if day:
            found.advance()
        found.update(*rows(seed=day))
    return found


@pytest.mark.parametrize("options", [{}, COARSE], ids=["exact", "bins"])
@pytest.mark.parametrize("days", [1, 2, 3, 4, 9])
def test_the_window_holds_the_last_periods(days, options):
    found = filled(days, **options)
    last = range(max(days - 3, 0), days)
    assert found.sweep() == cw.Stream(**options).update(*joined(last)).sweep()
    assert found.rows == 300 * len(last)
    assert found.advanced == days - 1
    assert list(found.by_period()) == [cw.Stream(**options).update(*rows(seed=d)).sweep() for d in last]
    assert str(found) == f"StreamWindow({len(last)} of 3 periods, {300 * len(last)} rows)"


def test_looking_changes_nothing():
    found = filled(4)
    before = found.to_bytes()
    assert found.sweep() == found.sweep()
    found.total().update([0, 1], [7, 8])
    assert found.to_bytes() == before


def test_a_period_without_rows():
    found = filled(2).advance()
    assert found.by_period()[-1] is None
    assert found.sweep() == cw.sweep(*joined([0, 1]))
    for _ in range(2):
        found.advance()
    with pytest.raises(cw.CurvewiseError, match="no rows yet"):
        found.sweep()


def test_one_period_alone():
    found = filled(3, periods=1)
    assert found.sweep() == cw.sweep(*rows(seed=2))


def test_a_bad_batch_changes_nothing():
    found = filled(2, positive=None)
    before = found.to_bytes()
    for bad, text in ((([0, 1], [1]), "equally long"), (([-1, 1], [1, 2]), "was False and is -1")):
        with pytest.raises(cw.CurvewiseError, match=text):
            found.update(*bad)
    assert found.to_bytes() == before


@pytest.mark.parametrize("restored", [False, True], ids=["going-on", "restored"])
def test_a_new_period_has_the_classes_and_the_kind_of_scores_of_the_last(restored):
    found = cw.StreamWindow(2).update([0, 1], np.array([2**53, 2**53 + 1])).advance()
    found = cw.StreamWindow.from_bytes(found.to_bytes()) if restored else found
    with pytest.raises(cw.CurvewiseError, match="was 0 and is -1"):
        found.update([-1, 1], [1, 2])
    with pytest.raises(cw.CurvewiseError, match="beyond 2"):
        found.update([0, 1], [0.5, 1.5])
    assert found.update([0, 1], [5, 6]).sweep().n == 4


def test_options_reach_every_period():
    found = cw.StreamWindow(2, positive="ill", higher_is="negative", missing="drop", round_to=1, weight_kind="count")
    for _ in range(3):
        found.advance().update(["ill", "well", None], [0.11, 0.52, 0.3], [2, 1, 1])
    sweep = found.sweep()
    assert (sweep.positives, sweep.negatives, sweep.dropped, sweep.round_to) == (4, 2, 2, 1)
    assert (sweep.higher_is, sweep.weight_kind) == ("negative", "count")


@pytest.mark.parametrize("periods", [0, -1, 2.5, "7", True, None], ids=str)
def test_periods_must_be_a_number(periods):
    with pytest.raises(cw.OptionError, match="periods: expected a whole number"):
        cw.StreamWindow(periods)


class TestMerge:
    def test_period_by_period(self):
        one, two = filled(4), cw.StreamWindow(3)
        for day in range(4):
            if day:
                two.advance()
            two.update(*rows(seed=10 + day))
        kept = two.to_bytes()
        one.merge(two)
        assert two.to_bytes() == kept
        assert list(one.by_period()) == [cw.sweep(*joined([d, 10 + d])) for d in (1, 2, 3)]

    def test_other_windows_are_refused_and_nothing_changes(self):
        found = filled(4)
        before = found.to_bytes()
        late = filled(4)._streams[-1].following()
        late._negative = "well"
        wrong = filled(4)
        wrong._streams[-1] = late
        for other, text in (
            (filled(3), "advanced is 3 and 2"),
            (filled(4, periods=2), "periods is 3 and 2"),
            (filled(4, **COARSE), "resolution"),
            (wrong, "negative class"),
            (cw.Stream(), "expected a StreamWindow, got a Stream"),
        ):
            with pytest.raises(cw.CurvewiseError, match=text):
                found.merge(other)
            assert found.to_bytes() == before


class TestSaving:
    @pytest.mark.parametrize("days", [1, 3, 5])
    @pytest.mark.parametrize("options", [{}, COARSE], ids=["exact", "bins"])
    def test_there_and_back(self, days, options):
        found = filled(days, **options)
        text = json.dumps(found.to_dict(), allow_nan=False)
        for back in (
            cw.StreamWindow.from_bytes(found.to_bytes()),
            cw.StreamWindow.from_dict(json.loads(text)),
            pickle.loads(pickle.dumps(found)),
        ):
            assert back.to_bytes() == found.to_bytes()
            assert back.by_period() == found.by_period()
            assert (
                back.advance().update(*rows(seed=99)).sweep()
                == filled(days, **options).advance().update(*rows(seed=99)).sweep()
            )

    def test_damage_and_foreign_bytes(self):
        data = filled(2, **COARSE).to_bytes()
        for at in range(0, len(data), 7):
            with pytest.raises(cw.CurvewiseError, match="something else, or damaged"):
                cw.StreamWindow.from_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
            with pytest.raises(cw.CurvewiseError, match="something else, or damaged"):
                cw.StreamWindow.from_bytes(data[:at])
        with pytest.raises(cw.CurvewiseError, match="something else, or damaged"):
            cw.StreamWindow.from_bytes(cw.Stream().to_bytes())
        with pytest.raises(cw.CurvewiseError, match=r"schema 'curvewise\.stream_window'"):
            cw.StreamWindow.from_dict(cw.Stream().to_dict())

    @pytest.mark.parametrize(
        "change",
        [
            {"periods": 0},
            {"periods": 10**18},
            {"advanced": -1},
            {"advanced": 0},
            {"sizes": []},
            {"sizes": None},
            {"sizes": [1, 2]},
            {"sizes": "ab"},
        ],
        ids=str,
    )
    def test_headings_that_do_not_fit(self, change):
        data = filled(3, **COARSE).to_bytes()
        start = len(b"curvewise.stream_window\x00") + 4
        size = int.from_bytes(data[start : start + 8], "little")
        head = json.loads(data[start + 8 : start + 8 + size])
        text = json.dumps({**head, **change}).encode()
        packed = struct.pack("<Q", len(text)) + text + data[start + 8 + size :]
        forged = data[: start - 4] + struct.pack("<I", zlib.crc32(packed)) + packed
        if change == {"periods": 10**18}:  # three periods of many: nothing is made for the others
            assert cw.StreamWindow.from_bytes(forged).rows == 900
            return
        with pytest.raises(cw.CurvewiseError, match="something else, or damaged"):
            cw.StreamWindow.from_bytes(forged)

    def test_periods_that_read_differently_are_refused(self):
        found = filled(2)
        found._streams[0] = cw.Stream(**COARSE).update([0, 1], [1, 2])
        with pytest.raises(cw.CurvewiseError, match="something else, or damaged"):
            cw.StreamWindow.from_bytes(found.to_bytes())
