"""Streams: rows in batches give what they give together, in fixed memory, through any number of workers."""

import copy
import json
import multiprocessing
import pickle
import struct
import tracemalloc
import zlib
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import curvewise as cw
from curvewise.core.bins import Summary
from curvewise.sources.streams import stream as stream_module

COARSE = {"resolution": 0.5}  # 16 bins
MIDDLE = {"resolution": 0.01}  # 1024 bins


def rows(n=3000, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    return y, 1 / (1 + np.exp(-rng.normal(1.2 * y - 1)))


def fed(y, score, weight=None, *, pieces=7, **options):
    found = cw.Stream(**options)
    for part in np.array_split(np.arange(len(y)), pieces):
        found.update(y[part], score[part], None if weight is None else weight[part])
    return found


def same(a, b):
    """Say whether two streams know the same: counts, bins, and how rows were read."""
    one, two = a.summary(), b.summary()
    names = ("low", "high", "positives", "negatives")
    return (
        (a.rows, a.dropped, a.weighted, one.shift) == (b.rows, b.dropped, b.weighted, two.shift)
        and all(np.array_equal(getattr(one, k), getattr(two, k)) for k in names)
        and all(getattr(one, k).dtype == getattr(two, k).dtype for k in names)
        and a.sweep() == b.sweep()
    )


class TestExactThenBins:
    def test_exact_up_to_the_stated_number_of_scores(self):
        score = np.arange(1, 1025) / 1025
        y = np.arange(1024) % 3 == 0
        found = fed(y, score, **MIDDLE)
        assert found.most == 1024
        assert found.is_exact
        assert found.notes == ()
        assert found.sweep() == cw.sweep(y, score)
        assert str(found).endswith("exact, 1 024 scores)")
        found.update([1], [0.99999])
        assert not found.is_exact
        assert found.sweep().bins is not None
        (said,) = found.notes
        assert said.code == "stream_in_bins"
        assert "more than 1,024 distinct scores" in str(said)
        assert said.values == {"most": 1024}
        assert "分箱计数" in said.text("zh")

    def test_without_a_resolution_262144_scores_are_exact(self):
        score = np.arange(2**18) / 2**18
        y = np.arange(2**18) % 5 == 0
        found = cw.Stream().update(y, score)
        assert found.is_exact
        assert not found.update([0], [1.5]).is_exact

    def test_scores_that_repeat_stay_exact_for_ever(self):
        score = np.tile(np.arange(1000) / 1000, 40)
        y = np.arange(len(score)) % 7 == 0
        found = fed(y, score, pieces=40, **MIDDLE)
        assert found.is_exact
        assert found.sweep() == cw.sweep(y, score)

    @pytest.mark.parametrize("options", [COARSE, MIDDLE], ids=["coarse", "middle"])
    @pytest.mark.parametrize("higher_is", ["positive", "negative"])
    def test_limits_contain_the_numbers_of_all_scores(self, options, higher_is):
        y, score = rows()
        found = fed(y, score, higher_is=higher_is, **options).sweep()
        exact = cw.sweep(y, score, higher_is=higher_is)
        names = ["roc_auc", "average_precision"]
        asked = [(n, {}) for n in names] + [("recall", {"threshold": 0.37}), ("precision", {"threshold": 0.21})]
        for name, more in asked:
            bounds, value = cw.score(name, found, **more), cw.score(name, exact, **more)
            assert bounds.low <= value <= bounds.high
        assert found.positives == exact.positives
        assert found.negatives == exact.negatives

    @given(st.lists(st.floats(allow_nan=False), min_size=17, max_size=60), st.integers(0, 2**20))
    def test_limits_hold_for_any_floats(self, score, seed):
        score = np.array(score)
        y = np.random.default_rng(seed).random(len(score)) < 0.5
        y[:2] = True, False
        found = fed(y, score, pieces=3, **COARSE)
        auc = cw.roc_auc(found.sweep())
        exact = cw.roc_auc(y, score)
        if found.is_exact:
            assert auc == exact
        else:
            assert auc.low <= exact <= auc.high

    def test_bins_hold_the_least_and_the_greatest_score(self):
        y, score = rows(500)
        found = fed(y, score, **COARSE).summary()
        assert len(found) <= 16
        for low, high, pos, neg in zip(found.low, found.high, found.positives, found.negatives, strict=True):
            inside = (score >= low) & (score <= high)
            assert {low, high} <= set(score)
            assert (pos, neg) == ((inside & y).sum(), (inside & ~y).sum())


class TestInvariance:
    @pytest.mark.parametrize("options", [{}, COARSE, MIDDLE], ids=["exact", "coarse", "middle"])
    @pytest.mark.parametrize("weights", ["none", "whole"])
    def test_order_batches_and_merges_do_not_matter(self, options, weights):
        y, score = rows()
        w = None if weights == "none" else np.random.default_rng(1).integers(1, 5, len(y))
        whole = fed(y, score, w, pieces=1, **options)
        rng = np.random.default_rng(2)
        for pieces in (2, 13, 200):
            order = rng.permutation(len(y))
            mixed = [None if v is None else v[order] for v in (y, score, w)]
            assert same(fed(*mixed, pieces=pieces, **options), whole)
            parts = np.array_split(order, pieces)
            several = [cw.Stream(**options).update(y[p], score[p], None if w is None else w[p]) for p in parts]
            while len(several) > 1:  # a tree of merges
                several = [a.merge(b) for a, b in zip(several[::2], several[1::2], strict=False)] + (
                    several[-1:] if len(several) % 2 else []
                )
            assert same(several[0], whole)

    def test_looking_does_not_change_what_comes(self, monkeypatch):
        monkeypatch.setattr(stream_module, "BUFFER", 100)
        y, score = rows()
        found = cw.Stream(**COARSE)
        for part in np.array_split(np.arange(len(y)), 60):
            found.update(y[part], score[part])
            assert str(found)
            assert found.sweep().n == found.rows
        assert same(found, fed(y, score, pieces=1, **COARSE))

    def test_fractional_weights_agree_to_rounding(self):
        y, score = rows()
        w = np.random.default_rng(1).random(len(y))
        for options in ({}, COARSE):
            one, two = (fed(y, score, w, pieces=k, **options).summary() for k in (1, 50))
            assert one.shift == two.shift
            assert np.array_equal(one.low, two.low)
            assert np.array_equal(one.high, two.high)
            np.testing.assert_allclose(one.positives, two.positives, rtol=1e-12, atol=1e-12)
        exact = cw.sweep(y, score, weight=w)
        assert cw.roc_auc(fed(y, score, w).sweep()) == pytest.approx(cw.roc_auc(exact), rel=1e-12)

    def test_merging_leaves_the_other_as_it_was(self):
        y, score = rows(200)
        a, b = fed(y[:100], score[:100], **COARSE), fed(y[100:], score[100:], **COARSE)
        before = pickle.dumps(b.summary())
        a.merge(b)
        assert pickle.dumps(b.summary()) == before
        assert b.rows == 100
        assert a.rows == 200

    def test_a_stream_merged_with_itself_counts_twice(self):
        y, score = rows(300)
        found = fed(y, score, pieces=30, **MIDDLE)
        found.merge(found)
        assert found.rows == 600
        assert found.sweep() == cw.sweep(np.tile(y, 2), np.tile(score, 2))

    def test_the_callers_arrays_can_be_used_again(self):
        y, score = np.array([True, False, True]), np.array([0.3, 0.2, 0.1])
        found = cw.Stream().update(y, score)
        score[:], y[:] = 9, False
        assert found.sweep() == cw.sweep([1, 0, 1], [0.3, 0.2, 0.1])


class TestReading:
    @pytest.mark.parametrize("kind", ["count", "sampling"])
    def test_weights(self, kind):
        y, score = rows(400)
        w = np.arange(400) % 4  # rows of weight 0 are left out
        found, exact = fed(y, score, w, weight_kind=kind).sweep(), cw.sweep(y, score, weight=w, weight_kind=kind)
        assert found == exact
        assert found.weight_kind == exact.weight_kind == kind
        assert found.is_whole == exact.is_whole == (kind == "count")

    def test_weights_in_some_batches_only(self):
        y, score = rows(400)
        found = cw.Stream().update(y[:200], score[:200]).update(y[200:], score[200:], np.full(200, 2.5))
        w = np.repeat([1, 2.5], 200)
        assert found.sweep() == cw.sweep(y, score, weight=w)
        assert found.weighted

    def test_counts_must_be_whole(self):
        found = cw.Stream(weight_kind="count").update([0, 1], [0.1, 0.2])
        with pytest.raises(cw.CurvewiseError, match="whole numbers, since they are counts"):
            found.update([0, 1], [0.1, 0.2], [0.5, 1])
        assert found.rows == 2
        assert not found.weighted

    def test_missing_is_dropped_and_counted(self):
        found = cw.Stream(missing="drop").update([0, 1, None], [0.1, 0.2, 0.3]).update([0, 1, 1], [0.1, np.nan, 0.3])
        assert (found.rows, found.dropped) == (4, 2)
        assert found.sweep().dropped == 2
        with pytest.raises(cw.CurvewiseError, match="score has 1 missing value"):
            cw.Stream().update([0, 1], [np.nan, 0.2])

    def test_round_to_merges_near_ties(self):
        y, score = rows()
        found = fed(y, score, round_to=2)
        assert found.is_exact
        assert found.sweep() == cw.sweep(y, score, round_to=2)
        assert found.sweep().round_to == 2

    def test_text_labels_and_direction(self):
        y = ["well", "ill", "well", "ill"]
        found = cw.Stream(positive="ill", higher_is="negative").update(y, [4, 1, 2, 3]).update(["well"], [9])
        assert found.sweep() == cw.sweep([*y, "well"], [4, 1, 2, 3, 9], positive="ill", higher_is="negative")
        assert cw.roc_auc(found.sweep()) == 5 / 6

    def test_a_third_class_in_a_later_batch_is_refused(self):
        found = cw.Stream(positive="ill").update(["ill", "well"], [2, 1]).update(["ill"], [3])
        with pytest.raises(cw.CurvewiseError, match="the negative class was 'well' and is 'unknown' now"):
            found.update(["unknown", "ill"], [2, 1])
        with pytest.raises(cw.CurvewiseError, match="the negative class was 'well' and is 'unknown' now"):
            found.merge(cw.Stream(positive="ill").update(["unknown", "ill"], [2, 1]))
        assert found.rows == 3
        codes = cw.Stream().update([0, 1], [0.1, 0.2]).update(np.array([False, True]), [0.1, 0.2])
        with pytest.raises(cw.CurvewiseError, match="the negative class was 0 and is -1 now"):
            codes.update([-1, 1], [0.1, 0.2])

    def test_the_third_class_is_found_behind_dropped_rows(self):
        found = cw.Stream(missing="drop").update([None, 0, 1], [0.1, 0.2, 0.3])
        with pytest.raises(cw.CurvewiseError, match="was 0 and is -1"):
            found.update([-1, 1, -1], [None, 0.2, 0.3])

    @pytest.mark.parametrize("first", [np.int64, np.int8, np.float32, np.float16])
    def test_dtypes_may_change_between_batches(self, first):
        y = np.array([0, 1, 0, 1])
        a, b = np.array([1, 2, 3, 4], dtype=first), np.array([0.1, 2, 3.3, 9])
        for one, two in ((a, b), (b, a)):
            found = cw.Stream().update(y, one).update(y, two).sweep()
            assert found == cw.sweep(np.tile(y, 2), np.concatenate([one, two]).astype(float))
            assert found.threshold.dtype == np.float64

    def test_float32_is_compared_as_it_is(self):
        near = np.float32(0.1)
        found = cw.Stream().update([0, 1], np.array([near, near])).update([0, 1], [0.1, 0.2])
        assert len(found.sweep().threshold) == 3  # 0.1 as a float32 is another number

    def test_whole_numbers_beyond_2_to_53_stay_apart_or_are_refused(self):
        big = np.array([2**53, 2**53 + 1])
        found = cw.Stream().update([0, 1], big)
        assert cw.roc_auc(found.sweep()) == 1
        with pytest.raises(cw.CurvewiseError, match=r"score: float64 after int64 cannot be compared exactly"):
            found.update([0, 1], [0.5, 0.6])
        assert found.rows == 2
        assert found.update([0, 1], big).sweep().n == 4  # and it goes on
        floats = cw.Stream().update([0, 1], [0.5, 0.6])
        with pytest.raises(cw.CurvewiseError, match="beyond 2"):
            floats.update([0, 1], big)
        with pytest.raises(cw.CurvewiseError, match="beyond 2"):
            floats.merge(found)
        restored = cw.Stream.from_bytes(found.to_bytes())
        with pytest.raises(cw.CurvewiseError, match="beyond 2"):
            restored.update([0], [0.5])
        assert floats.sweep() == cw.sweep([0, 1], [0.5, 0.6])

    @pytest.mark.parametrize(
        ("batch", "text"),
        [
            (([0, 1, 2], [1, 2, 3]), "3 classes"),
            (([0, 1], [1, 2, 3]), "equally long"),
            (([0, 1], ["a", "b"]), "score"),
            (([0, 1], [1, 2], [1, -1]), "weight"),
            (([0, 1], {"a": [1, 2], "b": [1, 2]}), "one Stream per model"),
            (([], [1]), "equally long"),
        ],
        ids=["classes", "length", "text", "weight", "models", "empty"],
    )
    def test_a_bad_batch_changes_nothing(self, batch, text):
        found = cw.Stream().update([0, 1], [0.2, 0.7])
        before = found.to_bytes()
        with pytest.raises(cw.CurvewiseError, match=text):
            found.update(*batch)
        assert found.to_bytes() == before

    def test_an_empty_batch_changes_nothing(self):
        found = cw.Stream().update([], [])
        assert str(found) == "Stream(no rows yet)"
        with pytest.raises(cw.CurvewiseError, match="no rows yet"):
            found.sweep()
        assert cw.Stream.from_bytes(found.to_bytes()).rows == 0
        assert found.merge(cw.Stream().update([0, 1], [1, 2])).rows == 2

    def test_frames_and_series(self):
        pl, pd = pytest.importorskip("polars"), pytest.importorskip("pandas")
        y, score = rows(50)
        found = cw.Stream().update(pl.Series(y), pl.Series(score)).update(pd.Series(y), pd.Series(score))
        assert found.sweep() == cw.sweep(np.tile(y, 2), np.tile(score, 2))

    def test_infinities_and_minus_zero(self):
        score = [-np.inf, -0.0, 0.0, np.inf, 1e-310, -5]
        y = [0, 0, 1, 1, 1, 0]
        assert cw.Stream().update(y[:3], score[:3]).update(y[3:], score[3:]).sweep() == cw.sweep(y, score)

    @pytest.mark.parametrize(
        "options",
        [{"resolution": 0}, {"resolution": "fine"}, {"higher_is": "up"}, {"missing": "skip"}, {"round_to": -1}],
        ids=str,
    )
    def test_bad_options(self, options):
        with pytest.raises(cw.OptionError, match=next(iter(options))):
            cw.Stream(**options)

    def test_streams_that_read_differently_do_not_merge(self):
        with pytest.raises(cw.CurvewiseError, match="round_to is None and 2"):
            cw.Stream().merge(cw.Stream(round_to=2))
        with pytest.raises(cw.CurvewiseError, match="resolution"):
            cw.Stream().merge(cw.Stream(**COARSE))
        with pytest.raises(cw.CurvewiseError, match="expected a Stream, got a dict"):
            cw.Stream().merge({})


def saved_streams():
    y, score = rows(500)
    w = np.random.default_rng(1).random(500)
    whole = np.arange(500) % 7 + 1
    text = np.where(y, "ill", "well")
    return {
        "none": cw.Stream(),
        "exact": fed(y, score),
        "bins": fed(y, score, **COARSE),
        "fractional": fed(y, score, w, **COARSE),
        "counts": fed(y, score, whole, weight_kind="count"),
        "text": fed(text, score, positive="ill", round_to=3, higher_is="negative", missing="drop"),
        "integers": fed(y, np.arange(500) + 2**60),
        "small": fed(y, score.astype(np.float32), **COARSE),
    }


class TestSaving:
    @pytest.mark.parametrize("name", list(saved_streams()))
    def test_there_and_back_exactly(self, name):
        found = saved_streams()[name]
        text = json.dumps(found.to_dict(), allow_nan=False)
        ways = [
            cw.Stream.from_bytes(found.to_bytes()),
            cw.Stream.from_bytes(memoryview(found.to_bytes())),
            cw.Stream.from_dict(json.loads(text)),
            pickle.loads(pickle.dumps(found)),
            copy.deepcopy(found),
        ]
        for back in ways:
            assert back.to_bytes() == found.to_bytes()
            assert str(back) == str(found)
            if found.rows:
                assert same(back, found)
                assert same(back.merge(found), copy.deepcopy(found).merge(found))

    def test_a_restored_stream_goes_on(self):
        y, score = rows()
        found = cw.Stream.from_bytes(fed(y[:1500], score[:1500], **COARSE).to_bytes())
        assert same(found.update(y[1500:], score[1500:]), fed(y, score, **COARSE))

    def test_any_damage_is_refused(self):
        data = fed(*rows(60), **COARSE).to_bytes()
        for at in range(len(data)):
            damaged = data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :]
            with pytest.raises(cw.CurvewiseError, match="something else, or damaged"):
                cw.Stream.from_bytes(damaged)
        for size in range(len(data)):
            with pytest.raises(cw.CurvewiseError, match="something else, or damaged"):
                cw.Stream.from_bytes(data[:size])
        with pytest.raises(cw.CurvewiseError, match="something else, or damaged"):
            cw.Stream.from_bytes(data + b"\x00")

    @pytest.mark.parametrize("data", [10**15, "text", None, [1, 2], {}], ids=["number", "text", "none", "list", "dict"])
    def test_what_is_no_bytes(self, data):
        with pytest.raises(cw.CurvewiseError, match="Expected bytes"):
            cw.Stream.from_bytes(data)

    def test_foreign_bytes(self):
        for data in (b"", b"PK\x03\x04", pickle.dumps(cw.Stream()), json.dumps(cw.Stream().to_dict()).encode()):
            with pytest.raises(cw.CurvewiseError, match="something else, or damaged"):
                cw.Stream.from_bytes(data)

    @pytest.mark.parametrize(
        "data",
        [
            None,
            {},
            {"schema": "curvewise.sweep", "version": 1, "data": ""},
            {"schema": "curvewise.stream", "version": 2, "data": ""},
            {"schema": "curvewise.stream", "version": 1},
            {"schema": "curvewise.stream", "version": 1, "data": 7},
            {"schema": "curvewise.stream", "version": 1, "data": "é"},
            {"schema": "curvewise.stream", "version": 1, "data": "AAAA"},
        ],
        ids=["none", "empty", "schema", "version", "no-data", "number", "letter", "foreign"],
    )
    def test_foreign_dicts(self, data):
        with pytest.raises(cw.CurvewiseError, match="Expected"):
            cw.Stream.from_dict(data)


MARK = b"curvewise.stream\x00"


def made_up(head, body):
    """Return bytes with a right checksum, whatever they hold."""
    text = head if isinstance(head, bytes) else json.dumps(head).encode()
    packed = struct.pack("<Q", len(text)) + text + body
    return MARK + struct.pack("<I", zlib.crc32(packed)) + packed


def parts(data):
    start = len(MARK) + 4
    size = int.from_bytes(data[start : start + 8], "little")
    return json.loads(data[start + 8 : start + 8 + size]), data[start + 8 + size :]


def floats(*columns):
    return zlib.compress(b"".join(np.array(c, dtype=d).tobytes() for d, c in columns))


class TestHostileHeadings:
    """The checksum is right; what it sums is not what a stream writes."""

    def refused(self, head, body, match="something else, or damaged"):
        with pytest.raises(cw.CurvewiseError, match=match) as caught:
            cw.Stream.from_bytes(made_up(head, body))
        assert type(caught.value) is cw.CurvewiseError
        assert caught.value.__cause__ is None

    def test_another_version(self):
        head, body = parts(fed(*rows(60)).to_bytes())
        self.refused({**head, "version": 2}, body, "of version 1, got '2'")

    @pytest.mark.parametrize(
        "head", [b"", b"{", b"null", b"[]", b"{}", b"7", b"\xff", b"[" * 100_000], ids=lambda h: repr(h[:6])
    )
    def test_headings_that_are_none(self, head):
        self.refused(head, b"")

    @pytest.mark.parametrize(
        "change",
        [
            {"resolution": "fine"},
            {"resolution": -1},
            {"reading": None},
            {"reading": {}},
            {"reading": {"positive": None, "eval": 1}},
            {"rows": -1},
            {"rows": "many"},
            {"rows": 1e99},
            {"dropped": None},
            {"shift": 63},
            {"shift": -1},
            {"bins": 10**18},
            {"bins": 3},
            {"bins": None},
            {"dtypes": []},
            {"dtypes": ["<f8"] * 3},
            {"dtypes": ["|O"] * 4},
            {"dtypes": ["<M8[s]", "<f8", "<i8", "<i8"]},
            {"dtypes": ["<U9"] * 4},
            {"dtypes": [8, 8, 8, 8]},
            {"dtypes": 7},
            {"negative": []},
            {"negative": {}},
        ],
        ids=str,
    )
    def test_headings_that_do_not_fit(self, change):
        head, body = parts(fed(*rows(60)).to_bytes())
        self.refused({**head, **change}, body)
        for name in change:
            self.refused({k: v for k, v in head.items() if k != name}, body)

    @pytest.mark.parametrize(
        "columns",
        [
            [("<f8", [1, 1]), ("<f8", [1, 1]), ("<i8", [1, 1]), ("<i8", [0, 1])],
            [("<f8", [2, 1]), ("<f8", [2, 1]), ("<i8", [1, 1]), ("<i8", [0, 1])],
            [("<f8", [1, np.nan]), ("<f8", [1, np.nan]), ("<i8", [1, 1]), ("<i8", [0, 1])],
            [("<f8", [1, 2]), ("<f8", [3, 4]), ("<i8", [1, 1]), ("<i8", [0, 1])],
            [("<f8", [1, 2]), ("<f8", [1, 2]), ("<i8", [1, -1]), ("<i8", [0, 1])],
            [("<f8", [1, 2]), ("<f8", [1, 2]), ("<i8", [1, 0]), ("<i8", [0, 0])],
            [("<f8", [1, 2]), ("<f8", [1, 2]), ("<f8", [1, np.inf]), ("<f8", [0, 0])],
            [("<f8", [1, 2]), ("<f8", [1, 2]), ("<f8", [1, np.nan]), ("<f8", [0, 0])],
            [("<f8", [1, 2]), ("<i8", [1, 2]), ("<i8", [1, 1]), ("<i8", [0, 1])],
            [("<f8", [1, 2]), ("<f8", [1, 2]), ("<i4", [1, 1]), ("<i4", [0, 1])],
        ],
        ids=["equal", "falling", "nan", "bins", "negative", "empty", "infinite", "nan-count", "dtypes", "counts"],
    )
    def test_bodies_that_no_stream_writes(self, columns):
        head, _ = parts(cw.Stream().update([0, 1], [1.0, 2.0]).to_bytes())
        assert head["bins"] == 2
        self.refused({**head, "dtypes": [d for d, _ in columns]}, floats(*columns))

    def test_a_body_that_unpacks_to_far_more_takes_no_memory(self):
        head, _ = parts(fed(*rows(60)).to_bytes())
        bomb = zlib.compress(bytes(200_000_000), 9)
        tracemalloc.start()
        try:
            self.refused(head, bomb)
            self.refused({**head, "bins": 2**18}, bomb)  # as many as a stream may have, and no more
            assert tracemalloc.get_traced_memory()[1] < 40_000_000
        finally:
            tracemalloc.stop()


def part_of(seed):
    """Count a part in a worker."""
    return cw.Stream(resolution=0.01).update(*rows(2000, seed))


def part_as_bytes(seed):
    return part_of(seed).to_bytes()


class Loader:
    """Batches from workers, each with a part of the rows, as a data loader hands them out."""

    def __init__(self, workers, batch=256):
        self.workers, self.batch = workers, batch

    def __iter__(self):
        y, score = rows(4000)
        for start in range(0, len(y), self.batch):
            yield y[start : start + self.batch], score[start : start + self.batch]


@pytest.fixture(scope="module")
def together():
    several = [rows(2000, seed) for seed in range(4)]
    y, score = (np.concatenate(c) for c in zip(*several, strict=True))
    return cw.Stream(**MIDDLE).update(y, score)


class TestWorkers:
    @pytest.mark.parametrize("work", [part_of, part_as_bytes], ids=["pickled", "bytes"])
    def test_processes(self, together, work):
        with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
            found = list(pool.map(work, range(4)))
        total = cw.Stream(**MIDDLE)
        for part in found:
            total.merge(cw.Stream.from_bytes(part) if isinstance(part, bytes) else part)
        assert same(total, together)

    def test_threads(self, together):
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(part_of, range(4)))
        total = cw.Stream(**MIDDLE)
        for part in found:
            total.merge(part)
        assert same(total, together)

    def test_dask(self, together):
        dask = pytest.importorskip("dask")
        found = [dask.delayed(part_of)(seed) for seed in range(4)]
        while len(found) > 1:
            found = [dask.delayed(cw.Stream.merge)(a, b) for a, b in zip(found[::2], found[1::2], strict=True)]
        assert same(found[0].compute(scheduler="threads"), together)

    def test_a_loader_of_batches(self):
        found = cw.Stream()
        for y, score in Loader(workers=2):
            found.update(y, score.astype(np.float32))
        y, score = rows(4000)
        assert found.sweep() == cw.sweep(y, score.astype(np.float32))


def test_memory_does_not_grow_with_rows(monkeypatch):
    monkeypatch.setattr(stream_module, "BUFFER", 1 << 14)

    def peak(batches):
        rng = np.random.default_rng(0)
        found = cw.Stream(**MIDDLE)
        tracemalloc.start()
        try:
            for _ in range(batches):
                score = rng.random(4000)
                found.update(rng.random(4000) < score, score)
            assert found.sweep().n == 4000 * batches
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    few, many = peak(30), peak(300)
    assert many < 1.2 * few


def test_counts_from_elsewhere_can_be_added():
    y, score = rows(300)
    found = cw.Stream(**COARSE)
    found.add_summary(Summary.of(score, y))
    assert found.summary().positives.sum() == y.sum()
    assert len(found.summary()) <= 16
