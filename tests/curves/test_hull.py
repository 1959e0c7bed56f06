"""The hull's vertices, exactly, however the points are cut into chunks and thinned before the walk."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import curvewise as cw
import oracle
from curvewise.core import keys
from curvewise.curves import hull
from strategies import labelled

counts = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)).filter(any), min_size=1, max_size=40)


def exact_places(blocks):
    """Return the places of the vertices among (0, 0) and the points, by trying every chord."""
    points = [(0, 0)]
    for pos, neg in blocks:
        points.append((points[-1][0] + neg, points[-1][1] + pos))
    return [points.index(vertex) for vertex in oracle.hull(points)]


@pytest.mark.parametrize("chunk", [1, 2, 5, 1000])
@pytest.mark.parametrize("enough", [0.0, 0.9, 0.999])
@given(blocks=counts)
def test_chunks_and_passes_leave_the_same_vertices(chunk, enough, blocks):
    tp, fp = np.cumsum(np.array(blocks), axis=0).T
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keys, "CHUNK", chunk)
        patch.setattr(hull, "ENOUGH_LEFT", enough)  # 0: one pass, then the walk; 0.999: passes until none drops a point
        assert hull.hull_places(tp, fp).tolist() == exact_places(blocks)


@given(labelled())
def test_area_and_slopes_are_those_of_the_vertices(data):
    found = cw.roc_hull(*data)
    vertices = oracle.hull(oracle.roc_points(*data))
    assert list(zip(found.fpr, found.tpr, strict=True)) == [(float(x), float(y)) for x, y in vertices]
    assert found.auc == pytest.approx(float(oracle.partial_area(vertices, 0, 1)), abs=1e-15)
    rises = [
        float("inf") if x0 == x1 else float(Fraction(y1 - y0) / (x1 - x0)) for (x0, y0), (x1, y1) in pairwise(vertices)
    ]
    assert found.slope == pytest.approx(rises)
    blocks = set(range(len(cw.sweep(*data).threshold)))
    assert blocks == set(found.block.tolist()[1:]) | set(found.skipped.tolist())
    assert not set(found.block.tolist()) & set(found.skipped.tolist())


def test_only_rounding_may_leave_positives_without_a_score():
    blocks = [2, 1], [0.1, 0.2], [0.5, 0.5]
    almost = cw.Sweep.from_counts(*blocks, total_positives=0.3 * (1 + 1e-10))
    assert cw.cost_curve(almost).points
    with pytest.raises(cw.CurvewiseError, match="needs a score for every positive"):
        cw.cost_curve(cw.Sweep.from_counts(*blocks, total_positives=0.3 * (1 + 1e-8)))


def test_a_billionth_of_the_positives_may_lack_a_score_and_no_more():
    total = 10**9
    assert cw.cost_curve(cw.Sweep.from_counts([1], [total - 1], [1], total_positives=total)).points
    with pytest.raises(cw.CurvewiseError, match="2 of 1000000000 have none"):
        cw.cost_curve(cw.Sweep.from_counts([1], [total - 2], [1], total_positives=total))


@pytest.mark.parametrize(
    ("pos", "neg", "places"),
    [([2**32, 0], [0, 2**31], [0, 1, 2]), ([1, 2**32, 0], [0, 0, 2**31], [0, 2, 3])],
)
def test_products_of_counts_may_pass_int64(pos, neg, places):
    """The corner at (0, 1) is compared by 2^32 times 2^31, one more than int64 holds."""
    assert hull.hull_places(np.cumsum(pos), np.cumsum(neg)).tolist() == places
