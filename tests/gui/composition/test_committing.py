"""Committing what is staged by one key, wherever the keyboard is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG, front, small
from tests.gui.composition.test_editing import limit_of, longer
from tests.gui.composition.test_without_a_mouse import ALT, CTRL, Key, Keyboard, begun
from tests.gui.pressing import press
from tests.waiting import until

from starloom_gui.dialogs.command_palette import verbs_of
from starloom_gui.dialogs.shortcut_sheet import sections
from starloom_gui.editing.run_editor import RunEditor
from starloom_gui.theme.metrics import STRIP
from starloom_gui.viewmodel.keys import Scope, shown
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    from starloom_gui.composition.console import Console


def editor_of(console: Console) -> RunEditor:
    editor = front(console).source.editor
    assert isinstance(editor, RunEditor)
    return editor


async def staged(console: Console, keyboard: Keyboard) -> None:
    """One edit is staged, and it can be committed."""
    console.actions["staged"].trigger()
    longer(console)
    await until(console.actions["commit"].isEnabled)
    assert limit_of(console) is None


@pytest.mark.parametrize("pane", [Key.Key_1, Key.Key_2, Key.Key_3, Key.Key_5, Key.Key_6, Key.Key_8, Key.Key_9])
def test_what_is_staged_is_committed_from_every_pane(desktop: Desktop, pane: Key) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            keyboard, run = await begun(console, small(seconds=LONG))
            await staged(console, keyboard)
            keyboard.press(pane, ALT)
            press(keyboard.where(), Scope.WINDOW, "commit")
            await until(lambda: limit_of(console) == 300.0)
            assert run.revision == 1

    desktop.run(main)


def test_what_is_typed_in_a_field_meanwhile_is_committed_with_it(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            keyboard, run = await begun(console, small(seconds=LONG))
            await staged(console, keyboard)
            front(console).selection.select(1)
            console.window.workbench.turn_to("inspector")
            await at_rest(console)
            field = front(console).pane("inspector").fields.value("timeout")  # type: ignore[attr-defined]
            await until(field.isVisible)
            field.setFocus()
            await until(field.hasFocus)
            keyboard.press(Key.Key_A, CTRL)
            keyboard.write("40 s")
            assert len(editor_of(console).steps) == 1
            press(field, Scope.WINDOW, "commit")
            await until(lambda: limit_of(console) == 300.0)
            await until(lambda: run.task("b").task.timeout == 40.0)
            assert run.revision == 1, "one commit for both"
            assert QApplication.focusWidget() is field

    desktop.run(main)


def test_with_nothing_staged_the_verb_says_so_and_the_key_does_nothing(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            keyboard, run = await begun(console, small(seconds=LONG))
            assert not console.actions["commit"].isEnabled()
            assert "Nothing is staged." in console.actions["commit"].toolTip()
            press(keyboard.where(), Scope.WINDOW, "commit")
            QTest.keyClick(keyboard.where(), Key.Key_Tab)
            await at_rest(console)
            assert run.revision == 0

    desktop.run(main)


def test_it_is_in_the_menus_the_palette_and_among_the_keys(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            verbs = verbs_of(console.window.menuBar())
            assert [verb.path for verb in verbs if verb.action is console.actions["commit"]] == [
                "Edit: Commit staged changes"
            ]
            assert ("Commit staged changes", shown(Scope.WINDOW, "commit")) in dict(sections(verbs))["Edit"]

    desktop.run(main)


def test_a_selected_task_brings_the_inspector_while_the_strip_keeps_the_count(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            keyboard, _run = await begun(console, small(seconds=LONG))
            await staged(console, keyboard)
            view = front(console)
            changes, inspector = view.pane("changes"), view.pane("inspector")
            await until(changes.isVisible)
            view.selection.select(1)
            await until(inspector.isVisible)
            assert view.strip.isVisible()
            assert "1" in view.strip.commit.text()
            keyboard.press(Key.Key_5, ALT)
            await until(lambda: changes.isAncestorOf(keyboard.where()))
            view.selection.select(2)
            await at_rest(console)
            assert changes.isVisible(), "whoever goes through the changes stays there"

    desktop.run(main)


def test_a_message_leaves_the_buttons_of_what_is_staged_in_sight(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            keyboard, _run = await begun(console, small(seconds=LONG))
            trouble = ErrorMessage("Live", "There is 1 staged change. Commit or discard first.")
            console.strip.show_trouble(trouble)
            assert console.strip.y() == 0
            await staged(console, keyboard)
            commit = front(console).strip.commit
            assert console.window.childAt(commit.mapTo(console.window, commit.rect().center())) is commit
            assert console.strip.isVisible()
            assert console.strip.y() == STRIP
            console.window.resize(1000, 600)
            assert console.strip.y() == STRIP
            editor_of(console).staging.discard()
            assert console.strip.y() == 0

    desktop.run(main)
