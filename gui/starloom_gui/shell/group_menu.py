"""The menu of a folded group: each action applies to those of its tasks for which it is possible."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from starloom.model.status import TaskStatus
from starloom_gui.gateway.verbs import command_for
from starloom_gui.specs.action_list import ACTIONS
from starloom_gui.specs.action_spec import Target, Verb
from starloom_gui.text.words import amount, fill, translate
from starloom_gui.theme.icons import icon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QMenu

    from starloom.scheduling.commands import Command
    from starloom.scheduling.read.run_view import TaskView
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.theme.palette import Palette


def put_group_verbs(
    menu: QMenu, run_id: str, tasks: Sequence[TaskView], gateway: CommandGateway, palette: Palette
) -> None:
    """Add what can be done about some tasks of a group only; what is possible for all is in the menu anyway.

    Args:
        menu: of the group.
        run_id: of its run.
        tasks: that are in the group.
        gateway: is asked what is possible, and does it.
        palette: the colours of icons.
    """
    failed = [task.id for task in tasks if task.status is TaskStatus.FAILED]
    to_start = [task for task in tasks if task.is_to_start]
    free = [task.id for task in to_start if not task.is_held]
    held = [task.id for task in tasks if task.is_held]

    def command(verb: Verb, ids: Sequence[str], **given: object) -> Command | None:
        if not 0 < len(ids) < len(tasks):
            return None
        made = command_for(verb, Target(run_id, tuple(ids)), **given)
        return made if gateway.can(made).ok else None

    for verb, ids, words in (
        (Verb.RETRY, failed, translate("GroupMenu", "Retry %1 failed")),
        (Verb.HOLD, free, translate("GroupMenu", "Hold %1 not started")),
        (Verb.RELEASE, held, translate("GroupMenu", "Release %1 held")),
    ):
        if (wanted := command(verb, ids)) is not None:
            action = menu.addAction(fill(words, amount(len(ids))), partial(_do, gateway, wanted))
            shape = ACTIONS[verb].icon
            if shape is not None:
                action.setIcon(icon(shape, palette))
    waiting = [task.id for task in to_start]
    kinds = [spec for spec in ACTIONS.values() if spec.variant_of is Verb.PRIORITISE]
    found = [(spec.text(), made) for spec in kinds if (made := command(Verb.PRIORITISE, waiting, **spec.given))]
    if found:
        priorities = menu.addMenu(fill(translate("GroupMenu", "Priority of %1 not started"), amount(len(waiting))))
        for text, made in found:
            priorities.addAction(text, partial(_do, gateway, made))


def _do(gateway: CommandGateway, command: Command) -> None:
    gateway.do(command)
