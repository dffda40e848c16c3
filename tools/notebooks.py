"""Run the chapters' notebooks and store their outputs in a form that a second run repeats.

    python tools/notebooks.py [NOTEBOOK ...]

Without names, all notebooks in ``chapters/`` are run.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

ROOT = Path(__file__).resolve().parent.parent
CHAPTERS = ROOT / "chapters"
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def execute(notebook: nbformat.NotebookNode, folder: Path) -> None:
    """Run every cell in a fresh kernel, in the notebook's own folder."""
    # What is stored must not depend on the language of whoever runs this.
    os.environ["ATTNLIB_LANG"] = "en"
    client = NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    client.execute()


def normalise(notebook: nbformat.NotebookNode) -> None:
    """Drop all that changes from run to run or from machine to machine."""
    notebook.metadata = nbformat.NotebookNode(kernelspec=KERNEL, language_info={"name": "python"})
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type != "code":
            continue
        cell.outputs = merge_streams(cell.outputs)
        for output in cell.outputs:
            output.get("data", {}).pop(WIDGET_VIEW, None)
            if "metadata" in output:
                output.metadata.pop(WIDGET_VIEW, None)


def merge_streams(outputs: list[nbformat.NotebookNode]) -> list[nbformat.NotebookNode]:
    """Join pieces of one stream: where the kernel cuts it depends on timing."""
    merged: list[nbformat.NotebookNode] = []
    for output in outputs:
        last = merged[-1] if merged else None
        if output.output_type == "stream" and last is not None and output.name == last.get("name"):
            last.text += output.text
        else:
            merged.append(output)
    return merged


def stored_text(notebook: nbformat.NotebookNode) -> str:
    """The text of a notebook's file, normalised: the same whenever and wherever it was run."""
    normalise(notebook)
    nbformat.validate(notebook)
    return nbformat.writes(notebook, indent=1, ensure_ascii=False).rstrip("\n") + "\n"


def renew(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    execute(notebook, path.parent)
    path.write_text(stored_text(notebook), encoding="utf-8", newline="\n")


def main(names: list[str]) -> int:
    paths = [Path(name).resolve() for name in names] or sorted(CHAPTERS.glob("*.ipynb"))
    for path in paths:
        print(f"running {path.name}")
        try:
            renew(path)
        except CellExecutionError as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
