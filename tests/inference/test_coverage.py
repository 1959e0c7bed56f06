"""Coverage and size, counted by `make coverage` and kept in simulations/coverage.json."""

import importlib.util
import json
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "simulations" / "coverage.py"


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("coverage_script", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def kept():
    found = json.loads((SCRIPT.parent / "coverage.json").read_text())
    return {row["cell"]: row.get("covered", row.get("rejected")) / row["runs"] for row in found}


def test_every_cell_is_kept(script, kept):
    assert list(kept) == [cell.name for cell in script.cells()]


def test_default_auc_interval(kept):
    shares = {name: share for name, share in kept.items() if name.startswith("roc_auc delong, ")}
    assert len(shares) == 18
    assert all(0.92 <= share <= 0.985 for share in shares.values()), shares
    large = [s for name, s in shares.items() if "n 200" in name and "0.99" not in name]
    assert all(0.94 <= share <= 0.96 for share in large), large


def test_wald_fails_where_the_default_does_not(kept):
    assert kept["roc_auc delong-wald, n 20, 1:4, AUC 0.99"] < 0.5


def test_bootstrap_intervals(kept):
    for start in ("average_precision", "partial_roc_auc", "roc_auc by cluster"):
        shares = [share for name, share in kept.items() if name.startswith(start)]
        assert len(shares) > 1
        assert all(0.91 <= share <= 0.985 for share in shares), (start, shares)
    assert all(share >= 0.95 for name, share in kept.items() if name.startswith("simultaneous"))


def test_size_of_the_paired_test(kept):
    sizes = {name: share for name, share in kept.items() if name.startswith("paired test")}
    assert all(share <= 0.075 for share in sizes.values()), sizes
    large = {name: s for name, s in sizes.items() if int(name.split("+")[0].split()[-1]) >= 100}
    assert len(large) >= 12
    assert all(0.035 <= share <= 0.065 for share in large.values()), large


@pytest.mark.parametrize("start", ["roc_auc delong, n 200, 1:4, AUC 0.99", "roc_auc by cluster", "paired test, 20"])
def test_kept_counts_are_made_by_this_code(script, start):
    """The first runs of a cell, once more: the same count, or the file is out of date."""
    found = json.loads((SCRIPT.parent / "coverage.json").read_text())
    which = next(k for k, row in enumerate(found) if row["cell"].startswith(start))
    assert script.count(which, script.FIRST)["first"] == found[which]["first"]
