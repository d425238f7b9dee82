"""The texts of the canvas about a task, beyond those that all views use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.scheduling.read.run_view import TaskView
from starloom.scheduling.state.codes import COMPLETED, FAILED, RUNNING
from starloom_gui.canvas.badges import BadgeAct
from starloom_gui.canvas.render_model import NodeMark
from starloom_gui.text.words import amount, clock, fill, straight, tasks, translate
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.keys import Scope, shown
from starloom_gui.viewmodel.status_forms import form_at, form_word
from starloom_gui.viewmodel.task_words import middle_line, second_line, short_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.canvas.render_model import GraphRenderModel


def title(facts: RunFacts, number: int) -> str:
    """A task's name, also of one that was removed."""
    return straight(facts.graph.names.title(number))


def share_done(facts: RunFacts, number: int, now: float) -> float | None:
    """The progress of a running task by its expected duration, at most 1; None: that is unknown.

    Args:
        facts: of the run.
        number: of the task.
        now: seconds on the engine's clock.
    """
    task = facts.graph.tasks[number]
    expected = task.expected_duration if task is not None else None
    if facts.status[number] != RUNNING or not expected:
        return None
    device = facts.fleet.devices.get(facts.device_of[number] or "")
    speed = device.speed if device is not None else 1.0
    return min(1.0, (now - facts.started_at[number]) * speed / expected)


def line_of(picture: GraphRenderModel, number: int, now: float, *, short: bool = False) -> str:
    """The second line of a node; for a task that is not in the run yet, its expected duration.

    Args:
        picture: what is shown.
        number: of the task.
        now: seconds on the run's clock.
        short: whether there is little room.
    """
    seconds = picture.durations.get(number)
    if seconds is None:
        return (short_line if short else second_line)(TaskView(picture.facts, number), now)
    return clock(seconds) if short else fill(translate("Canvas", "about %1"), clock(seconds))


def shorter_lines(picture: GraphRenderModel, number: int, now: float) -> tuple[str, str]:
    """The second line of a node for less room and for little.

    Args:
        picture: what is shown.
        number: of the task.
        now: seconds on the run's clock.
    """
    short = line_of(picture, number, now, short=True)
    if number in picture.durations:
        return short, short
    return middle_line(TaskView(picture.facts, number), now), short


def lock_words(picture: GraphRenderModel, row: int) -> str:
    """What the padlock on a node means, and what to do; empty: it has none."""
    if picture.lock[row] == NodeMark.LOCK_HALF:
        return translate(
            "Canvas",
            "Half a padlock: what depends on this task has started, so it can't be removed. Its fields can be edited.",
        )
    if picture.lock[row] == NodeMark.LOCK_FULL:
        return translate(
            "Canvas",
            "Padlock: this task has started, so no edit of it can be staged. Once it has ended, retry it in Live mode.",
        )
    return ""


def badge_words(act: BadgeAct) -> str:
    """What a click on a badge shows, with the keys that show it, too."""
    said, keys = {
        BadgeAct.QUESTION: (translate("Canvas", "Click: answer it in “Waits for you” (%1)"), "pane_agents"),
        BadgeAct.WAITING: (translate("Canvas", "Click: what it waits for, in “Waits for you” (%1)"), "pane_agents"),
        BadgeAct.OUTPUT: (translate("Canvas", "Click: its output (%1)"), "pane_output"),
        BadgeAct.CHANGES: (translate("Canvas", "Click: the staged changes (%1)"), "pane_changes"),
        BadgeAct.FIELDS: (
            translate("Canvas", "Click: what is typed and not set, in the inspector (%1)"),
            "pane_inspector",
        ),
    }[act]
    return fill(said, shown(Scope.WINDOW, keys))


def description(picture: GraphRenderModel, number: int, now: float) -> str:
    """The name, status and second line of a node in one sentence, for screen readers.

    Args:
        picture: what is shown.
        number: of the task.
        now: seconds on the engine's clock.
    """
    facts = picture.facts
    status, line = form_word(form_at(facts, number)), line_of(picture, number, now)
    return fill(translate("Canvas", "%1, %2, %3"), title(facts, number), status, line)


def group_lines(counts: Sequence[int]) -> tuple[str, list[str]]:
    """The failures of a folded group, empty if there are none; and its other counts, from long to short.

    Args:
        counts: how many of its tasks have each form, by `StatusForm`.
    """
    wrong = fill(translate("Canvas", "%1 failed"), amount(counts[FAILED])) if counts[FAILED] else ""
    done = fill(translate("Canvas", "%1 of %2 done"), amount(counts[COMPLETED]), amount(sum(counts)))
    running = fill(translate("Canvas", "%1 running"), amount(counts[RUNNING])) if counts[RUNNING] else ""
    short = fill(translate("Canvas", "%1 done"), amount(counts[COMPLETED]))
    rests = [fill(translate("Canvas", "%1 · %2"), running, done)] if running else []
    part = fill(translate("Words", "%1 of %2"), amount(counts[COMPLETED]), amount(sum(counts)))
    rests += [done, part, short]
    return wrong, [fill(translate("Canvas", " · %1"), rest) for rest in rests] if wrong else rests


def group_counts(counts: Sequence[int]) -> list[str]:
    """The number of tasks of a folded group in each status, e.g. `3 Running`."""
    return [
        fill(translate("Canvas", "%1 %2"), amount(count), form_word(StatusForm(form)))
        for form, count in enumerate(counts)
        if count
    ]


def group_description(name: str, counts: Sequence[int]) -> str:
    """The description of a folded group in one sentence, for screen readers."""
    return fill(translate("Canvas", "Group %1, %2, %3"), name, tasks(sum(counts)), ", ".join(group_counts(counts)))
