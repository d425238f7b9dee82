"""A console that is to be killed: it keeps what is not saved, says so, and goes on until somebody ends it.

Its arguments: the folder of unsaved plans, a file to have opened, and the names of plans that were never saved.
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from tests.waiting import until

from starloom.model.plan import Plan
from starloom_gui.documents.files import read
from starloom_gui.documents.open_documents import OpenDocuments
from starloom_gui.documents.unsaved import UnsavedPlans
from starloom_gui.event_loop import run
from starloom_gui.workspace.autosave import Autosave


async def edit_on(folder: Path, file: Path, names: list[str]) -> None:
    """Have an edited file and plans that were never saved, and keep them."""
    documents = OpenDocuments()
    autosave = Autosave(documents, UnsavedPlans(folder), lambda trouble: sys.exit(trouble.text), pause=0.01)
    opened = documents.put_loaded(read(file))
    documents.change(opened.key, replace(opened.plan, description="edited"))
    for name in names:
        documents.put_plan(Plan(name=name))
    await until(lambda: len(list(folder.glob("*.json"))) == len(names) + 1)
    await autosave.settled()
    sys.stdout.write("kept\n")
    sys.stdout.flush()
    await asyncio.Event().wait()


if __name__ == "__main__":
    application = QCoreApplication(["starloom"])
    run(edit_on(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]))
