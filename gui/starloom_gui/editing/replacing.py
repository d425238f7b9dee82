"""Finds and replaces text in the work of tasks: the places, the new texts, and the edits for them. Pure."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError
from PySide6.QtCore import QObject

from starloom.constellation.edits import UpdateTask
from starloom.constellation.validation import bad_fields
from starloom.scheduling.commands import RetryTasks
from starloom.scheduling.read.run_view import TaskView
from starloom_gui.editing.legality import why_frozen
from starloom_gui.editing.seeking import Replacer, UnusableError
from starloom_gui.editing.words import problem_words
from starloom_gui.text.command_text import command_text
from starloom_gui.text.field_words import field_word
from starloom_gui.text.words import fill, plain, translate
from starloom_gui.viewmodel.task_fields import runs_again

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from starloom.model.task import Task
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.editing.seeking import Replaced, ReplaceQuery

Way = tuple[str | int, ...]
"""From a field to a text in it: keys and places."""
_NAMED: Final = 40
"""Characters of a text in the name of a step."""
_WHOLE: Final = ("shell", "python", "call", "prompt", "cwd")
"""The fields that are one text each."""


@dataclass(frozen=True, slots=True)
class TextLocation:
    """The place of a text in a task: its field, and the path within that."""

    field: str
    way: Way = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A text with at least one match.

    Attributes:
        number: of the task.
        task_id: its id.
        spot: where in the task.
        before: what stands there.
        replaced: what would.
        unfit: why the task could not have that, as a sentence; empty: it could.
    """

    number: int
    task_id: str
    spot: TextLocation
    before: str
    replaced: Replaced
    unfit: str = ""

    @property
    def key(self) -> tuple[int, TextLocation]:
        """The key of a hit, which is the same in the next search."""
        return self.number, self.spot

    @property
    def places(self) -> int:
        """How many matches the text has."""
        return len(self.replaced.old)


_COMMAND: Final = TextLocation("command")
"""All words of a command, as they are shown in one line."""


def texts_of(task: Task, *, names: bool) -> Iterator[tuple[TextLocation, str]]:
    """The texts that say what a task runs, in the order of its fields.

    Args:
        task: the task.
        names: whether its name is one of them.
    """
    if names and task.name:
        yield TextLocation("name"), task.name
    for at, word in enumerate(task.command or ()):
        yield TextLocation("command", (at,)), word
    if task.command is not None and len(task.command) > 1:
        yield _COMMAND, command_text(task.command)
    for field in _WHOLE:
        value = getattr(task, field)
        if value:
            yield TextLocation(field), value
    if task.gate is not None and task.gate.message:
        yield TextLocation("gate"), task.gate.message
    for name, value in task.env.items():
        if isinstance(value, str):  # a reference to a secret is no text
            yield TextLocation("env", (name,)), value
    yield from _leaves(task.inputs)


def _leaves(inputs: Mapping[str, Any]) -> Iterator[tuple[TextLocation, str]]:
    """The texts among JSON values, however deep."""
    waiting: list[tuple[Way, Any]] = [((), inputs)]
    while waiting:
        way, value = waiting.pop()
        if isinstance(value, str):
            yield TextLocation("inputs", way), value
        elif hasattr(value, "items"):
            waiting.extend(reversed([((*way, key), one) for key, one in value.items()]))
        elif isinstance(value, list | tuple):
            waiting.extend(reversed([((*way, at), one) for at, one in enumerate(value)]))


def seek(run: RunFacts, numbers: Iterable[int], wanted: ReplaceQuery) -> Iterator[Hit | None]:
    """The hits that a replacement would change, in the order of the tasks.

    In between comes None, once a task and more often where a text is long: whoever asks may pause there.

    Args:
        run: the facts; they may change meanwhile, and what goes away is passed over.
        numbers: of the tasks to look at.
        wanted: what is sought.

    Raises:
        UnusableError: it cannot be used, or not on these texts.
    """
    replacer = Replacer(wanted)
    for number in numbers:
        task = run.graph.tasks[number] if number < len(run.graph.tasks) else None
        yield None
        if task is None:
            continue
        try:
            yield from _hits(number, task, replacer, names=wanted.names)
        except UnusableError as error:
            raise UnusableError(fill(translate("Replace", "In “%1”: %2"), plain(task.title, _NAMED), error)) from None


def _hits(number: int, task: Task, replacer: Replacer, *, names: bool) -> Iterator[Hit | None]:
    """The hits in one task, and None in between. A command that has none in a word is looked at as it is shown."""
    is_in_word = False
    for spot, text in texts_of(task, names=names):
        if is_in_word and spot == _COMMAND:
            continue
        for found in replacer.replaced(text):
            if found is None:
                yield None
            elif found.text != text:
                is_in_word |= spot.field == _COMMAND.field
                yield Hit(number, task.id, spot, text, found, _unfit(task, spot, found.text))


def _unfit(task: Task, spot: TextLocation, text: str) -> str:
    """The reason why a task cannot have this text there, as a sentence; empty: it can."""
    try:
        replace(task, **{spot.field: _value(task, spot.field, [(spot.way, text)])})
    except ValidationError as error:
        return problem_words(bad_fields(task.id, error))
    except ValueError:
        return translate("Replace", "A quotation mark would not be closed.")
    return ""


def why_not(run: RunFacts, hit: Hit) -> str:
    """The reason why a hit cannot be replaced, as a sentence; empty: it can, if only by running the task again."""
    return ("" if is_tried_again(run, hit) else why_frozen(run, hit.number)) or hit.unfit


def is_tried_again(run: RunFacts, hit: Hit) -> bool:
    """Whether its task has failed or was cancelled, so that it is changed by another attempt with the new text."""
    return hit.number < len(run.graph.ids) and runs_again(TaskView(run, hit.number))


def edits_of(run: RunFacts, hits: Iterable[Hit]) -> tuple[UpdateTask, ...]:
    """The edits that replace hits, one a task; none where a hit cannot be changed, or its text is another by now."""
    found: dict[int, list[Hit]] = {}
    for hit in hits:
        if not why_not(run, hit):
            found.setdefault(hit.number, []).append(hit)
    made = (_edit(run.graph.tasks[number], meant) for number, meant in found.items())
    return tuple(edit for edit in made if edit.fields)


def parted(run: RunFacts, edits: Iterable[UpdateTask]) -> tuple[tuple[UpdateTask, ...], list[RetryTasks]]:
    """The edits of tasks that have not started, and what tasks are tried again with, those with the same together."""
    now: list[UpdateTask] = []
    again: list[RetryTasks] = []
    for edit in edits:
        if not runs_again(TaskView(run, run.graph.place[edit.task_id])):
            now.append(edit)
            continue
        at = next((at for at, one in enumerate(again) if one.fields == edit.fields), len(again))
        known = again[at].task_ids if at < len(again) else ()
        again[at : at + 1] = [RetryTasks(run_id=run.run_id, task_ids=(*known, edit.task_id), fields=edit.fields)]
    return tuple(now), again


def _edit(task: Task | None, hits: Sequence[Hit]) -> UpdateTask:
    assert task is not None, "one that was removed is frozen"
    now = dict(texts_of(task, names=True))
    fields: dict[str, list[tuple[Way, str]]] = {}
    for hit in hits:
        if now.get(hit.spot) == hit.before:
            fields.setdefault(hit.spot.field, []).append((hit.spot.way, hit.replaced.text))
    return UpdateTask(task.id, **{field: _value(task, field, texts) for field, texts in fields.items()})


def _value(task: Task, field: str, texts: Sequence[tuple[Way, str]]) -> Any:
    """A field with other texts in it, as an edit takes it."""
    value = getattr(task, field)
    if field == "command":
        if texts[0][0] == ():
            return tuple(shlex.split(texts[0][1]))
        words = {way[0]: text for way, text in texts}
        return tuple(words.get(at, word) for at, word in enumerate(value))
    if field == "env":
        return {**value, **{str(way[0]): text for way, text in texts}}
    if field == "inputs":
        return _other(value, dict(texts))
    if field == "gate":
        return replace(value, message=texts[0][1])
    return texts[0][1]


def _other(value: Any, texts: Mapping[Way, str], way: Way = ()) -> Any:
    """JSON values with other texts; their depth is bounded by the model."""
    if way in texts:
        return texts[way]
    if hasattr(value, "items"):
        return {key: _other(one, texts, (*way, key)) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_other(one, texts, (*way, at)) for at, one in enumerate(value)]
    return value


# ---- in words


def spot_words(spot: TextLocation) -> str:
    """The place of a text in a task, e.g. `Command, word 3`."""
    word = field_word(spot.field)
    if spot.field == "command" and spot.way:
        return fill(translate("Replace", "%1, word %2"), word, int(spot.way[0]) + 1)
    return fill("%1, %2", word, ".".join(map(str, spot.way))) if spot.way else word


class ReplacementPlurals(QObject):
    """Counts of what is replaced; an object only as the tool that gathers texts knows plurals from `self.tr` alone."""

    def places(self, count: int) -> str:
        """The number of texts with a match."""
        return self.tr("%n place(s)", "", count)

    def in_tasks(self, count: int) -> str:
        """The number of tasks with a match."""
        return self.tr("in %n task(s)", "", count)

    def fixed(self, count: int) -> str:
        """The number of matches that cannot be changed."""
        return self.tr("%n cannot be changed", "", count)

    def tried_again(self, count: int) -> str:
        """The number of ended tasks that a replacement runs again."""
        return self.tr("%n failed or cancelled task(s) are changed and tried again", "", count)

    def looked_at(self, count: int) -> str:
        """The number of tasks that were searched without a match."""
        return self.tr("None of %n task(s) has this.", "", count)

    def replace(self, count: int) -> str:
        """The button that does it."""
        return self.tr("Replace in %n task(s)", "", count)

    def label(self, wanted: ReplaceQuery, count: int) -> str:
        """The label of the step."""
        text = self.tr("Replace “%1” by “%2” in %n task(s)", "", count)
        if not wanted.by:
            text = self.tr("Remove “%1” from %n task(s)", "", count)
        return fill(text, plain(wanted.sought, _NAMED), plain(wanted.by, _NAMED))
