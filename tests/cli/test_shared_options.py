"""Every command that reads labels and scores takes the same options of rows, and they count."""

import json

import pytest

import curvewise as cw
from curvewise.cli.app import COMMANDS, find_command
from curvewise.rows.rows import RowOptions

READS = sorted(set(COMMANDS) - {"demo", "detect", "recalibrate", "survive"})  # what reads labels


@pytest.mark.parametrize("name", READS)
def test_every_option_of_rows_is_there(name):
    typed = {o for p in find_command(name).params for o in p.opts}
    assert {f"--{option.replace('_', '-')}" for option in RowOptions.__annotations__} <= typed


@pytest.mark.parametrize("name", READS)
def test_one_seed_and_one_number_of_replicates(name):
    defaults = {p.name: p.default for p in find_command(name).params}
    assert defaults["seed"] == 0
    assert defaults.get("replicates", 1000) == 1000


@pytest.fixture
def tenfold(write):
    """Rows that stand in the file ten times, under the number of the row."""
    rows = [f"{k % 3 == 0:d},{(k * 7 % 30 + 8 * (k % 3 == 0)) / 45},{k},{'fm'[k % 2]}" for k in range(60)]
    return write("ten.csv", "\n".join(["y,p,row,sex", *(r for r in rows for _ in range(10))]) + "\n")


def widths(found, path=()):
    """Yield every interval of an answer by its place."""
    if isinstance(found, dict):
        low, high = found.get("low"), found.get("high")
        if isinstance(low, float) and isinstance(high, float) and path and "optimism" not in path:
            yield (*path, found.get("metric")), high - low
        for key, value in found.items():
            yield from widths(value, (*path, key))
    if isinstance(found, list):
        for k, value in enumerate(found):
            yield from widths(value, (*path, k))


@pytest.mark.parametrize(
    ("command", "more"),
    [
        ("metrics", ("--threshold", "0.3", "--replicates", "200")),
        ("compare", ("--against", "0.5")),
        ("groups", ("--group", "sex", "--threshold", "0.3", "--replicates", "200")),
        ("calibrate", ()),
        ("operate", ("--rule", "youden", "--replicates", "200")),
    ],
)
def test_clusters_widen_every_interval(curve, tenfold, command, more):
    base = (command, tenfold, "--label", "y", "--score", "p", *more, "--format", "json")
    plain, clustered = (dict(widths(json.loads(curve(*base, *extra).out))) for extra in ((), ("--cluster", "row")))
    narrow = [place for place, width in clustered.items() if width < 1.8 * plain.get(place, 0) and width < 0.5]
    assert clustered
    assert not narrow


def test_weights_that_count_narrow_the_interval(curve, write):
    path = write("w.csv", "y,p,w\n1,5,9\n0,4,9\n1,3,9\n0,2,9\n1,6,9\n0,1,9\n")
    base = ("metrics", path, "--label", "y", "--score", "p", "--weight", "w", "--metric", "auc")
    found = {}
    for kind in ("sampling", "count"):
        out = curve(*base, "--weight-kind", kind, "--format", "json").out
        (found[kind],) = json.loads(out)["scores"][0]["metrics"]
    assert found["sampling"]["value"] == found["count"]["value"]
    width = {kind: m["high"] - m["low"] for kind, m in found.items()}
    assert width["count"] < width["sampling"]


def test_any_metric_by_any_name_with_its_options(curve, tiny):
    base = ("metrics", tiny, "--label", "y", "--score", "p", "--format", "json")
    out = curve(*base, "--metric", "TPR_at_TNR", "--metric", "gini", "--option", "specificity=0.8").out
    found = {m["metric"]: m for m in json.loads(out)["scores"][0]["metrics"]}
    assert set(found) == {"sensitivity_at_specificity", "gini"}
    assert found["sensitivity_at_specificity"]["options"] == {"specificity": 0.8}


def test_the_list_of_metrics(curve):
    answer = curve("metrics", "--list")
    assert (answer.code, answer.err) == (0, "")
    for name in ("roc_auc", "brier_loss", "recall_at_fpr", "mcc"):
        assert f"\n{name} " in answer.out


def test_terminal_shows_what_python_shows(curve, tiny):
    import polars as pl

    table = pl.read_csv(tiny)
    out = curve("compare", tiny, "--label", "y", "--score", "p").out
    found = cw.compare(table["y"], {"p": table["p"]})
    assert str(found.table) in out
    for note in found.notes:
        assert f"Note: {note}." in out


WRITES = sorted(set(COMMANDS) - {"plot", "recalibrate", "table"})  # which write other kinds of files


@pytest.mark.parametrize("name", WRITES)
@pytest.mark.parametrize(
    ("ending", "words"),
    [
        ("pdf", "a browser prints it as PDF"),
        ("docx", "curvewise table writes the table of a paper"),
        ("PNG", "curvewise plot draws figures"),
        ("xlsx", "which a spreadsheet opens"),
        ("foo", "--output: x.foo: this command writes ."),
    ],
)
def test_an_ending_that_is_never_written_is_refused_before_anything_is_read(curve, name, ending, words, tmp_path):
    files = {"demo": (), "detect": ("truth.json", "found.json")}
    labels = ("--time", "t", "--event", "e", "--horizon", "5") if name == "survive" else ("--label", "y")
    reads = files.get(name, ("absent.csv", *labels, "--score", "p"))
    more = {"operate": ("--rule", "youden"), "groups": ("--group", "g")}.get(name, ())
    answer = curve(name, *reads, *more, "-o", f"x.{ending}")
    assert (answer.code, answer.out) == (2, "")
    assert words in answer.err
    assert not list(tmp_path.iterdir())


def test_endings_that_say_a_format(curve, tiny, tmp_path):
    ask = ("metrics", tiny, "--label", "y", "--score", "p", "--metric", "auc", "--no-intervals", "-o")
    beginnings = {"json": "{", "csv": "score,", "md": "### Data", "markdown": "### Data", "txt": "Data:"}
    for ending, begin in beginnings.items():
        assert curve(*ask, f"x.{ending}").code == 0
        assert (tmp_path / f"x.{ending}").read_text().startswith(begin)
    assert curve(*ask, "x.foo", "--format", "json").code == 0  # what is said wins
    assert (tmp_path / "x.foo").read_text().startswith("{")
    assert curve(*ask, "none").code == 0
    assert curve(*ask, "x.pdf", "--format", "json").code == 2


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        *((typed, "roc_auc") for typed in ("auc", "AUROC", "roc-auc", "ROC AUC", "auc_roc")),
        *((typed, "average_precision") for typed in ("ap", "AP", "average-precision")),
        *((typed, "pr_auc") for typed in ("aupr", "prauc", "auprc")),
        *((typed, "recall") for typed in ("sens", "sensitivity", "TPR", "hit_rate")),
        *((typed, "specificity") for typed in ("spec", "tnr")),
        *((typed, "precision") for typed in ("ppv", "PPV", "prec")),
        *((typed, "f1") for typed in ("f1-score", "F1", "f_measure")),
        *((typed, typed) for typed in ("npv", "mcc", "ece", "gini", "fpr")),
        ("brier", "brier_loss"),
        ("logloss", "log_loss"),
        ("log-loss", "log_loss"),
        ("eer", "equal_error_rate"),
    ],
)
def test_a_metric_has_the_same_names_in_every_command(curve, tiny, typed, name):
    base = (tiny, "--label", "y", "--score", "p")
    cut = ("--threshold", "0.7") if name in ("recall", "specificity", "precision", "f1", "npv", "mcc", "fpr") else ()
    said = curve("metrics", *base, *cut, "--metric", typed, "--no-intervals", "--fail-under", f"{typed}=-9").out
    assert f"\n{name} " in said
    lower = name in ("fpr", "ece", "brier_loss", "log_loss", "equal_error_rate")
    failed = curve("metrics", *base, *cut, "--no-intervals", "--fail-under", f"{typed}={-9 if lower else 9}")
    assert (failed.code, failed.err.startswith(f"Failed: {name} of p")) == (1, True)
    against = () if name == "roc_auc" else ("--against", "0.5")
    assert f"{name}: " in curve("compare", *base, *cut, "--metric", typed, *against, "--replicates", "20").out


@pytest.mark.parametrize("typed", ["max-fpr", "max_fpr", "MAX_FPR"])
def test_a_rule_with_hyphens_or_underscores(curve, tiny, typed):
    answer = curve("operate", tiny, "--label", "y", "--score", "p", "--rule", typed, "--at", "0.3", "--replicates", "0")
    assert "Choice by max_fpr(at=0.3)" in answer.out


def test_a_rule_by_the_names_of_its_metric(curve, tiny):
    ask = ("operate", tiny, "--label", "y", "--score", "p", "--at", "0.5", "--replicates", "0", "--rule")
    for typed, name in (
        ("min-sensitivity", "min_recall"),
        ("min_ppv", "min_precision"),
        ("min-tnr", "min_specificity"),
    ):
        assert f"Choice by {name}(at=0.5)" in curve(*ask, typed).out
    assert curve(*ask, "least-fpr").code == 2
