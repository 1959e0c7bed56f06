"""Numbers from R (pROC, ROCR, PRROC) and scikit-learn; provenance in reference/golden.json."""

import json
from pathlib import Path

import numpy as np
import pytest

import curvewise as cw

HERE = Path(__file__).parent / "reference"
GOLDEN = json.loads((HERE / "golden.json").read_text())["cases"]
MODELS = [(case, model) for case, models in GOLDEN.items() for model in models if model != "a-b"]
TOLERANCE = 1e-11  # the reference is printed with 12 digits


def read(case, model):
    table = np.genfromtxt(HERE / f"{case}.csv", delimiter=",", names=True)
    return cw.sweep(table["y"], table[model])


@pytest.mark.parametrize(("case", "model"), MODELS)
def test_areas(case, model):
    s, reference = read(case, model), GOLDEN[case][model]
    hull = cw.roc_hull(s)
    assert cw.roc_auc(s) == pytest.approx(reference["auc"], abs=TOLERANCE)
    assert cw.pr_auc(s) == pytest.approx(reference["pr_area_continuous"], abs=TOLERANCE)
    assert cw.pr_auc_levels(s.prevalence).least == pytest.approx(reference["pr_area_min"], abs=TOLERANCE)
    assert hull.auc == pytest.approx(reference["hull_auc"], abs=TOLERANCE)
    assert len(hull) == reference["hull_vertices"]
    assert cw.average_precision(s) == pytest.approx(reference["average_precision_block"], abs=1e-14)


@pytest.mark.parametrize(("case", "model"), MODELS)
@pytest.mark.parametrize("scale", ["raw", "mcclish"])
def test_partial_areas(case, model, scale):
    s, reference = read(case, model), GOLDEN[case][model]
    wanted = {key: value[scale] for key, value in reference.items() if key.startswith("pauc_")}
    assert len(wanted) == 5
    for key, value in wanted.items():
        _, axis, low, high = key.split("_")
        found = cw.partial_roc_auc(s, scale=scale, **{axis: (float(low), float(high))})
        assert found == pytest.approx(value, abs=TOLERANCE), key


@pytest.mark.parametrize(("case", "model"), MODELS)
def test_best_points_exist_on_the_sweep(case, model):
    """pROC's midpoint thresholds cut our sweep into its sensitivity and specificity."""
    s, reference = read(case, model), GOLDEN[case][model]
    for rule in ("youden", "topleft", "youden_w5_p0.1"):
        for point in reference[rule]:
            c = s.at(point["threshold_midpoint"])
            assert c.recall == pytest.approx(point["sensitivity"], abs=TOLERANCE)
            assert c.specificity == pytest.approx(point["specificity"], abs=TOLERANCE)
