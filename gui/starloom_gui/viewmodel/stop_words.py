"""What happens at gates and breakpoints, and when a run goes step by step, as sentences; see `event_words`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starloom import events as ev
from starloom_gui.text.words import fill, plain, tasks, translate

if TYPE_CHECKING:
    from collections.abc import Callable


def _opened(event: ev.GateOpened) -> str:
    return fill(translate("Events", "%1 waits for a person to answer"), event.task_id)


def _answered(event: ev.GateAnswered) -> str:
    texts = {
        "rejected": translate("Events", "%1 was rejected"),
        "proceeded": translate("Events", "%1 went on, as nobody answered in time"),
        "skipped": translate("Events", "%1 is skipped, as nobody answered in time"),
        "aborted": translate("Events", "%1 ends the run, as nobody answered in time"),
    }
    text = fill(texts.get(event.how, translate("Events", "%1 was approved")), event.task_id)
    return fill("%1 (%2)", text, plain(event.note)) if event.note and event.origin != "engine" else text


def _several(one: str, many: str, event: Any) -> str:
    ids = event.task_ids
    return fill(one, ids[0]) if len(ids) == 1 else fill(many, tasks(len(ids)))


def _set(event: ev.BreakpointsSet) -> str:
    if event.is_set:
        return _several(translate("Events", "%1 has a breakpoint"), translate("Events", "Breakpoints on %1"), event)
    one = translate("Events", "%1 has no breakpoint any more")
    return _several(one, translate("Events", "No breakpoints on %1 any more"), event)


def _reached(event: ev.BreakpointReached) -> str:
    return fill(translate("Events", "%1 has stopped at its breakpoint"), event.task_id)


def _until(event: ev.RunUntilSet) -> str:
    if not event.task_ids:
        return translate("Events", "The run goes on for everything")
    one = translate("Events", "The run goes on until %1")
    return _several(one, one, event)


def _stepped(event: ev.RunStepped) -> str:
    return fill(translate("Events", "One step: %1"), event.task_id)


STOP_TEXTS: Final[dict[type[ev.Event], Callable[[Any], str]]] = {
    ev.GateOpened: _opened,
    ev.GateAnswered: _answered,
    ev.BreakpointsSet: _set,
    ev.BreakpointReached: _reached,
    ev.RunUntilSet: _until,
    ev.RunStepped: _stepped,
}
