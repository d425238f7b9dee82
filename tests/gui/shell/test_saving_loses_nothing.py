"""Saving: comments that somebody wrote into a file, and a plan whose file is gone."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from tests.gui.documents.plans import on_qt, shown, small, written
from tests.gui.shell.test_saving import Bench, bench

from starloom_gui.documents.files import comments_in
from starloom_gui.shell.saving import ELSEWHERE, OVERWRITE
from starloom_gui.widgets.question import ChoiceDialog

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["bench"]


COMMENTED = """# owner: the lab
starloom: 1
name: p
tasks:
- id: x  # the first one
  shell: "echo '# no comment'"
- id: y
  shell: |
    # no comment of the file
    true
"""


@pytest.mark.parametrize(("answer", "kept"), [(OVERWRITE, 0), ("", 2), (ELSEWHERE, 2)])
def test_comments_of_a_file_are_lost_only_if_the_user_says_so(bench: Bench, tmp_path: Path, answer: str, kept: int):
    path = tmp_path / "p.yaml"
    path.write_text(COMMENTED)
    assert comments_in(path, "yaml") == 2
    key = bench.opened(path).key
    bench.documents.change(key, small("x", "y"))

    async def main() -> None:
        bench.saving.save(key)
        question = await shown(bench.window, ChoiceDialog)
        assert "2 line(s)" in question.choices.sentence.text()
        question.choices.choose(answer)
        if answer == ELSEWHERE:
            await bench.choose(tmp_path / "other.yaml")
        await bench.saving.settled()

    on_qt(main)
    assert comments_in(path, "yaml") == kept
    (document,) = bench.documents.documents
    assert document.is_dirty == (answer == "")
    if answer == ELSEWHERE:
        assert document.path == tmp_path / "other.yaml"


def test_a_plan_that_could_not_be_saved_into_its_file_counts_as_changed(bench: Bench, tmp_path: Path):
    (tmp_path / "sub").mkdir()
    key = bench.opened(written(small(), tmp_path / "sub" / "p.yaml")).key
    shutil.rmtree(tmp_path / "sub")

    async def main() -> None:
        bench.saving.save(key)
        await bench.saving.settled()

    on_qt(main)
    (document,) = bench.documents.documents
    assert document.is_dirty, "nothing holds it now but what is open"
