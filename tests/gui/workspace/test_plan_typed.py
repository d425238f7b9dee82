"""What is typed in plans and not set outlives a console that dies, and can be copied in the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from starloom.journal.names import TYPED
from starloom.journal.typed_file import TypedText, read_typed, write_typed
from starloom_gui.widgets.message_bar import ErrorMessage
from starloom_gui.workspace.plan_typed import PlanTyped

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("app")
HALF = TypedText("lab: fetch: Command", "curl -s https://exam")


def test_what_is_typed_is_kept_while_it_is_and_no_longer(tmp_path: Path) -> None:
    owner, typed, said = QObject(), [HALF], list[ErrorMessage]()
    kept = PlanTyped(tmp_path, lambda: typed, said.append, owner)
    kept.begin()
    assert not said
    kept._keep()
    assert read_typed(tmp_path / TYPED) == (HALF,)
    typed.clear()
    kept._keep()
    assert read_typed(tmp_path / TYPED) == ()
    typed.append(HALF)
    kept._keep()
    kept.close()
    assert read_typed(tmp_path / TYPED) == (), "whoever closes the window has been asked"


def told_of_what_was_left(tmp_path: Path) -> tuple[PlanTyped, ErrorMessage, QObject]:
    owner, said = QObject(), list[ErrorMessage]()
    kept = PlanTyped(tmp_path, tuple, said.append, owner)
    kept.begin()
    (told,) = said
    return kept, told, owner


def test_what_a_console_that_died_has_left_is_told_until_it_is_copied(tmp_path: Path) -> None:
    write_typed(tmp_path / TYPED, [HALF])
    for _ in range(3):  # as somebody closes it, who has not seen it
        kept, told, _owner = told_of_what_was_left(tmp_path)
        assert told.text == "lab: fetch: Command was typed before Starloom ended, and not set."
        assert told.lasts
        kept._keep()
        kept.close()
        assert read_typed(tmp_path / TYPED) == (HALF,)
    kept, told, _owner = told_of_what_was_left(tmp_path)
    assert told.act is not None
    told.act()
    assert QGuiApplication.clipboard().text() == HALF.text
    kept.close()
    assert read_typed(tmp_path / TYPED) == ()


def test_and_no_more_once_it_was_put_away(tmp_path: Path) -> None:
    write_typed(tmp_path / TYPED, [HALF])
    kept, told, _owner = told_of_what_was_left(tmp_path)
    assert told.put_away is not None
    told.put_away()
    kept._keep()
    assert read_typed(tmp_path / TYPED) == ()
    kept.close()
