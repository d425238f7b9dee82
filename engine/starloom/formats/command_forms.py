"""Commands read from plain JSON, as scripts write them: a word, or a mapping of one word to what belongs to it.

`{hold: [a, b]}`, `{set_priority: {tasks: a, priority: high}}`, `{edit: [{remove_task: a}]}`, `pause`,
`{answer_gate: {task: ship, approve: true, note: fine}}`. Whether a command is possible is not judged here: the engine
does so when it is given. `command_writer` writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from pydantic import TypeAdapter, ValidationError

from starloom.constellation.edits import EditBatch, UpdateTask
from starloom.formats.edit_forms import TASK, names, read_edits
from starloom.formats.fields import describe, findings, unknown_field
from starloom.model.quantities import PRIORITY_NAMES, parse_duration, parse_priority
from starloom.model.status import Placement, TaskStatus
from starloom.model.task import ACTIONS, UPDATABLE_FIELDS, Task
from starloom.scheduling import commands as c
from starloom.scheduling.decide.specs import WORDS
from starloom.scheduling.reservation_commands import BreakReservation, ReleaseReservation, Reserve

if TYPE_CHECKING:
    from starloom.errors import Problem

TASKS: Final = "tasks"
QUESTION: Final = "question"
DEVICE: Final = "device"
FOR: Final = "for"
REASON: Final = "reason"
_TASK: Final = TypeAdapter(Task)
Place = tuple[str | int, ...]
"""Keys and positions down to a part of a form."""
Add = Callable[[Place, str, str], None]
"""Is told what is wrong: where, what, and what to do."""

_SECONDS: Final = ("starvation_timeout", "modification_timeout")
_MARKS: Final = ("completed", "failed", "skipped")


def read_command(form: Any, add: Add) -> c.Command | None:
    """The command of a form, without run and author; None, with a reported problem: it is none."""
    if isinstance(form, str):
        form = {form: None}
    if not isinstance(form, Mapping) or len(form) != 1:
        add((), f"must be a command, such as {{hold: some-id}}, not {describe(form)}.", _known())
        return None
    (word, content), *_ = form.items()
    if word not in WORDS:
        message, hint = unknown_field(str(word), WORDS)
        add((str(word),), message.replace("field", "command"), hint)
        return None
    return _Reader(str(word), add).read(content)


def _known() -> str:
    return f"Known commands: {', '.join(WORDS)}."


class _Reader:
    """Reads the arguments of one command."""

    def __init__(self, word: str, add: Add) -> None:
        self.word, self._add = word, add
        self.kind = WORDS[word]
        self.is_good = True

    def read(self, content: Any) -> c.Command | None:
        made = _reader_of(self.kind)(self, content)
        return made if self.is_good else None

    def add(self, message: str, hint: str = "", *place: str | int) -> None:
        self.is_good = False
        self._add((self.word, *place), message, hint)

    def ids(self, value: Any, *place: str, may_be_none: bool = False) -> tuple[str, ...]:
        found = names(value)
        if found is None or (not found and not may_be_none) or not all(found):
            self.add(f"must be the id of a task, or a list of ids, not {describe(value)}.", "", *place)
            return ()
        return tuple(found)

    def id(self, value: Any, *place: str) -> str:
        if not isinstance(value, str) or not value:
            self.add(f"must be an id, as text, not {describe(value)}.", "", *place)
            return ""
        return value

    def fields(self, value: Any, known: Iterable[str]) -> Mapping[str, Any]:
        if not isinstance(value, Mapping):
            self.add(f"must be a mapping with {', '.join(known)}, not {describe(value)}.")
            return {}
        for name in value.keys() - set(known):
            self.add(*unknown_field(str(name), known), str(name))
        return value

    def count(self, value: Any, *place: str, may_be_none: bool = True) -> int | None:
        is_number = isinstance(value, int) and not isinstance(value, bool)
        if (value is None and may_be_none) or (is_number and value >= 0):
            return value if is_number else None
        none = ", or nothing for no limit" if may_be_none else ""
        self.add(f"must be a whole number{none}, not {describe(value)}.", "", *place)
        return None

    def switch(self, value: Any, *place: str) -> bool:
        if not isinstance(value, bool):
            self.add(f"must be true or false, not {describe(value)}.", "", *place)
        return value is True

    def seconds(self, value: Any, *place: str) -> float:
        try:
            return parse_duration(value)
        except ValueError as error:
            self.add(f"{error}.", "For example 90s, or 2h.", *place)
            return 0.0

    def text(self, value: Any, *place: str) -> str:
        if isinstance(value, str):
            return value
        self.add(f"must be text, not {describe(value)}.", "", *place)
        return ""

    def settled(self, fields: Mapping[str, Any], *place: str | int) -> dict[str, Any]:
        """Fields of a task as its validation leaves them."""
        has_action = any(fields.get(name) is not None for name in ACTIONS)
        wanted = {name: value for name, value in fields.items() if value is not None or name not in ACTIONS}
        given = {"id": "any", **({} if has_action else {"call": "any"}), **wanted}
        try:
            task = _TASK.validate_python(given)
        except ValidationError as error:
            for path, message, hint in findings(error, given, sorted(UPDATABLE_FIELDS)):
                self.add(message, hint, *place, *path)
            return {}
        return {name: None if value is None else getattr(task, name) for name, value in fields.items()}

    # ---- the words

    def of_tasks(self, content: Any) -> c.Command:
        made: c.Command = self.kind(run_id="", task_ids=self.ids(content))
        return made

    def of_run(self, content: Any) -> c.Command:
        if content is not None:
            self.add(f"stands by itself, without {describe(content)}.", f"Write only {self.word}.")
        made: c.Command = self.kind(run_id="")
        return made

    def of_device(self, content: Any) -> c.Command:
        made: c.Command = self.kind(device_id=self.id(content))
        return made

    def of_agent(self, content: Any) -> c.Command:
        made: c.Command = self.kind(run_id="", agent=self.id(content))
        return made

    def edit(self, content: Any) -> c.Command:
        edits, problems = read_edits(content, "edit")
        for problem in problems:
            self._add_edit(problem)
        if not edits and not problems:
            self.add("holds no edits.", "Give at least one.")
        numbers = iter([number for number, form in enumerate(content) if "update_task" in form] if self.is_good else ())
        settled = [self._updated(one, next(numbers, 0)) if isinstance(one, UpdateTask) else one for one in edits]
        return c.EditConstellation(run_id="", batch=EditBatch(edits=tuple(settled)))

    def _updated(self, edit: UpdateTask, number: int) -> UpdateTask:
        settled = UpdateTask(edit.task_id, **self.settled(edit.fields, number, "update_task"))
        return settled.with_steering(edit.steering) if edit.steering else settled

    def _add_edit(self, problem: Problem) -> None:
        number = problem.where.removeprefix("edit[").partition("]")[0]
        place = (int(number),) if number.isdigit() else ()
        inner = problem.where.partition("]")[2].lstrip(".")
        message = f"{inner}: {problem.message}" if inner else problem.message
        self.add(message, problem.hint, *place)

    def retry(self, content: Any) -> c.Command:
        if not isinstance(content, Mapping):
            return c.RetryTasks(run_id="", task_ids=self.ids(content))
        given = self.fields(content, (TASKS, "fields"))
        fields = given.get("fields", {})
        if not isinstance(fields, Mapping):
            self.add(f"must be a mapping of fields of a task, not {describe(fields)}.", "", "fields")
            fields = {}
        for name in fields.keys() - UPDATABLE_FIELDS:
            self.add(*unknown_field(str(name), sorted(UPDATABLE_FIELDS)), "fields", str(name))
        settled = self.settled(fields, "fields") if self.is_good else {}
        return c.RetryTasks(run_id="", task_ids=self.ids(given.get(TASKS), TASKS), fields=settled)

    def mark(self, content: Any) -> c.Command:
        given = self.fields(content, (TASKS, "status", "value"))
        status = given.get("status", "completed")
        if status not in _MARKS:
            self.add(f"must be {', '.join(_MARKS[:-1])} or {_MARKS[-1]}, not {describe(status)}.", "", "status")
            status = "completed"
        ids = self.ids(given.get(TASKS), TASKS)
        return c.MarkTasks(run_id="", task_ids=ids, status=TaskStatus(status), value=given.get("value"))

    def rerun_from(self, content: Any) -> c.Command:
        if isinstance(content, str):
            content = {TASK: content}
        given = self.fields(content, (TASK, "cancel_running"))
        cancels = self.switch(given.get("cancel_running", False), "cancel_running")
        return c.RerunFrom(run_id="", task_id=self.id(given.get(TASK), TASK), cancel_running=cancels)

    def set_priority(self, content: Any) -> c.Command:
        given = self.fields(content, (TASKS, "priority"))
        try:
            priority = parse_priority(given.get("priority"))
        except ValueError as error:
            self.add(f"{error}.", f"For example {', '.join(PRIORITY_NAMES)}.", "priority")
            priority = 50
        return c.SetPriority(run_id="", task_ids=self.ids(given.get(TASKS), TASKS), priority=priority)

    def pin(self, content: Any) -> c.Command:
        given = self.fields(content, (TASKS, "device"))
        device = given.get("device")
        where = None if device is None else self.id(device, "device")
        return c.PinTasks(run_id="", task_ids=self.ids(given.get(TASKS), TASKS), device_id=where)

    def set_limit(self, content: Any) -> c.Command:
        return c.SetRunLimit(run_id="", max_concurrency=self.count(content))

    def hold_open(self, content: Any) -> c.Command:
        return c.HoldRunOpen(run_id="", hold_open=self.switch(content))

    def answer_gate(self, content: Any) -> c.Command:
        given = self.fields(content, (TASK, "approve", "note"))
        note = self.text(given.get("note", ""), "note")
        approve = self.switch(given.get("approve"), "approve")
        return c.AnswerGate(run_id="", task_id=self.id(given.get(TASK), TASK), approve=approve, note=note)

    def answer_question(self, content: Any) -> c.Command:
        given = self.fields(content, (QUESTION, "option", "note", "reject"))
        number = given.get(QUESTION)
        given_numbers: list[Any] = number if isinstance(number, list) else [number]
        numbers = [one for one in given_numbers if isinstance(one, int) and not isinstance(one, bool)]
        if not numbers or len(numbers) < len(given_numbers):
            message = f"must be the number of a question, or a list of such numbers, not {describe(number)}."
            self.add(message, "", QUESTION)
        texts = {name: self.text(given.get(name, ""), name) for name in ("option", "note")}
        rejects = self.switch(given.get("reject", False), "reject")
        return c.AnswerQuestion(run_id="", numbers=tuple(numbers), reject=rejects, **texts)

    def answer_approval(self, content: Any) -> c.Command:
        given = self.fields(content, ("approval", "accept", "note", "without"))
        number, without = self.count(given.get("approval"), "approval", may_be_none=False), given.get("without", [])
        if not isinstance(without, list):
            self.add(f"must be a list of positions, not {describe(without)}.", "", "without")
            without = []
        places = tuple(self.count(one, "without", may_be_none=False) or 0 for one in without)
        note, accept = self.text(given.get("note", ""), "note"), self.switch(given.get("accept"), "accept")
        return c.AnswerApproval(run_id="", approval=number or 0, accept=accept, note=note, without=places)

    def trust_agent(self, content: Any) -> c.Command:
        given = self.fields(content, ("agent", "asks"))
        kinds = names(given.get("asks", []))
        if kinds is None:
            self.add(f"must be kinds of edits, not {describe(given.get('asks'))}.", "", "asks")
        return c.TrustAgent(run_id="", agent=self.id(given.get("agent"), "agent"), asks=tuple(kinds or ()))

    def set_fence(self, content: Any) -> c.Command:
        given = self.fields(content, ("fence", "modification_timeout", "approval_timeout"))
        made: dict[str, Any] = {}
        if "fence" in given:
            made["fence"] = None if given["fence"] is None else self.id(given["fence"], "fence")
        for name in ("modification_timeout", "approval_timeout"):
            if name in given:
                never = given[name] is None and name == "approval_timeout"
                made[name] = None if never else self.seconds(given[name], name)
        return c.SetFence(run_id="", **made)

    def run_until(self, content: Any) -> c.Command:
        return c.RunUntil(run_id="", task_ids=self.ids([] if content is None else content, may_be_none=True))

    def step(self, content: Any) -> c.Command:
        return c.StepRun(run_id="", task_id="" if content is None else self.id(content))

    def set_slots(self, content: Any) -> c.Command:
        given = self.fields(content, ("device", "slots"))
        slots = self.count(given.get("slots"), "slots", may_be_none=False) or 0
        return c.SetSlots(device_id=self.id(given.get("device"), "device"), slots=slots)

    def set_limits(self, content: Any) -> c.Command:
        given = self.fields(
            content, ("max_concurrency", "groups", "max_queue", "placement", *_SECONDS, "overdue_factor")
        )
        groups = given.get("groups", {})
        if not isinstance(groups, Mapping):
            self.add(f"must be a mapping of groups to numbers, not {describe(groups)}.", "", "groups")
            groups = {}
        limits: dict[str, Any] = {}
        if "max_concurrency" in given:
            limits["max_concurrency"] = self.count(given["max_concurrency"], "max_concurrency")
        if groups:
            limits["groups"] = {str(name): self.count(most, "groups", str(name)) for name, most in groups.items()}
        if "max_queue" in given:
            limits["max_queue"] = self.count(given["max_queue"], "max_queue", may_be_none=False) or 0
        limits |= {name: self.seconds(given[name], name) for name in (*_SECONDS, "overdue_factor") if name in given}
        if "placement" in given:
            if given["placement"] not in set(Placement):
                message = f"must be {', '.join(Placement)}, not {describe(given['placement'])}."
                self.add(message, "", "placement")
            else:
                limits["placement"] = Placement(given["placement"])
        return c.SetLimits(**limits)

    def reserve(self, content: Any) -> c.Command:
        given = self.fields(content, (DEVICE, FOR, REASON))
        seconds = 0.0
        try:
            seconds = parse_duration(given.get(FOR))
        except ValueError as error:
            self.add(f"{error}.", "For example 2h.", FOR)
        return Reserve(device_id=self.device(given), seconds=seconds, reason=self.text(given.get(REASON, ""), REASON))

    def release_reservation(self, content: Any) -> c.Command:
        return ReleaseReservation(device_id="" if content is None else self.id(content))

    def break_reservation(self, content: Any) -> c.Command:
        given = self.fields(content, (DEVICE, REASON))
        return BreakReservation(device_id=self.device(given), reason=self.text(given.get(REASON, ""), REASON))

    def device(self, given: Mapping[str, Any]) -> str:
        """The id of the device; empty: the command is about the run or the fleet."""
        return self.id(given[DEVICE], DEVICE) if given.get(DEVICE) is not None else ""


_READERS: Final[Mapping[type[Any], Callable[[_Reader, Any], c.Command]]] = {
    c.EditConstellation: _Reader.edit,
    c.RetryTasks: _Reader.retry,
    c.MarkTasks: _Reader.mark,
    c.RerunFrom: _Reader.rerun_from,
    c.SetPriority: _Reader.set_priority,
    c.PinTasks: _Reader.pin,
    c.AnswerGate: _Reader.answer_gate,
    c.AnswerQuestion: _Reader.answer_question,
    c.SetRunLimit: _Reader.set_limit,
    c.HoldRunOpen: _Reader.hold_open,
    c.RunUntil: _Reader.run_until,
    c.StepRun: _Reader.step,
    c.SetSlots: _Reader.set_slots,
    c.SetLimits: _Reader.set_limits,
    c.AnswerApproval: _Reader.answer_approval,
    c.TrustAgent: _Reader.trust_agent,
    c.SetFence: _Reader.set_fence,
    Reserve: _Reader.reserve,
    ReleaseReservation: _Reader.release_reservation,
    BreakReservation: _Reader.break_reservation,
}
"""Who reads commands that hold more than what they are about."""


def _reader_of(kind: type[Any]) -> Callable[[_Reader, Any], c.Command]:
    if kind in _READERS:
        return _READERS[kind]
    if issubclass(kind, c.TasksCommand):
        return _Reader.of_tasks
    if issubclass(kind, c.AgentCommand):
        return _Reader.of_agent
    return _Reader.of_device if issubclass(kind, c.DeviceCommand) else _Reader.of_run
