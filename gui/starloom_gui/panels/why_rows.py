"""The rows that explain why a task is not running: blocking reasons with their remedies, then the others.

The reasons are the engine's; words, buttons and the ticks are made here from its facts.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from msgspec import structs

from starloom.model.status import DeviceStatus, Fence, TaskStatus
from starloom.scheduling import commands as c
from starloom.scheduling.read.left_behind import gate_message
from starloom.scheduling.state.device_facts import DeviceRequirements
from starloom.scheduling.state.stops import is_gate
from starloom_gui.panels.busy_words import away_text, full_devices, full_text, kept_text, raise_label
from starloom_gui.panels.forecast_words import ends_words
from starloom_gui.panels.question_rows import question_rows
from starloom_gui.panels.why_question import WhyQuestion, WhyRow
from starloom_gui.text.engine_words import said
from starloom_gui.text.words import (
    Plurals,
    breakpoint_word,
    fill,
    held_word,
    moment,
    plain,
    remaining,
    share,
    status_word,
    translate,
)
from starloom_gui.theme.icons import Icon
from starloom_gui.viewmodel.figures import goal_of
from starloom_gui.viewmodel.outage_words import outage_text, seconds_left
from starloom_gui.viewmodel.task_words import silent_since, simulated_words, unmet_words
from starloom_gui.widgets.offers import AddDeviceOffer, CompareKeyOffer, LookAtAgents

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom.scheduling.read.run_view import RunView, TaskView
    from starloom.scheduling.read.why import Reason
    from starloom.scheduling.state.cycle_facts import Approval
    from starloom.scheduling.state.device_facts import DeviceFacts
    from starloom_gui.widgets.offers import Remedy

_NAMED: Final = 3
_WHOLE: Final = 2_000
"""Characters of a reason that is shown whole, as its remedy stands at its end."""


def why_rows(asked: WhyQuestion, reasons: Sequence[Reason]) -> tuple[WhyRow, ...]:
    """All lines of the answer, what blocks first; one that runs says what it asks, a left out one why, others nothing.

    Args:
        asked: the question.
        reasons: the engine's answer.
    """
    if not asked.task.is_to_start:
        return _left_out(asked)
    rows = [_row(asked, reason) for reason in reasons if reason.code != "approval"]
    rows += _approvals(asked, [reason for reason in reasons if reason.code == "approval"])
    rows.sort(key=lambda row: not row.blocks)
    codes = {reason.code for reason in reasons}
    return (*rows, *_fine(asked, codes))


def _left_out(asked: WhyQuestion) -> tuple[WhyRow, ...]:
    """The reason why a task was cancelled or skipped, and because of which parent; of a running one what it asks."""
    task = asked.task
    if text := simulated_words(task):
        return (WhyRow(True, text, translate("Inspector", "Drain that device and rerun from here to have it run")),)
    if task.status not in {TaskStatus.CANCELLED, TaskStatus.SKIPPED}:
        return (*_device_of(asked), *(WhyRow(True, *row) for row in question_rows(asked.run, task)))
    because = task.skipped_because
    if because is not None:
        status = _status_word(because)
        if unmet := unmet_words(task):
            detail = fill(translate("Inspector", "%1: %2"), because.title, status)
            return (WhyRow(True, unmet, detail, (asked.look(because),)),)
        text = fill(translate("Inspector", "It needs %1"), because.title)
        return (WhyRow(True, text, status, (asked.look(because),)),)
    return (WhyRow(True, said(task.reason)),) if task.reason else ()


def _device_of(asked: WhyQuestion) -> tuple[WhyRow, ...]:
    """Why the device of a running task refuses us, if it does: what runs there is waited for, and not for ever."""
    device = asked.run.fleet.devices.get(asked.task.device or "")
    is_refused = asked.task.is_running and device is not None and bool(device.refusal)
    return (_refused(asked, device),) if is_refused and device is not None else ()


def _status_word(task: TaskView) -> str:
    if (gate := task.gate) is not None and gate.is_open:
        return translate("Inspector", "Waits for you")
    if task.is_held and task.status is TaskStatus.PENDING:
        return breakpoint_word() if task.is_stopped else held_word()
    return status_word(task.status) if task.status is not None else ""


def _row(asked: WhyQuestion, reason: Reason) -> WhyRow:
    make = _ROWS.get(reason.code)
    row = WhyRow(reason.blocks, said(reason.text), said(reason.remedy)) if make is None else make(asked, reason)
    return replace(row, blocks=reason.blocks)


def _paused(asked: WhyQuestion, _reason: Reason) -> WhyRow:
    remedy = asked.offer(c.ResumeRun(run_id=asked.run.run_id))
    return WhyRow(True, translate("Inspector", "The run is paused"), remedies=remedy)


def _not_begun(asked: WhyQuestion, _reason: Reason) -> WhyRow:
    remedy = asked.offer(c.StartRun(run_id=asked.run.run_id))
    return WhyRow(True, translate("Inspector", "The run has not been started"), remedies=remedy)


def _run_limit(asked: WhyQuestion, _reason: Reason) -> WhyRow:
    run = asked.run
    text = fill(translate("Inspector", "Limit of the run is reached: %1"), share(run.running, run.limit))
    more = _one_more(run.limit, run.running)
    remedies = asked.raise_to(more, c.SetRunLimit(run_id=run.run_id, max_concurrency=more))
    return WhyRow(True, text, remedies=remedies)


def _fleet_limit(asked: WhyQuestion, _reason: Reason) -> WhyRow:
    fleet = asked.run.fleet
    text = fill(translate("Inspector", "Limit of all runs is reached: %1"), share(fleet.running, fleet.max_concurrency))
    more = _one_more(fleet.max_concurrency, fleet.running)
    return WhyRow(True, text, remedies=asked.raise_to(more, c.SetLimits(max_concurrency=more)))


def _one_more(allowed: int | None, used: int) -> int:
    """The limit with which one more starts: where it was lowered, more may run than it allows."""
    return max(allowed or 0, used) + 1


def _held(asked: WhyQuestion, _reason: Reason) -> WhyRow:
    remedies = asked.offer(c.ReleaseTasks(**asked.about))
    return WhyRow(True, translate("Inspector", "It is held"), remedies=remedies)


def _stopped(asked: WhyQuestion, _reason: Reason) -> WhyRow:
    remedies = asked.offer(c.ReleaseTasks(**asked.about))
    return WhyRow(True, translate("Inspector", "It has stopped at its breakpoint"), remedies=remedies)


def _to_stop(asked: WhyQuestion, _reason: Reason) -> WhyRow:
    remedies = asked.offer(c.ClearBreakpoints(**asked.about))
    text = translate("Inspector", "It has a breakpoint and stops where it would start")
    return WhyRow(False, text, remedies=remedies)


def _beyond(asked: WhyQuestion, _reason: Reason) -> WhyRow:
    remedies = asked.offer(c.RunUntil(run_id=asked.run.run_id))
    text = translate("Inspector", "The run goes on only until %1, which does not need it")
    return WhyRow(True, fill(text, goal_of(asked.run)), remedies=remedies)


def _backing_off(asked: WhyQuestion, _reason: Reason) -> WhyRow:
    task = asked.task
    left = remaining((task.retry_at or asked.now) - asked.now)
    text = fill(translate("Inspector", "Attempt %1 failed, the next one is due in %2"), task.attempt, left)
    return WhyRow(True, text)


def _parent(asked: WhyQuestion, reason: Reason) -> WhyRow:
    number = asked.run.number(reason.subject or "")
    if number is None:
        return WhyRow(True, said(reason.text))
    parent = asked.run.task(number)
    text = fill(translate("Inspector", "Waits for %1"), parent.title)
    detail = _joined(_status_word(parent), ends_words(parent, asked.projection, asked.now))
    return WhyRow(True, text, detail, (asked.look(parent),))


def _joined(first: str, second: str) -> str:
    return fill(translate("Inspector", "%1 · %2"), first, second) if second else first


def _fence(asked: WhyQuestion, reason: Reason) -> WhyRow:
    """An agent that is being asked: since when, about what, and how to go on without it."""
    run, name = asked.run, reason.subject or ""
    cycle = run.cycles.cycle if run.cycles is not None else None
    if cycle is None:
        return WhyRow(True, said(reason.text), said(reason.remedy))
    text = fill(translate("Inspector", "Waits for the agent %1, since %2"), name, _since(run, cycle.at))
    about = ", ".join(task.title for task in run.tasks(cycle.tasks[:_NAMED]))
    detail = fill(translate("Inspector", "It is asked what follows from %1"), about)
    if len(cycle.tasks) > _NAMED:
        detail = fill(translate("Inspector", "It is asked what follows from %1 …"), about)
    pause = asked.offer(c.PauseAgent(run_id=run.run_id, agent=name))
    unfenced = c.SetFence(run_id=run.run_id, fence=Fence.NONE.value)
    open_it = asked.offer(unfenced, Icon.RELEASE, translate("Inspector", "Let everything go on"))
    look = LookAtAgents(fill(translate("Inspector", "Show %1"), name), agent=name)
    return WhyRow(True, text, detail, (*pause, *open_it, look))


def _approvals(asked: WhyQuestion, reasons: Sequence[Reason]) -> list[WhyRow]:
    """Edits that a person is to approve of: one row for each agent that proposes any."""
    known = asked.run.cycles.approvals if asked.run.cycles is not None else {}
    rows: list[WhyRow] = []
    proposals: dict[str, list[tuple[int, Approval]]] = {}
    for reason in reasons:
        approval = known.get(number := int(reason.subject or 0))
        if approval is None:
            rows.append(WhyRow(reason.blocks, said(reason.text), said(reason.remedy)))
        else:
            proposals.setdefault(approval.proposed.agent, []).append((number, approval))
    return rows + [_proposals(asked.run, agent, found) for agent, found in proposals.items()]


def _proposals(run: RunView, agent: str, found: Sequence[tuple[int, Approval]]) -> WhyRow:
    number, first = found[0]
    text = fill(translate("Inspector", "Waits for you: %1 of %2"), Plurals().proposals(len(found)), agent)
    if len(found) == 1:
        edits = Plurals().edits(len(first.proposed.edits))
        text = fill(translate("Inspector", "Waits for you: %1 proposes %2"), agent, edits)
    detail = fill(translate("Inspector", "Since %1"), _since(run, first.at))
    return WhyRow(True, text, detail, (LookAtAgents(translate("Inspector", "Show proposal"), approval=number),))


def _gate(asked: WhyQuestion, reason: Reason) -> WhyRow:
    """A gate that waits for a person; it is answered here, or with a note in the pane “Waits for you”."""
    task, gate = asked.task, asked.task.gate
    if gate is None:
        return WhyRow(True, said(reason.text), said(reason.remedy))
    reject = c.AnswerGate(run_id=asked.run.run_id, task_id=task.id, approve=False, attempt=gate.attempt)
    answers = (
        *asked.offer(structs.replace(reject, approve=True), Icon.ACCEPT, translate("Inspector", "Approve")),
        *asked.offer(reject, Icon.REJECT, translate("Inspector", "Reject")),
    )
    look = LookAtAgents(translate("Inspector", "With a note…"), gate=reject.task_id)
    text = fill(translate("Inspector", "Waits for you: %1"), gate_message(asked.run.facts, task.number))
    detail = fill(translate("Inspector", "Since %1"), _since(asked.run, gate.at))
    return WhyRow(True, text, detail, (*answers, look) if asked.gateway.can(reject).ok else answers)


def _since(run: RunView, at: float) -> str:
    """A time of day and not an age, so that the row stays the same while one reads it."""
    return moment(run.wall(at))


def _group(asked: WhyQuestion, reason: Reason) -> WhyRow:
    run, fleet, group = asked.run, asked.run.fleet, reason.subject or ""
    allowed, used = fleet.groups.get(group, 0), fleet.group_used.get(group, 0)
    text = fill(translate("Inspector", "Limit group “%1” is full: %2"), group, share(used, allowed))
    holders = [task for task in run.with_status(TaskStatus.RUNNING) if group in task.groups]
    more = _one_more(allowed, used)
    remedies = asked.raise_to(more, c.SetLimits(groups={group: more}))
    others = [fill(translate("Inspector", "%1 of the run %2"), *one) for one in reason.elsewhere]
    named = ", ".join([*(task.title for task in holders), *others][:_NAMED])
    until = ends_words(holders[0], asked.projection, asked.now) if holders else ""
    detail = _joined(fill(translate("Inspector", "Taken by %1"), named), until) if named else ""
    return WhyRow(True, text, detail, (*remedies, *map(asked.look, holders[:1])))


def _no_device(asked: WhyQuestion, reason: Reason) -> WhyRow:
    task = asked.task
    pin, requires = task.pin, task.fields.requires if task.fields is not None else ()
    text = translate("Inspector", "There is no device")
    if pin is not None:
        text = fill(translate("Inspector", "There is no device “%1” that could run it"), pin)
    elif requires:
        text = fill(translate("Inspector", "No device can: %1"), ", ".join(sorted(requires)))
    add = AddDeviceOffer(translate("Inspector", "Add device…"), pin or "", frozenset(requires))
    remedies: list[Remedy] = [add]
    if task.steered_to is not None:
        label = translate("Inspector", "On any device")
        remedies += asked.offer(c.PinTasks(**asked.about, device_id=None), Icon.UNPIN, label)
    return WhyRow(reason.blocks, text, remedies=tuple(remedies))


def _unavailable(asked: WhyQuestion, reason: Reason) -> WhyRow:
    device = asked.run.fleet.devices.get(reason.subject or "")
    if device is None:
        return WhyRow(True, said(reason.text), said(reason.remedy))
    if not device.enabled:
        text = fill(translate("Inspector", "%1 is disabled"), device.id)
        return WhyRow(True, text, remedies=asked.offer(c.EnableDevice(device_id=device.id)))
    if device.draining:
        text = fill(translate("Inspector", "%1 is draining"), device.id)
        return WhyRow(True, text, remedies=asked.offer(c.ResumeDevice(device_id=device.id)))
    again = asked.offer(c.TryDeviceAgain(device_id=device.id))
    if device.status is DeviceStatus.SUSPENDED:
        trouble = plain(said(device.trouble))
        if not device.failures:  # it works, and says itself until when it wants nothing
            return WhyRow(True, fill(translate("Inspector", "%1 is %2"), device.id, trouble), remedies=again)
        text = translate("Inspector", "%1 is suspended after %2 in a row, and tried again in %3")
        left = remaining(max(0.0, device.until - asked.now))
        return WhyRow(True, fill(text, device.id, Plurals().failures(device.failures), left), trouble, remedies=again)
    if device.refusal:
        return _refused(asked, device)
    if (waits := seconds_left(device, asked.now)) is not None:
        outage = outage_text(silent_since(asked.run, device, asked.now), waits)
        return WhyRow(True, fill(translate("Inspector", "%1 is %2"), device.id, outage), remedies=again)
    return WhyRow(True, fill(translate("Inspector", "%1 is not connected"), device.id), remedies=again)


def _refused(asked: WhyQuestion, device: DeviceFacts) -> WhyRow:
    """The row of a device that refuses us: with the whole reason, or the way to the dialog that has it."""
    text = fill(translate("Inspector", "%1 is refused until somebody does something"), device.id)
    again = asked.offer(c.TryDeviceAgain(device_id=device.id))
    if not asked.other_key(device.id):
        return WhyRow(True, text, plain(said(device.refusal), _WHOLE), remedies=again)
    why = translate(
        "Inspector", "Its host key is another one than the one that is trusted: somebody may have come between."
    )
    compare = CompareKeyOffer(translate("Inspector", "Compare host key…"), device.id)
    return WhyRow(True, text, why, (compare, *again))


def _busy(asked: WhyQuestion, reason: Reason) -> WhyRow:
    full = full_devices(asked.task)
    if not full:
        return WhyRow(True, said(reason.text), said(reason.remedy))
    device = full[0]
    if device.status is DeviceStatus.TRIAL:
        text = fill(translate("Inspector", "%1 is on trial: one task at a time until one works"), device.id)
        return WhyRow(True, text, remedies=asked.offer(c.TryDeviceAgain(device_id=device.id)))
    remedies: list[Remedy] = []
    heard = {one.id: asked.unheard_since(one.id) for one in full}
    answering = [one for one in full if heard[one.id] is None]
    for one in answering[:_NAMED]:
        slots = _one_more(one.offered, one.taken)
        label = raise_label(one, slots, is_only=len(full) == 1)
        remedies += asked.offer(c.SetSlots(device_id=one.id, slots=slots), Icon.RAISE, label)
    detail = "\n".join(filter(None, (kept_text(full), away_text(asked.task))))
    late = next((one for one in full if heard[one.id] is not None), None)
    if late is not None:  # slots are of no use where nobody answers
        text = fill(
            translate("Inspector", "%1 was last heard at %2"), late.id, _since(asked.run, heard[late.id] or 0.0)
        )
        return WhyRow(True, text, _joined(full_text(full), detail), remedies=tuple(remedies))
    return WhyRow(True, full_text(full), detail, remedies=tuple(remedies))


def _in_line(_asked: WhyQuestion, _reason: Reason) -> WhyRow:
    return WhyRow(False, translate("Inspector", "It is in line and starts as soon as it is its turn"))


_ROWS: Final[dict[str, Callable[[WhyQuestion, Reason], WhyRow]]] = {
    "run_paused": _paused,
    "run_not_started": _not_begun,
    "run_limit": _run_limit,
    "global_limit": _fleet_limit,
    "held": _held,
    "breakpoint": _stopped,
    "has_breakpoint": _to_stop,
    "until": _beyond,
    "backing_off": _backing_off,
    "waiting_for": _parent,
    "fence": _fence,
    "gate": _gate,
    "group_full": _group,
    "no_device": _no_device,
    "device_unavailable": _unavailable,
    "devices_busy": _busy,
    "in_line": _in_line,
}


# ---- what is fine


def _fine(asked: WhyQuestion, blocking: set[str]) -> list[WhyRow]:
    run, task = asked.run, asked.task
    texts = _fine_parents(task) if task.status is TaskStatus.PENDING else []
    if task.status is TaskStatus.PENDING and not is_gate(run.facts, task.number):  # which takes neither slot nor limit
        if not blocking & {"no_device", "device_unavailable", "devices_busy"}:
            texts += _fine_device(task)
        if run.limit is not None and "run_limit" not in blocking:
            texts.append(fill(translate("Inspector", "Limit of the run: %1"), share(run.running, run.limit)))
        most = run.fleet.max_concurrency
        if most is not None and "global_limit" not in blocking:
            texts.append(fill(translate("Inspector", "Limit of all runs: %1"), share(run.fleet.running, most)))
    return [WhyRow(False, text) for text in texts]


def _fine_parents(task: TaskView) -> list[str]:
    count = len(task.parents)
    if task.answered == count:
        return [fill(translate("Inspector", "%1 said yes"), Plurals().parents(count))] if count else []
    return [fill(translate("Inspector", "%1 said yes, which is enough"), share(task.answered, count))]


def _fine_device(task: TaskView) -> list[str]:
    fields, none = task.fields, DeviceRequirements(None, frozenset(), None)
    wanted = none if fields is None else DeviceRequirements.of(fields, task.pin)
    for device in task.run.fleet.devices.values():
        if wanted.fits(device) and device.accepts and device.has_room():
            if device.slots is None:
                return [fill(translate("Inspector", "%1 fits and has room"), device.id)]
            free = Plurals().slots(device.slots - device.used - device.others)
            return [fill(translate("Inspector", "%1 fits and has %2 free"), device.id, free)]
    return []
