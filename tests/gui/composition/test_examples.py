"""An example opens as a plan of one's own: nothing runs, nothing is asked, and no file of the program is written."""

from __future__ import annotations

import pytest
from tests.gui.composition.conftest import Desktop, at_rest

from starloom_gui.documents.document import Document
from starloom_gui.shell.example_cards import EXAMPLES
from starloom_resources.example_plans import example_plan


@pytest.mark.parametrize("place", range(len(EXAMPLES)), ids=[example.file for example in EXAMPLES])
def test_a_card_opens_its_plan(desktop: Desktop, place: int) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.window.show_welcome()
            card = console.window.welcome.examples.cards[place]
            card.click()
            await console.examples.background_tasks.settled()
            await at_rest(console)
            front = console.documents.front
            assert isinstance(front, Document)
            assert (front.plan, front.path, front.is_dirty) == (example_plan(card.example.file), None, False)
            assert console.documents.runs == ()
            assert await console.files.plan_verbs.may_start(front), "it comes with the program"
            console.documents.put_new()
            card.click()
            await console.examples.background_tasks.settled()
            assert console.documents.front is front, "it is open already"
            console.files.leaving.close_tab(front.key)
            await console.files.leaving.settled()
            assert front not in console.documents.documents

    desktop.run(main)


def test_an_example_that_was_changed_is_opened_once_more(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.examples.open("hello.yaml")
            await console.examples.background_tasks.settled()
            first = console.documents.front
            assert isinstance(first, Document)
            console.documents.change(first.key, example_plan("rules.yaml"))
            console.examples.open("hello.yaml")
            await console.examples.background_tasks.settled()
            assert len(console.documents.documents) == 2

    desktop.run(main)


def test_the_pictures_are_read_in_the_background(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            cards = console.window.welcome.examples.cards
            assert not any(card.picture for card in cards)
            console.examples.begin()
            await console.examples.background_tasks.settled()
            assert all(card.picture is not None for card in cards)

    desktop.run(main)
