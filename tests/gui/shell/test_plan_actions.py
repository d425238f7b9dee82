"""From a plan to a run and back: looked at before the first start, and carried back only after having been shown."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import Driver, edge, task
from tests.gui.documents.plans import Reports, commands, loaded, on_qt, shown, small

from starloom.constellation.edits import AddDependency, AddTask, UpdateTask
from starloom.model.device import DeviceSpec
from starloom_gui.dialogs.changes import APPLY, ChangesDialog
from starloom_gui.dialogs.first_look import START, FirstLookDialog
from starloom_gui.settings import MOST_LOOKED_AT, Settings
from starloom_gui.shell.plan_actions import PlanActions

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from starloom_gui.documents.document import Document
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.theme.appearance import Appearance

FILE = Path("/plans/firmware.yaml")


class Bench:
    def __init__(self, documents: OpenDocuments, settings: Settings, appearance: Appearance, parent: QWidget) -> None:
        self.documents, self.settings, self.window = documents, settings, parent
        self.reports = Reports()
        self.verbs = PlanActions(documents, settings, self.reports, appearance, parent, Path())

    def asked(self, document: Document, answer: str) -> bool:
        """Ask for a start; whether it was agreed to."""
        answers: list[Any] = []

        async def main() -> None:
            asking = asyncio.ensure_future(self.verbs.may_start(document))
            dialog = await shown(self.window, FirstLookDialog)
            assert [key for key, button in dialog.choices.buttons.items() if button.isDefault()] == [START]
            dialog.choices.buttons[answer].click()
            answers.append(await asking)

        on_qt(main)
        return bool(answers[0])

    def unasked(self, document: Document) -> bool:
        """Ask for a start for which no question may come."""
        answers: list[bool] = []

        async def main() -> None:
            answers.append(await self.verbs.may_start(document))

        on_qt(main)
        assert not self.window.findChildren(FirstLookDialog)
        return answers[0]


@pytest.fixture
def bench(documents: OpenDocuments, settings: Settings, appearance: Appearance, parent: QWidget) -> Bench:
    return Bench(documents, settings, appearance, parent)


def test_a_plan_from_a_file_is_looked_at_before_its_first_start_and_only_then(bench: Bench):
    document = bench.documents.put_loaded(loaded(commands(), FILE))
    assert not bench.asked(document, "")
    assert bench.asked(document, START)
    assert bench.unasked(document)


def test_the_same_content_in_another_file_is_known_and_other_content_in_the_same_file_is_not(bench: Bench):
    document = bench.documents.put_loaded(loaded(commands(), FILE))
    assert bench.asked(document, START)
    assert bench.unasked(bench.documents.put_loaded(loaded(commands(), FILE.with_name("copy.yaml"))))
    first, *others = commands().tasks
    worse = replace(commands(), tasks=(replace(first, command=("rm", "-r", "x")), *others))
    assert not bench.asked(bench.documents.put_loaded(loaded(worse, FILE)), "")


def test_what_was_edited_since_it_was_agreed_to_is_looked_at_again(bench: Bench):
    document = bench.documents.put_loaded(loaded(commands(), FILE))
    assert bench.asked(document, START)
    first, *others = commands().tasks
    bench.documents.change(
        document.key, replace(commands(), tasks=(replace(first, command=("rm", "-r", "x")), *others))
    )
    assert not bench.asked(bench.documents.documents[0], "")
    bench.documents.change(document.key, replace(commands(), description="it runs the same"))
    assert bench.unasked(bench.documents.documents[0])


def test_a_plan_that_runs_nothing_and_one_that_is_trusted_start_at_once(bench: Bench):
    assert bench.unasked(bench.documents.put_loaded(loaded(small(), FILE)))
    bench.verbs.trust(commands())
    assert bench.unasked(bench.documents.put_loaded(loaded(commands(), FILE)))


def typed(bench: Bench, document: Document) -> Document:
    """The same document with other commands, typed here."""
    bench.documents.change(document.key, commands(), is_typed=True)
    found = bench.documents.document(document.key)
    assert found is not None
    return found


def test_what_was_drawn_here_starts_without_a_question_also_when_its_file_is_opened_again(bench: Bench):
    document = typed(bench, bench.documents.put_new())
    assert bench.unasked(document)
    assert bench.unasked(bench.documents.put_loaded(loaded(commands(), FILE)))


def test_what_came_in_from_elsewhere_is_looked_at_though_the_rest_was_drawn_here(bench: Bench):
    document = typed(bench, bench.documents.put_new())
    bench.documents.note_unseen(document.key)
    assert not bench.asked(bench.documents.documents[0], "")
    first, *others = commands().tasks
    bench.documents.change(
        document.key, replace(commands(), tasks=(replace(first, timeout=3.0), *others)), is_typed=True
    )
    assert not bench.asked(bench.documents.documents[0], ""), "it is still in there"


def test_what_is_typed_into_a_known_file_is_no_question_and_into_an_unknown_one_is(bench: Bench):
    known = bench.documents.put_loaded(loaded(small(), FILE), is_seen=True)
    assert bench.unasked(typed(bench, known))
    unknown = bench.documents.put_loaded(loaded(small(), FILE.with_name("other.yaml")))
    bench.settings.note_looked_at("")
    assert typed(bench, unknown).is_seen is False


def test_a_known_file_that_is_read_over_unknown_content_is_asked_about_again(bench: Bench):
    """Undo leads back to what nobody has looked at."""
    bench.documents.put_loaded(loaded(commands(), FILE))
    assert bench.documents.put_loaded(loaded(small(), FILE), is_seen=True).is_seen is False


def edited(driver: Driver) -> None:
    driver.edit(UpdateTask("a", timeout=300.0), AddTask(task("z", command=("make",))), AddDependency(edge("a", "z")))


def test_the_graph_of_a_run_becomes_a_plan_of_its_own_that_was_never_saved(bench: Bench):
    driver = Driver(devices=())
    driver.create(small())
    edited(driver)

    async def main() -> None:
        bench.verbs.save_run_as_plan(driver.run())
        await bench.verbs.settled()

    on_qt(main)
    (document,) = bench.documents.documents
    assert [one.id for one in document.plan.tasks] == ["a", "b", "z"]
    assert document.is_dirty
    assert document.path is None
    assert bench.unasked(document), "it was made here, of what ran already"


@pytest.mark.parametrize("answer", [APPLY, ""])
def test_the_edits_of_a_run_are_shown_and_then_carried_over_or_not(bench: Bench, answer: str):
    driver = Driver(devices=())
    driver.create(small())
    document = bench.documents.put_loaded(loaded(small(), FILE))
    run = bench.documents.put_run("r", document)
    assert not bench.verbs.can_apply(run, driver.run()).ok, "nothing was edited"
    edited(driver)
    assert bench.verbs.can_apply(run, driver.run()).ok

    async def main() -> None:
        bench.verbs.apply_to_plan(run, driver.run())
        dialog = await shown(bench.window, ChangesDialog)
        said = dialog.rows.said()
        assert "Δ a\n    Timeout: none → 5m" in said
        assert "+ z\n    Task · make" in said
        assert "+ a → z" in said
        dialog.choices.buttons[answer].click()
        await bench.verbs.settled()

    on_qt(main)
    now = bench.documents.documents[0]
    assert now.is_dirty is bool(answer)
    assert len(now.plan.tasks) == (3 if answer else 2)
    assert run.snapshot == small()
    if answer:
        assert bench.unasked(now), "the operator has seen what is new"


def test_devices_that_a_run_was_given_by_the_fleet_are_not_carried_into_its_plan(bench: Bench):
    driver = Driver(devices=())
    driver.create(replace(small(), devices=(DeviceSpec(id="box2", kind="local", slots=1),)))
    document = bench.documents.put_loaded(loaded(small(), FILE))
    run = bench.documents.put_run("r", document)
    edited(driver)

    async def main() -> None:
        bench.verbs.apply_to_plan(run, driver.run())
        dialog = await shown(bench.window, ChangesDialog)
        assert "Devices" not in dialog.rows.said()
        dialog.choices.buttons[APPLY].click()
        await bench.verbs.settled()

    on_qt(main)
    assert bench.documents.documents[0].plan.devices == ()


def test_what_was_changed_on_both_sides_is_refused_with_a_way_out(bench: Bench):
    driver = Driver(devices=())
    driver.create(small())
    document = bench.documents.put_loaded(loaded(small(), FILE))
    run = bench.documents.put_run("r", document)
    edited(driver)
    first, *others = small().tasks
    bench.documents.change(document.key, replace(small(), tasks=(replace(first, timeout=1.0), *others)))

    async def main() -> None:
        bench.verbs.apply_to_plan(run, driver.run())
        await bench.verbs.settled()

    on_qt(main)
    (trouble,) = bench.reports.troubles
    assert "a: its field 'timeout' was changed in the run" in trouble.reason
    assert "Save the run's graph as a plan of its own instead." in trouble.reason
    assert bench.documents.documents[0].plan.tasks[0].timeout == 1.0


def test_a_plan_that_changes_while_its_question_is_open_is_not_overwritten(bench: Bench):
    driver = Driver(devices=())
    driver.create(small())
    document = bench.documents.put_loaded(loaded(small(), FILE))
    run = bench.documents.put_run("r", document)
    edited(driver)

    async def main() -> None:
        bench.verbs.apply_to_plan(run, driver.run())
        dialog = await shown(bench.window, ChangesDialog)
        bench.documents.change(document.key, small("a", "b", "c"))
        dialog.choices.buttons[APPLY].click()
        await bench.verbs.settled()

    on_qt(main)
    assert bench.documents.documents[0].plan == small("a", "b", "c")
    assert "has changed meanwhile" in bench.reports.troubles[0].reason


def test_edits_that_are_in_the_plan_already_change_nothing(bench: Bench):
    driver = Driver(devices=())
    driver.create(small())
    run = bench.documents.put_run("r", bench.documents.put_loaded(loaded(small(), FILE)))
    edited(driver)

    async def main() -> None:
        for _ in range(2):
            bench.verbs.apply_to_plan(run, driver.run())
            if not bench.documents.documents[0].is_dirty:
                (await shown(bench.window, ChangesDialog)).choices.buttons[APPLY].click()
            await bench.verbs.settled()

    on_qt(main)
    assert [trouble.reason for trouble in bench.reports.troubles] == ["The plan says the same already."]


def test_where_there_is_no_plan_the_verb_says_why(bench: Bench):
    driver = Driver(devices=())
    driver.create(small())
    edited(driver)
    alone = bench.documents.put_run("alone")
    assert "not started from a plan" in bench.verbs.can_apply(alone, driver.run()).reason
    run = bench.documents.put_run("r", bench.documents.put_loaded(loaded(small(), FILE)))
    bench.documents.close(run.document)
    assert bench.verbs.can_apply(run, driver.run()).reason == "The run's plan is not open."
    assert bench.verbs.can_apply(None, None).reason == "There is no run."


def test_what_was_agreed_to_is_remembered_by_the_next_program_and_the_oldest_goes_first(tmp_path: Path):
    store = tmp_path / "console.ini"
    first = Settings(store)
    for number in range(MOST_LOOKED_AT + 1):
        first.note_looked_at(f"digest-{number}")
    first.note_looked_at("digest-7")
    first.sync()
    kept = Settings(store).looked_at
    assert len(kept) == MOST_LOOKED_AT
    assert "digest-0" not in kept
    assert kept[-1] == "digest-7"
