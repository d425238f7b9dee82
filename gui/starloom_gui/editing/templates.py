"""Templates of new tasks: one for each kind of work and some ready-made ones; and free ids."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from starloom.model.status import Backoff, Join, Severity
from starloom.model.task import Gate, Retry, Simulate, Task
from starloom_gui.text.words import translate
from starloom_gui.theme.icons import Icon

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Sequence

_COUNTED: Final = re.compile(r"(.+)-\d{1,6}\Z", re.DOTALL)
_WORD: Final = re.compile(r"\w+")
_LONGEST_ID: Final = 60


def id_of_name(name: str) -> str:
    """The id that a task gets from its first name: `Run unit tests` gives `run-unit-tests`; empty: it has no word."""
    return "-".join(_WORD.findall(name.lower()))[:_LONGEST_ID].strip("-")


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskTemplate:
    """A template of a new task.

    Attributes:
        name: what it is known by; no two have the same.
        title: what people read.
        icon: stands before the title.
        make: gives the task; its id is only a wish, see `task_of`.
        about: what it is good for, in a few words.
    """

    name: str
    title: str
    icon: Icon
    make: Callable[[], Task] = field(compare=False)
    about: str = ""


def kinds() -> tuple[TaskTemplate, ...]:
    """A template for each kind of work a task can do; what they begin with does no harm where it runs at once."""
    return (
        _of(
            Task(id="command", command=("echo", "hello")),
            translate("Templates", "Command"),
            Icon.COMMAND,
            translate("Templates", "A program and its arguments"),
        ),
        _of(
            Task(id="shell", shell="echo hello"),
            translate("Templates", "Shell"),
            Icon.SHELL,
            translate("Templates", "Text for the system's shell"),
        ),
        _of(
            Task(id="python", python="platform:platform"),
            translate("Templates", "Python"),
            Icon.PYTHON,
            translate("Templates", "A function in a process of its own"),
        ),
        _of(
            Task(id="call", call="handler"),
            translate("Templates", "Call"),
            Icon.CALL,
            translate("Templates", "A handler of the host program"),
        ),
        _of(
            Task(id="prompt", prompt="Say hello."),
            translate("Templates", "Prompt"),
            Icon.PROMPT,
            translate("Templates", "Text for an agent's device"),
        ),
        _of(
            Task(id="simulated", simulate=Simulate(duration=10)),
            translate("Templates", "Simulated"),
            Icon.SIMULATE,
            translate("Templates", "Only takes time"),
        ),
        _of(
            Task(id="gate", gate=Gate(message="Go on?")),
            translate("Templates", "Gate"),
            Icon.GATE,
            translate("Templates", "Asks a person, and takes no slot meanwhile"),
        ),
    )


def ready_made() -> tuple[TaskTemplate, ...]:
    """Templates of common tasks."""
    retry = Retry(attempts=4, backoff=Backoff.EXPONENTIAL, delay=2, cap=60)
    return (
        _of(
            Task(id="milestone", simulate=Simulate()),
            translate("Templates", "Milestone"),
            Icon.MILESTONE,
            translate("Templates", "Done when all its parents are"),
        ),
        _of(
            Task(id="first", simulate=Simulate(), join=Join.ANY),
            translate("Templates", "First of several"),
            Icon.ANY,
            translate("Templates", "Done when one of its parents is"),
        ),
        _of(
            Task(id="patient", command=("echo", "hello"), timeout=300, retry=retry),
            translate("Templates", "Command with retries"),
            Icon.RETRY,
            translate("Templates", "4 attempts of 5 min, with pauses"),
        ),
        _of(
            Task(id="optional", command=("echo", "hello"), severity=Severity.WARNING),
            translate("Templates", "Optional command"),
            Icon.WARNING,
            translate("Templates", "Its failure is only a warning"),
        ),
    )


def usual_kind(templates: Sequence[TaskTemplate], tasks: Iterable[Task]) -> TaskTemplate:
    """The template of a line that runs, as a command or in a shell: which of them more tasks of a plan do.

    Args:
        templates: at least one; the first is meant where no task does either.
        tasks: of the plan.
    """
    counts = Counter(task.action for task in tasks)
    works = {one.make().action: one for one in reversed(templates)}  # of each action the first
    lines = [action for action in ("command", "shell") if action in works and counts[action]]
    return works[max(lines, key=lambda action: counts[action])] if lines else templates[0]


def _of(task: Task, title: str, icon: Icon, about: str) -> TaskTemplate:
    return TaskTemplate(name=task.id, title=title, icon=icon, make=lambda: task, about=about)


class FreeIds:
    """Generates ids that are neither taken nor were generated before.

    Args:
        taken: the ids that are in use, e.g. a graph's `place`.
    """

    def __init__(self, taken: Container[str]) -> None:
        self._taken = taken
        self._given: set[str] = set()
        self._next: dict[str, int] = {}  # else many copies of one task would each count from the start

    def free(self, wanted: str) -> str:
        """The wanted id, or the same with the first number behind it that makes it one of its own: `build-2`."""
        found = wanted
        if self._is_used(found):
            counted = _COUNTED.match(wanted)
            base = (counted[1] if counted else wanted)[:490]  # an id has at most 500 characters
            number = self._next.get(base, 2)
            while self._is_used(found := f"{base}-{number}"):
                number += 1
            self._next[base] = number + 1
        self._given.add(found)
        return found

    def _is_used(self, one: str) -> bool:
        return one in self._taken or one in self._given


def task_of(template: TaskTemplate, taken: Container[str]) -> Task:
    """A new task of a template, with an id that is not taken."""
    made = template.make()
    return replace(made, id=FreeIds(taken).free(made.id))
