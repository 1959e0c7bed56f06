"""The package itself: public names, what importing loads, what is missing when an extra is."""

import subprocess
import sys

import pytest

import curvewise as cw


def python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_public_names():
    assert sorted(cw.__all__) == dir(cw)
    for name in cw.__all__:
        assert getattr(cw, name) is not None
        assert getattr(cw, name).__doc__
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        cw.nonsense  # noqa: B018


def test_the_package_shows_verbs_and_what_users_make_and_results_show_their_classes():
    assert not set(cw.__all__) & set(cw.results.__all__)
    assert sorted(cw.results.__all__) == dir(cw.results)
    assert all(isinstance(getattr(cw.results, name), type) for name in cw.results.__all__)
    assert len(cw.__all__) <= 125
    assert isinstance(cw.roc_curve([0, 1], [1, 2]), cw.results.RocCurve)


def test_verbs_can_be_pickled_and_inspected_by_their_public_names():
    import inspect
    import pickle

    for name in ("roc_auc", "interval", "compare", "by_group"):
        verb = getattr(cw, name)
        assert pickle.loads(pickle.dumps(verb)) is verb
        assert verb.__module__ == "curvewise"
        assert "y" in inspect.signature(verb).parameters


def test_importing_loads_nothing_heavy():
    loaded = python("import curvewise, sys; print(*sorted({m.split('.')[0] for m in sys.modules}))").split()
    assert not {"numpy", "scipy", "narwhals", "polars", "pandas", "click"} & set(loaded)


def test_a_number_needs_no_extra_and_no_scipy():
    code = (
        "import curvewise as cw, sys\n"
        "cw.roc_auc([0, 1], [1, 2]); cw.pr_auc([0, 1], [1, 2]); cw.sweep([0, 1], [1, 2]).at(1).table\n"
        "print(*sorted({m.split('.')[0] for m in sys.modules}))"
    )
    assert not {"scipy", "narwhals", "polars", "pandas", "pyarrow", "click"} & set(python(code).split())


def test_verbs_survive_any_import_order():
    assert python("import curvewise.core.sweep, curvewise.metric, curvewise as cw; print(callable(cw.sweep))") == "True"


def test_the_order_of_metrics_does_not_depend_on_what_was_used_before():
    code = "import curvewise as cw\n{}\nprint(*cw.metrics().names)"
    first = "from curvewise.metric.smooth_reliability import ici\nfrom curvewise.metric.calibration_error import mce"
    assert python(code.format(first)) == python(code.format(""))


def test_missing_frame_library_says_what_to_install(monkeypatch):
    monkeypatch.setattr("curvewise.results.frames.find_spec", lambda _: None)
    for name in ("polars", "pandas", "pyarrow"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    with pytest.raises(cw.MissingExtraError, match="pip install polars"):
        cw.sweep([0, 1], [1, 2]).to_frame()


def test_missing_scikit_learn_says_what_to_install():
    code = (
        "import sys; sys.modules['sklearn'] = None\n"
        "import curvewise as cw\n"
        "try: cw.sklearn\n"
        "except cw.MissingExtraError as error: print(error)"
    )
    assert "pip install 'curvewise[sklearn]'" in python(code)


def test_error_classes():
    assert issubclass(cw.CurvewiseError, ValueError)
    assert issubclass(cw.UndefinedMetricError, cw.CurvewiseError)
    assert issubclass(cw.SourceError, cw.CurvewiseError)
    assert issubclass(cw.MissingExtraError, ImportError)
    assert issubclass(cw.CurvewiseWarning, UserWarning)
