"""The summary and the table of gaps judge a difference between groups by the same corrected p-value."""

import numpy as np
import pytest

import curvewise as cw


@pytest.mark.parametrize("lift", [0.0, 1.2])
def test_the_summary_judges_by_the_tables_corrected_p_value(lift, tmp_path):
    rng = np.random.default_rng(6)
    n = 600
    group, other = rng.integers(0, 2, n), rng.integers(0, 3, n)
    y = (rng.random(n) < 0.4).astype(int)
    score = 1 / (1 + np.exp(-(rng.normal(size=n) + 1.5 * y - 0.7 + lift * group)))
    data = {"y": y, "score": score, "sex": group.astype(str), "age": other.astype(str)}
    found = cw.evaluate(data, label="y", scores="score", group=["sex", "age"], rule=cw.rules.youden(), replicates=30)
    rows = [r for t in found.gaps["score"].values() for r in t.rows() if r["metric"] in ("recall", "fpr")]
    clear = [r for r in rows if r["p_holm"] < 0.05]
    found.report(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text()
    assert text.count("across groups of") == 2 * min(len(clear), 3)  # in the summary, and in the section
    assert ("No significant difference between groups" in text) == (not clear)
    assert bool(clear) == (lift > 0)
