"""Every command shown in the README and the documentation, run as a reader would."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from curvewise.cli import main

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "README.zh-CN.md", *sorted((ROOT / "docs").rglob("*.md"))]
CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)


SHELL = re.compile(r"[|<>]")  # what only a shell understands


def commands():
    """Return every command once, with the first page that shows it."""
    shown = {}
    for page in PAGES:
        for block in CONSOLE.findall(page.read_text()):
            for line in block.splitlines():
                if line.startswith("$ ") and "curvewise " in line and "pip install" not in line:
                    shown.setdefault(line[2:].split("   #")[0], f"{page.name}: {line[2:60]}")
    return [pytest.param(command, id=place) for command, place in shown.items()]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for path in Path(str(files("curvewise") / "data")).glob("*.[cj]s*"):  # the tables, and the JSON of detection
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", [c for c in commands() if not SHELL.search(c.values[0])])
def test_command_runs(command, folder, capsys):
    for part in command.split(" && "):
        program, *arguments = shlex.split(part)
        assert program == "curvewise"
        before = set(folder.iterdir())
        with pytest.raises(SystemExit) as stop:
            main(arguments)
        answer = capsys.readouterr()
        assert stop.value.code == 0, answer.err
        assert answer.out or set(folder.iterdir()) - before


@pytest.mark.parametrize("command", [c for c in commands() if SHELL.search(c.values[0])])
def test_command_runs_in_a_shell(command, folder):
    here = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(command, shell=True, env=here, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_links_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            if target.startswith("../figures/"):  # drawn when the site is built, by the file of that name
                name = target.removeprefix("../figures/").split(".")[0].replace("-", "_")
                assert (ROOT / "docs" / "learn_figures" / f"{name}.py").exists(), f"{page.name}: {target}"
            else:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_public_name_is_documented():
    import curvewise as cw

    named = set(re.findall(r"`([A-Za-z_]+)`", (ROOT / "docs/reference/names.md").read_text()))
    assert set(cw.__all__) - {"__version__"} <= named
    assert set(cw.results.__all__) <= named
    assert set(cw.detection.__all__) <= named
    assert set(cw.objectives.__all__) <= named


def test_makefile_has_the_readmes_commands():
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"`?make (\w+)", (ROOT / "README.md").read_text()):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
