"""The figures of a page: which there are, how high they are, and that their text can be read."""

import re
from functools import cache

import numpy as np
import pytest

import curvewise as cw
from curvewise.pages.scores.drawings import drawings

SMALLEST = 8.25  # points of a width of 252, which a page shows on 345 pixels


@cache
def evaluated(models=2, prevalence=0.02, costs=True):
    rng = np.random.default_rng(0)
    y = np.arange(4000) < 4000 * prevalence
    odds = rng.normal(size=(models, 4000)) + 2 * y + np.log(prevalence)
    data = {"y": y, **{f"a long name of model number {k}": 1 / (1 + np.exp(-z)) for k, z in enumerate(odds)}}
    data |= {"sex": rng.choice(["f", "m"], 4000), "site": rng.choice(["A", "B", "C"], 4000)}
    fees = {"fp": 1, "fn": 3} if costs else None
    names = [name for name in data if name.startswith("a ")]
    return cw.evaluate(data, label="y", scores=names, group="sex", site="site", costs=fees, replicates=20)


@cache
def drawn(*case, lang="en"):
    return drawings(evaluated(*case), lang)


def height(drawing):
    return float(re.search(r'viewBox="0 0 252 ([\d.]+)"', drawing.svg)[1])


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_smallest_text_can_be_read(lang):
    for key, drawing in drawn(lang=lang).items():
        sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)px"', drawing.svg)]
        assert min(sizes) >= SMALLEST, key


def test_figures_that_stand_side_by_side_are_equally_high():
    found = drawn()
    for row in (
        ("roc", "pr", "roc_log", "pr_gain", "det", "lift"),
        ("cost", "decision"),
        tuple(f"{part}:{k}" for part in ("distribution", "thresholds", "confusion") for k in (0, 1)),
        ("reliability:0", "reliability:1"),
    ):
        assert len({height(found[key]) for key in row}) == 1, row


def test_rare_positives_get_their_own_scales():
    found = drawn()
    rare = found["roc_log"].frames[0]
    assert (rare.xscale, rare.xlim[1]) == ("log", 1)
    assert rare.xlim[0] == pytest.approx(1 / 3920)
    assert "roc-log-model-0-band" in found["roc_log"].svg
    assert found["distribution:0"].frames[0].xscale == "logit"
    assert found["thresholds:1"].frames[0].xscale == "logit"
    assert found["decision"].frames[0].xlim[1] == pytest.approx(1.5 / 4)  # stated costs act from 1/4 on
    assert drawn(1, 0.02, False)["decision"].frames[0].xlim[1] == pytest.approx(0.08)
    points = evaluated(1, 0.02, False).models["a long name of model number 0"].decision.threshold
    assert (points < 0.08).sum() > 90


def test_common_positives_keep_plain_scales():
    found = drawn(1, 0.4, False)
    assert "roc_log" not in found
    assert found["distribution:0"].frames[0].xscale == "linear"
    assert found["decision"].frames[0].xlim == (0.01, 0.99)


@pytest.mark.slow
def test_groups_and_sites_share_a_figure_while_they_fit():
    four = {key for key in drawn(4, 0.4, False) if key.startswith(("groups", "sites"))}
    assert four == {"groups", "sites"}
    five = {key for key in drawn(5, 0.4, False) if key.startswith(("groups", "sites"))}
    assert five == {f"{part}:{k}" for part in ("groups", "sites") for k in range(5)}


def test_differences_of_every_metric_stand_in_one_figure():
    found = drawn()["difference"]
    assert len(found.frames) == len(evaluated().comparisons) == 3
    assert {"AUC", "AP"} <= set(re.findall(r">([^<>]+)</text>", found.svg))
    assert "difference" not in drawn(1, 0.4, False)
