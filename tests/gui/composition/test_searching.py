"""Enter in the search of the toolbar leads to the hit on the graph, with the keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.driver import plan
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import front
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starloom_gui.composition.console import Console

Key = Qt.Key


def focused() -> object:
    return QApplication.focusWidget()


def over(desktop: Desktop, doing: Callable[[Console], Awaitable[None]]) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.window.activateWindow()
            console.documents.put_plan(plan(["alpha", "beta one", "gamma", "beta two", "delta"], ["alpha>gamma"]))
            await at_rest(console)
            await until(console.window.isActiveWindow)
            console.actions["find"].trigger()
            await until(lambda: focused() is console.window.tool_bar.search)
            await doing(console)

    desktop.run(main)


def chosen(console: Console) -> set[str]:
    view = front(console)
    facts = view.source.editor.facts()
    assert facts is not None
    return {facts.graph.ids[number] for number in view.selection.now.numbers}


def test_enter_selects_the_hit_and_the_graph_has_the_keyboard(desktop: Desktop) -> None:
    async def doing(console: Console) -> None:
        search, canvas = console.window.tool_bar.search, front(console).canvas
        QTest.keyClicks(search, "beta")
        QTest.keyClick(search, Key.Key_Return)
        assert chosen(console) == {"beta one"}
        assert focused() is canvas
        QTest.keyClick(canvas, Key.Key_F3)
        assert chosen(console) == {"beta two"}
        QTest.keyClick(canvas, Key.Key_Escape)
        QTest.keyClick(canvas, Key.Key_Up)
        assert chosen(console) != {"beta two"}, "arrows go on from there"

    over(desktop, doing)


def test_once_more_from_the_search_it_is_the_next_one_and_with_shift_the_one_before(desktop: Desktop) -> None:
    async def doing(console: Console) -> None:
        search = console.window.tool_bar.search
        QTest.keyClicks(search, "beta")
        QTest.keyClick(search, Key.Key_Return)
        for modifiers, hit in (
            (Qt.KeyboardModifier.NoModifier, "beta two"),
            (Qt.KeyboardModifier.ShiftModifier, "beta one"),
        ):
            console.actions["find"].trigger()
            assert focused() is search
            QTest.keyClick(search, Key.Key_Return, modifiers)
            QTest.keyRelease(search, Key.Key_Shift)
            assert chosen(console) == {hit}

    over(desktop, doing)


def test_what_is_sought_before_the_graph_is_drawn_is_found_once_it_is(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.window.activateWindow()
            await until(console.window.isActiveWindow)
            console.documents.put_plan(plan(["alpha", "beta one", "gamma"], ["alpha>gamma"]))
            search, canvas = console.window.tool_bar.search, front(console).canvas
            console.actions["find"].trigger()
            assert focused() is search
            QTest.keyClicks(search, "beta")
            QTest.keyClick(search, Key.Key_Return)
            assert canvas.graph.picture is None
            assert not search.is_missing, "nobody knows yet"
            await until(lambda: chosen(console) == {"beta one"})
            assert focused() is canvas

    desktop.run(main)


def test_what_is_not_there_is_said_in_the_field_and_the_keyboard_stays(desktop: Desktop) -> None:
    async def doing(console: Console) -> None:
        search = console.window.tool_bar.search
        QTest.keyClicks(search, "omega")
        QTest.keyClick(search, Key.Key_Return)
        assert search.is_missing
        assert search.accessibleDescription() == "not found"
        assert focused() is search
        assert chosen(console) == set()
        QTest.keyClick(search, Key.Key_Backspace)
        assert not search.is_missing

    over(desktop, doing)


def test_enter_in_the_empty_field_changes_nothing(desktop: Desktop) -> None:
    async def doing(console: Console) -> None:
        search = console.window.tool_bar.search
        QTest.keyClick(search, Key.Key_Return)
        assert not search.is_missing
        assert chosen(console) == set()

    over(desktop, doing)


def test_each_document_has_its_own_text_in_the_search(desktop: Desktop) -> None:
    async def doing(console: Console) -> None:
        search, first = console.window.tool_bar.search, console.documents.front
        assert first is not None
        QTest.keyClicks(search, "nowhere")
        QTest.keyClick(search, Key.Key_Return)
        assert search.is_missing
        other = console.documents.put_plan(plan(["alpha", "omega"]))
        await at_rest(console)
        assert (search.text(), search.is_missing) == ("", False)
        QTest.keyClicks(search, "omega")
        console.documents.turn_to(first.key)
        await at_rest(console)
        assert search.text() == "nowhere"
        console.documents.turn_to(other.key)
        await at_rest(console)
        assert search.text() == "omega"

    over(desktop, doing)
