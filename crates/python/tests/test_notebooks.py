"""The notebooks under examples run from their first cell to their last."""

from __future__ import annotations

from pathlib import Path

import pytest

import fogtree  # noqa: F401  the kernel imports what is tested here

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
NOTEBOOKS = sorted((Path(__file__).parents[3] / "examples").glob("**/*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": path.parent}}).execute()
    pictures = [
        output
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if "image/svg+xml" in output.get("data", {})
    ]
    assert pictures, "a notebook shows something"


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS
