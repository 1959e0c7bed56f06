"""Signals at any moment, full disks and other writers: an old report survives, whole, and no draft is left."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest

from fuzz.effort import EXAMPLES

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and limits of POSIX")
ASK = ("--label", "y", "--score", "p", "--replicates", "20")
OLD = '{"old": true}'
RUN = "from curvewise.cli import main; print('ready', flush=True); main()"
# a disk that takes its time, so that a signal finds the draft there
SLOW = f"""
import os, time
def fsync(number):
    print("writing", flush=True)
    time.sleep(60)
os.fsync = fsync
{RUN}
"""
LOADING = """
import sys
class Said:
    def find_spec(self, name, *_):
        if name == "curvewise._names":
            print("loading", flush=True)
sys.meta_path.insert(0, Said())
"""
LIMITED = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n{RUN}"


@pytest.fixture
def start(clean_env, tiny):
    """Start a report on a file, beside an old one of the same name where that is asked for."""

    def started(*more, code=RUN, name="r.json"):
        typed = ["report", tiny.name, *ASK, "-o", name, *more]
        process = subprocess.Popen(
            [sys.executable, "-c", code, *typed],
            cwd=tiny.parent,
            env=clean_env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdout.readline() == "ready\n"
        return process

    return started


def beside(tiny):
    return sorted(p.name for p in tiny.parent.iterdir() if p.name != tiny.name)


def ended(process):
    said = process.communicate(timeout=120)[1]
    assert "Traceback" not in said
    return process.returncode, said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM), (signal.SIGKILL, -signal.SIGKILL)]
)
def test_signals_at_any_moment(start, tiny, number, code):
    report = tiny.parent / "r.json"
    began = time.monotonic()
    assert ended(start())[0] == 0
    usual = time.monotonic() - began
    chance = random.Random() if EXAMPLES else random.Random(int(number))
    for _ in range(max(4, EXAMPLES // 10)):
        report.write_text(OLD)
        process = start("--force")
        time.sleep(chance.uniform(0, usual))
        process.send_signal(number)
        found, said = ended(process)
        assert found in (0, code, -number), said
        content = json.loads(report.read_text())
        assert content.get("schema") or content == json.loads(OLD)
        assert found or content != json.loads(OLD)
        drafts = [name for name in beside(tiny) if name != "r.json"]
        assert not drafts or number == signal.SIGKILL
        for draft in drafts:
            (tiny.parent / draft).unlink()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_signals_while_a_report_is_written(start, tiny, number):
    report = tiny.parent / "r.json"
    report.write_text(OLD)
    process = start("--force", code=SLOW)
    assert process.stdout.readline() == "writing\n"
    (draft,) = set(beside(tiny)) - {"r.json"}
    assert (tiny.parent / draft).stat().st_mode & 0o077 == 0
    process.send_signal(number)
    found, _ = ended(process)
    assert found == (130 if number == signal.SIGINT else -number)
    assert report.read_text() == OLD
    assert beside(tiny) == (["r.json"] if number != signal.SIGKILL else sorted([draft, "r.json"]))
    assert ended(start("--force"))[0] == 0  # what was left behind confuses nobody
    assert json.loads(report.read_text())["schema"]


@pytest.mark.parametrize("name", ["r.json", "r.html"])
def test_a_full_disk(start, tiny, name):
    (tiny.parent / name).write_text(OLD)
    code, said = ended(start("--force", code=LIMITED, name=name))
    assert (code, said) == (5, f"Error: {name}: cannot be written (File too large).\n")
    assert (tiny.parent / name).read_text() == OLD
    assert beside(tiny) == [name]


@pytest.mark.parametrize("force", [False, True])
def test_two_writers_at_once(start, tiny, force):
    both = [start(*(["--force"] if force else [])) for _ in range(2)]
    codes = sorted(ended(process)[0] for process in both)
    assert codes == ([0, 0] if force else [0, 5])
    assert json.loads((tiny.parent / "r.json").read_text())["schema"]
    assert beside(tiny) == ["r.json"]


@pytest.mark.parametrize("how", ["-m", "script"])
@pytest.mark.parametrize("wait", [0.0, 0.02, 0.05])
def test_an_interrupt_while_the_command_is_loaded(clean_env, tmp_path, how, wait):
    """The signal comes once the library's own first line has run."""
    script = tmp_path / "curvewise"
    script.write_text("import sys\nfrom curvewise.cli import main\nsys.exit(main())\n")
    (tmp_path / "sitecustomize.py").write_text(LOADING)
    env = {**clean_env, "PYTHONPATH": f"{tmp_path}{os.pathsep}{clean_env['PYTHONPATH']}"}
    typed = ["-m", "curvewise"] if how == "-m" else [str(script)]
    process = subprocess.Popen(
        [sys.executable, *typed, "report", "none.csv"],
        cwd=tmp_path,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "loading\n"
    time.sleep(wait)
    process.send_signal(signal.SIGINT)
    assert ended(process)[0] in (-signal.SIGINT, 130, 2)
