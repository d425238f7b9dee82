"""The dialog that shows in full what a plan from a file would run, before its first start."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from starloom_gui.documents.would_run import device_options
from starloom_gui.text.field_words import field_word
from starloom_gui.text.words import fill, tasks, translate
from starloom_gui.widgets.dialog import Dialog
from starloom_gui.widgets.question import WIDTH, Choice, Choices
from starloom_gui.widgets.rows import ListRow, RowList

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from starloom.model.device import DeviceSpec
    from starloom_gui.documents.document import Document
    from starloom_gui.documents.would_run import PlannedAction, WouldRun
    from starloom_gui.theme.appearance import Appearance

COPY, START = "copy", "start"
_UNSEEN: Final = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]"
)
"""What cannot be seen, or has what stands around it read in another order than it is run in."""
_TITLES: Final = 6
"""So many tasks are named; more are counted."""


class CommandPlurals(QObject):
    """Counts of commands and devices."""

    def commands(self, count: int) -> str:
        """A number of different commands, as text."""
        return self.tr("%n different command(s)", "", count)

    def devices(self, count: int) -> str:
        """A number of devices that a plan declares, as text."""
        return self.tr("%n device(s) of its own", "", count)


def lines_of(all_of_it: WouldRun) -> list[ListRow]:
    """The lines of the dialog: first the devices, then what is run, unshortened."""
    lines = [*map(_device_line, all_of_it.devices), *map(_step_line, all_of_it.steps)]
    if all_of_it.simulated:
        simulated = translate("FirstLook", "runs nothing, but only takes time")
        lines.append(ListRow(translate("FirstLook", "Simulated"), tasks(all_of_it.simulated), (simulated,)))
    return [replace(line, title=laid_open(line.title), lines=tuple(map(laid_open, line.lines))) for line in lines]


def laid_open(text: str) -> str:
    r"""The text with invisible characters escaped, in the order it is run in: `\u202e` for one that reverses text."""
    return _UNSEEN.sub(lambda found: ascii(found[0])[1:-1], text)


def _device_line(device: DeviceSpec) -> ListRow:
    said = (f"{name}={_plain(value)}" for name, value in device_options(device).items())
    title = fill(translate("FirstLook", "%1 · %2"), laid_open(device.id), laid_open(device.kind))
    return ListRow(translate("FirstLook", "Device"), title, tuple(said))


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _step_line(step: PlannedAction) -> ListRow:
    place = laid_open(step.where)  # before a sentence would leave it out
    where = fill(translate("FirstLook", "on %1"), place) if place else translate("FirstLook", "on any device")
    who = fill(translate("FirstLook", "%1 · %2"), where, _named([laid_open(title) for title in step.titles]))
    return ListRow(field_word(step.action), step.text.rstrip("\n"), (*step.details, who), is_code=True)


def _named(titles: Sequence[str]) -> str:
    named = ", ".join(titles[:_TITLES])
    left = len(titles) - _TITLES
    return fill(translate("FirstLook", "%1 and %2 more"), named, left) if left > 0 else named


class FirstLookDialog(Dialog):
    """Asks whether a plan is to be started; the answer is `start`, or none. Enter starts it.

    Args:
        appearance: the colours.
        document: the plan.
        all_of_it: what it would run.
        parent: a widget of the window.
        paused: whether its run is only to be created.
    """

    def __init__(
        self,
        appearance: Appearance,
        document: Document,
        all_of_it: WouldRun,
        parent: QWidget | None = None,
        *,
        paused: bool = False,
    ) -> None:
        head = fill(self.tr("What “%1” would run"), laid_open(document.title))
        self.rows = RowList(appearance, lines_of(all_of_it), head)
        counted = CommandPlurals()
        what = counted.commands(len(all_of_it.steps))
        if all_of_it.devices:
            what = fill(self.tr("%1 and brings %2"), what, counted.devices(len(all_of_it.devices)))
        sentence = self.tr(
            "This plan comes from a file and runs %1. What runs on this computer runs with your rights. "
            "Nothing has been started; you are asked again only where this changes."
        )
        if document.path is None:
            sentence = self.tr(
                "Not all of this plan was drawn here; it runs %1. What runs on this computer runs with your rights. "
                "Nothing has been started; you are asked again only where this changes."
            )
        super().__init__(appearance, head, "", width=WIDTH, parent=parent)
        choices = [
            Choice(COPY, self.tr("Copy text"), is_apart=True),
            Choice("", self.tr("Cancel")),
            Choice(START, self.tr("Create run") if paused else self.tr("Start"), is_default=True),
        ]
        self.choices = Choices(self, fill(sentence, what), choices, self.rows, self._chosen)
        self.rows.setFocus()

    def _chosen(self, key: str) -> None:
        if key == COPY:
            self.rows.clearSelection()
            self.rows.copy()
        else:
            self.choices.answer(key)
