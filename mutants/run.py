"""Change one operator or number at a time in the numeric core, and count how many changes the tests notice.

The tests are imported once, and run once with a trace of the lines that each reaches (kept in .mutants/). Every mutant
is then a fork in which the code of the changed functions is swapped: no file is written, and only the tests that reach
the changed line run, the nearest first, until one fails. Five times its usual processor time also fails a test.
A survivor on a line that says why no test can kill it (``# mutants: rounding``) counts as equivalent.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import importlib
import json
import os
import random
import signal
import sys
import threading
import time
from collections import Counter, defaultdict
from itertools import accumulate
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # also when loaded from elsewhere
from edits import Mutant, excuses, mutants
from swap import changes, swap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "curvewise"
FOLDERS = ("core", "metric", "curves", "inference", "probabilities", "breakdown", "decisions")
WIDE = ("test_unchanged.py", "test_golden.py", "test_kernel.py", "test_properties.py", "test_reference.py",
        "test_registry.py", "test_strata.py", "test_sweep.py", "test_worked_examples.py", "censored")  # fmt: skip
NO_NUMBERS = {"core/progress.py", "metric/registry.py", "core/sweep_json.py", "inference/metrics_list.py"}


class Loop:
    """A pytest plugin: in place of running the tests, learn what they reach, then run them against mutants."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.results: list[tuple[Mutant, str]] = []
        self.sources = {path: (PACKAGE / path).read_bytes() for path in _modules(options.only)}  # edits come later
        self.items: dict[str, pytest.Item] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        for item in session.items:
            _stop_at_the_first_example(item)
        self.seconds, self.reach = self._reached()
        self.functions = _functions()
        chosen = self._sample()
        in_forks((lambda one=one: self._try(one) for one in chosen), self.options.workers, self._note(chosen))
        return True

    def _note(self, chosen: list[Mutant]) -> Callable[[int, int], None]:
        excused = {path: excuses(source) for path, source in self.sources.items()}

        def note(index: int, status: int) -> None:
            one = chosen[index]
            verdict = "killed" if status else "equivalent" if one.line in excused[one.path] else "survived"
            self.results.append((one, verdict))
            if verdict == "survived":
                print(_line(one), flush=True)
            if len(self.results) % 50 == 0:
                print(f"... {len(self.results)} mutants", flush=True)

        return note

    def _sample(self) -> list[Mutant]:
        """Draw mutants that change the compiled code (not a comment between two operands)."""
        every = [one for path, source in self.sources.items() for one in mutants(path, source)]
        random.Random(self.options.seed).shuffle(every)
        chosen: list[Mutant] = []
        for one in every:
            if len(chosen) == self.options.sample:
                break
            source = self.sources[one.path]
            if changes(source, one.apply(source)):
                chosen.append(one)
        return chosen

    def _try(self, mutant: Mutant) -> None:
        """Run, in a fork, the tests that reach a mutant; end with status 1 at the first that fails."""
        swap(mutant, self.sources[mutant.path], self.functions)
        tests = [self.items[test] for test in self._nearest(mutant)]
        for item, following in zip(tests, [*tests[1:], None], strict=False):
            signal.setitimer(signal.ITIMER_PROF, 5 + 5 * self.seconds[item.nodeid])  # its signal ends the process
            item.ihook.pytest_runtest_protocol(item=item, nextitem=following)

    def _nearest(self, mutant: Mutant) -> list[str]:
        """Return the tests that reach a mutant, the nearest and quickest first, as many as the budget allows."""
        reached = self.reach[mutant.path]
        ids = {test for line in mutant.lines or reached for test in reached.get(line, ())}
        folder, _, stem = mutant.path.removesuffix(".py").rpartition("/")

        def distance(test: str) -> float:
            near = 1 if stem in test else 3 if f"/{folder}/" in test else 9
            return near * self.seconds[test]  # a quick test farther off comes before a slow one close by

        ordered = sorted(ids, key=distance)
        spent = accumulate(self.seconds[test] for test in ordered)
        return [test for test, total in zip(ordered, spent, strict=True) if total <= self.options.budget] or ordered[:1]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            os._exit(1)

    def _reached(self) -> tuple[dict[str, float], dict[str, dict[int, list[str]]]]:
        """Return how long each test takes, and which tests reach each line; what has not changed is not run again."""
        shared = _digest([*PACKAGE.rglob("*.py"), *(ROOT / "tests").glob("*.py")])
        files = defaultdict(list)
        for item in self.items.values():
            files[item.path].append(item)
        kept = {path: self.options.folder / f"{_digest([path])}-{shared}.json" for path in files}
        missing = [path for path in files if not kept[path].exists()]
        if missing:
            print(f"Tracing {len(missing)} files of tests (once) ...", flush=True)
        self.options.folder.mkdir(exist_ok=True)
        jobs = (lambda path=path: _trace(files[path], kept[path]) for path in missing)
        in_forks(jobs, self.options.workers, lambda index, status: _unusable(missing[index], status))
        seconds: dict[str, float] = {}
        reach: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
        for path in files:
            for test, (took, lines) in json.loads(kept[path].read_text("utf-8")).items():
                seconds[test] = took
                for module, numbers in lines.items():
                    for number in numbers:
                        reach[module][number].append(test)
        return seconds, reach


def in_forks(jobs: Iterable[Callable[[], None]], workers: int, done: Callable[[int, int], None]) -> None:
    """Run each job in a process of its own, so many at a time, and say with which status it ended."""
    running: dict[int, tuple[int, float]] = {}
    for index, job in enumerate(jobs):
        if len(running) >= workers:
            _await_one(running, done)
        child = os.fork()
        if child == 0:
            quiet = os.open(os.devnull, os.O_WRONLY)
            os.dup2(quiet, 1)
            os.dup2(quiet, 2)
            status = 1
            try:
                job()
                status = 0
            finally:
                os._exit(status)
        running[child] = index, time.monotonic()
    while running:
        _await_one(running, done)


def _await_one(running: dict[int, tuple[int, float]], done: Callable[[int, int], None], limit: float = 900) -> None:
    while True:
        child, status = os.waitpid(-1, os.WNOHANG)
        if child in running:
            done(running.pop(child)[0], status)
            return
        for late, (_, since) in running.items():
            if time.monotonic() - since > limit:  # a deadlock uses no processor time
                os.kill(late, signal.SIGKILL)
        time.sleep(0.02)


def _trace(items: list[pytest.Item], to: Path) -> None:
    """Run the tests of one file, and keep for each its time and the lines of the package that it reaches."""
    found: dict[str, tuple[float, dict[str, list[int]]]] = {}
    lines: dict[str, set[int]] = defaultdict(set)
    wanted = {str(PACKAGE / path): path for path in _modules(None)}

    def local(frame: Any, event: str, _: object) -> Any:
        if event == "line":
            lines[wanted[frame.f_code.co_filename]].add(frame.f_lineno)
        return local

    def trace(frame: Any, _event: str, _: object) -> Any:
        return local if frame.f_code.co_filename in wanted else None

    threading.settrace(trace)
    for item, following in zip(items, [*items[1:], None], strict=True):
        lines.clear()
        start = time.process_time()
        sys.settrace(trace)
        item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
        sys.settrace(None)
        found[item.nodeid] = time.process_time() - start, {path: sorted(numbers) for path, numbers in lines.items()}
    to.write_text(json.dumps(found), "utf-8")


def _unusable(path: Path, status: int) -> None:
    if status:
        sys.exit(f"{path.relative_to(ROOT)} fails without any mutant; correct it first.")


def _functions() -> list[FunctionType]:
    for path in _modules(None):
        importlib.import_module(f"curvewise.{path.removesuffix('.py').replace('/', '.')}")
    found = [one for one in gc.get_objects() if isinstance(one, FunctionType)]
    gc.freeze()  # forks share these pages
    return [one for one in found if str(one.__module__).startswith("curvewise.")]


def _modules(only: list[str] | None) -> list[str]:
    found = [str(path.relative_to(PACKAGE)) for folder in FOLDERS for path in sorted((PACKAGE / folder).rglob("*.py"))]
    return [path for path in found if path not in NO_NUMBERS and (not only or any(one in path for one in only))]


def _digest(paths: list[Path]) -> str:
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(paths))).hexdigest()[:16]


def _stop_at_the_first_example(item: pytest.Item) -> None:
    """Let a property test end at the first example that fails: which is smallest does not matter here."""
    from hypothesis import Phase, settings  # noqa: PLC0415 - pytest must rewrite it first

    test = getattr(item, "obj", None)
    test = getattr(test, "__func__", test)
    if hasattr(test, "_hypothesis_internal_use_settings"):
        old = test._hypothesis_internal_use_settings
        phases = (Phase.explicit, Phase.generate)
        quick = settings(old, phases=phases, report_multiple_bugs=False, database=None)
        test._hypothesis_internal_use_settings = quick


def _line(mutant: Mutant) -> str:
    return f"{mutant.path}:{mutant.line} {mutant.function}\n  - {mutant.before}\n  + {mutant.after}"


def main() -> int:
    """Draw mutants, try them, print the score and the survivors."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sample", type=int, default=200, help="how many mutants to draw (default 200)")
    parser.add_argument("--seed", type=int, default=1, help="which ones (default 1)")
    parser.add_argument("--only", action="append", metavar="PATH", help="a module or folder, such as curves/pr_gain.py")
    parser.add_argument("--tests", nargs="+", help="files of tests; by default those of the numeric core")
    parser.add_argument("--workers", type=int, default=2, help="processes at a time (default 2)")
    parser.add_argument(
        "--budget", type=float, default=60, help="seconds of tests per mutant, the nearest first (default 60)"
    )
    parser.add_argument(
        "--folder", type=Path, default=ROOT / ".mutants", help="for traces and results (default .mutants)"
    )
    options = parser.parse_args()
    os.nice(10)
    os.chdir(ROOT)
    loop = Loop(options)
    tests = options.tests or [
        *(f"tests/{folder}" for folder in FOLDERS),
        *(f"tests/{name}" for name in WIDE),
        *(f"src/curvewise/{folder}" for folder in FOLDERS),
    ]
    asked = ["-c", "pyproject.toml", "--rootdir", ".", "-q", "-s", "--tb=no", "-p", "no:cacheprovider"]
    status = pytest.main([*asked, *tests], plugins=[loop])
    if not loop.results:
        return int(status) or 1
    count = Counter(verdict for _, verdict in loop.results)
    tried = count["killed"] + count["survived"]
    summary = (
        f"seed {options.seed}: {len(loop.results)} mutants, {count['killed']} killed, {count['survived']} survived, "
        f"{count['equivalent']} equivalent: {count['killed'] / max(tried, 1):.1%} of {tried} killed"
    )
    listed = [
        f"{verdict}: {_line(one)}" for one, verdict in sorted(loop.results, key=lambda pair: (pair[1], pair[0].key))
    ]
    (options.folder / "results.txt").write_text("\n".join([summary, "", *listed, ""]), "utf-8")
    print(summary)
    return 0


if __name__ == "__main__":
    sys.exit(main())
