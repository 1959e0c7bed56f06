"""The tool that counts which changes of the numeric core the tests notice (`make mutants`)."""

import os
import subprocess
import sys
from pathlib import Path
from types import FunctionType, ModuleType

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "mutants"))
import edits  # noqa: E402
import run  # noqa: E402
import swap  # noqa: E402


def changes(body):
    source = f"def f(a, b):\n    {body}\n".encode()
    return {one.after for one in edits.mutants("f.py", source)}


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("c = a < b", {"c = a <= b"}),
        ("c = a is not b", {"c = a is b"}),
        ("c = a not in b", {"c = a in b"}),
        ("c = a // b", {"c = a / b"}),
        ("a += b", {"a -= b"}),
        ("c = a and not b", {"c = a or not b", "c = a and (b)"}),
        ("c = max(a, b)", {"c = min(a, b)"}),
        ("c = a.argmax()", {"c = a.argmin()"}),
        ("c = a[b:]", {"c = a[(b) + 1:]"}),
        ("c = 0, 7, True", {"c = 1, 7, True", "c = 0, 8, True", "c = 0, 7, False"}),
        ("c = 1.0, 0.5", {"c = 0.0, 0.5", "c = 1.0, 1.0"}),
        ("c = a.searchsorted(b, side='left')", {"c = a.searchsorted(b, side='right')"}),
        ("return a", {"return None"}),
        ("c = a if b else -a", {"c = a if not (b) else -a", "c = a if b else (a)"}),
        ("if a: return", {"if not (a): return"}),
    ],
)  # fmt: skip
def test_what_is_changed(body, wanted):
    assert changes(body) == wanted


@pytest.mark.parametrize(
    "body",
    ["raise ValueError(a + 1)", "c = f'{a + 1}'", "c: 'int | None' = a", "'a + 1'", "c = a.astype(b, copy=False)"],
)
def test_what_is_not_changed(body):
    assert changes(body) == set()


SOURCE = b"""
LIMIT = 3


def within(x, least=1, *, most=9):
    # the operators < + - of a comment stay
    return least < x * LIMIT < most, [k + 1 for k in (x,)]
"""


def answers(module):
    return [module.within(k / 12) for k in range(60)]


def test_code_defaults_and_constants_are_swapped(monkeypatch):
    found = edits.mutants("made_up.py", SOURCE)
    assert {one.line for one in found} == {2, 5, 7}
    for one in found:
        module, other = ModuleType("curvewise.made_up"), ModuleType("curvewise.other")
        exec(SOURCE, vars(module))
        other.LIMIT = module.LIMIT
        before = answers(module)
        monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.setitem(sys.modules, other.__name__, other)
        swap.swap(one, SOURCE, [value for value in vars(module).values() if isinstance(value, FunctionType)])
        assert _answers_or_error(module) != before, one
        assert (other.LIMIT != 3) == (one.line == 2)


def _answers_or_error(module):
    try:
        return answers(module)
    except TypeError as error:
        return error


def test_a_comment_excuses_its_line_or_the_next():
    source = b"a = 1  # mutants: rounding\nb = 2  # seconds  # mutants: work, not read\n    # mutants: squared\nc = 3\n"
    assert edits.excuses(source) == {1: "rounding", 2: "work, not read", 4: "squared"}


TESTS = """
import curvewise as cw

def test_equal_error_rate():
    assert cw.det_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).eer == 0.25
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="every mutant is a fork")
def test_killed_survived_and_equivalent_are_told_apart(tmp_path):
    (tmp_path / "test_rate.py").write_text(TESTS, "utf-8")
    asked = {"--only": "curves/det.py", "--tests": tmp_path / "test_rate.py", "--folder": tmp_path / "kept",
             "--sample": 1000}  # fmt: skip
    command = [sys.executable, ROOT / "mutants" / "run.py", *(part for pair in asked.items() for part in pair)]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True)
    assert ", 1 equivalent: " in done.stdout
    text = (tmp_path / "kept" / "results.txt").read_text("utf-8").replace("\n  ", " ")
    changed = (line.partition(" + ")[2].partition(" # ")[0] for line in text.splitlines())
    lines = dict(zip(changed, (line.partition(":")[0] for line in text.splitlines()), strict=True))
    # of a line with an excuse, what tests notice is still counted as killed
    assert lines["k = int(np.argmax((fpr > fnr)[vertices]))"] == "equivalent"
    assert lines["k = int(np.argmin((fpr >= fnr)[vertices]))"] == "killed"
    assert lines["before, after = vertices[k + 1], vertices[k]"] == "killed"
    assert lines["gap0, gap1 = fnr[before] + fpr[before], fpr[after] - fnr[after]"] == "survived"  # by one example
    assert "gap0, gap1 = fnr[before] + fpr[before], fpr[after] - fnr[after]" in done.stdout
    assert "fpr > fnr" not in done.stdout


def test_every_excuse_stands_at_a_line_that_is_changed():
    excused = {path: edits.excuses((run.PACKAGE / path).read_bytes()) for path in run._modules(None)}
    assert sum(map(len, excused.values())) > 100
    for path, reasons in excused.items():
        changed = {one.line for one in edits.mutants(path, (run.PACKAGE / path).read_bytes())}
        assert set(reasons) <= changed, path
    elsewhere = [p for p in run.PACKAGE.rglob("*.py") if str(p.relative_to(run.PACKAGE)) not in excused]
    assert not [path for path in elsewhere if b"# mutants:" in path.read_bytes()]
