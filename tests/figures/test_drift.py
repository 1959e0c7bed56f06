"""The scores then and now: what is drawn is what was counted."""

import numpy as np
import pytest

import curvewise as cw
from curvewise.figures import draw_drift


@pytest.fixture
def histograms():
    then = cw.score_histogram([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], bins=4, limits=(0, 1))
    now = cw.score_histogram([0, 0, 0, 1], [0.1, 0.2, 0.9, 0.8], bins=4, limits=(0, 1))
    return then, now


def test_shares_of_each_class_then_and_now(histograms):
    ax = draw_drift(*histograms)
    drawn = {patch.get_gid(): patch.get_data() for patch in ax.patches if patch.get_gid()}
    assert drawn["positives-then"].values.tolist() == [0, 0.5, 0, 0.5]
    assert drawn["positives-now"].values.tolist() == [0, 0, 0, 1]
    assert drawn["negatives-then"].values.tolist() == [-0.5, -0.5, 0, 0]
    assert np.allclose(drawn["negatives-now"].values, [-2 / 3, 0, 0, -1 / 3])
    assert drawn["positives-now"].edges.tolist() == [0, 0.25, 0.5, 0.75, 1]


@pytest.mark.parametrize(
    ("lang", "words"),
    [("en", ["positives (now)", "then", "negatives (now)"]), ("zh", ["阳性 (现在)", "当时", "阴性 (现在)"])],
)
def test_the_legend_says_which_is_which(histograms, lang, words):
    texts = [text.get_text() for text in draw_drift(*histograms, lang=lang).get_legend().get_texts()]
    assert sorted(texts) == sorted(words)


def test_a_model_draws_its_own():
    def evaluated(scores):
        return cw.evaluate({"y": [0, 0, 1, 1] * 3, "s": scores * 3}, label="y", scores="s", replicates=5)

    now, then = evaluated([0.1, 0.4, 0.35, 0.8]), evaluated([0.1, 0.2, 0.3, 0.9])
    found = now.compare(then).models["s"]
    assert found.histograms[0].edges.tolist() == found.histograms[1].edges.tolist()
    assert found.plot().get_xlabel() == "Score"
