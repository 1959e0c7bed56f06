"""Every notebook runs from top to bottom, and is stored without outputs."""

import json
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FILES = sorted((Path(__file__).resolve().parents[2] / "docs/notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
@pytest.mark.filterwarnings("default")  # of the machinery that runs a notebook; the notebook's own stand in its outputs
def test_a_notebook_runs(file, tmp_path):
    notebook = nbformat.read(file, as_version=4)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    printed = [o for cell in notebook.cells if cell.cell_type == "code" for o in cell.outputs]
    assert printed
    assert not [o for o in printed if o.get("name") == "stderr"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_notebook_is_short_and_stored_without_outputs(file):
    cells = json.loads(file.read_text("utf-8"))["cells"]
    assert 8 <= len(cells) <= 14
    assert all(not cell["outputs"] and cell["execution_count"] is None for cell in cells if cell["cell_type"] == "code")
    assert "".join(cells[0]["source"]).startswith("# ")
    assert "".join(cells[-1]["source"]).startswith("## What was learned")


def test_there_are_eight():
    assert len(FILES) == 8
