"""Which events are interventions, and whose."""

from __future__ import annotations

from starloom import events as ev
from starloom_gui.viewmodel.event_words import event_text
from starloom_gui.viewmodel.flags import Flag, flag_of, planted


def test_what_a_person_or_an_agent_does_is_a_flag() -> None:
    held = ev.TasksHeld(1, 5.0, "r", task_ids=("a",), origin="operator")
    edited = ev.ConstellationModified(2, 6.0, "r", origin="fixer")
    assert flag_of(held, lambda _: "Held a") == Flag(5.0, "Held a")
    stopped = ev.TaskStopping(3, 7.0, "r", task_id="a", cause="cancelled", origin="operator")
    assert flag_of(stopped, lambda _: "Cancelled a") == Flag(7.0, "Cancelled a"), (
        "its end, which comes later, is nobody's"
    )
    again = ev.TaskReset(4, 8.0, "r", task_id="a", origin="operator")
    assert flag_of(again, lambda _: "a is to run again") == Flag(8.0, "a is to run again")
    assert flag_of(edited, lambda _: "Edited") == Flag(6.0, "Edited", by_agent=True)


def test_what_the_engine_does_by_itself_is_none() -> None:
    assert flag_of(ev.TaskStopping(1, 5.0, "r", task_id="a", cause="timeout"), event_text) is None
    assert flag_of(ev.TaskReady(1, 5.0, "r", task_id="a"), event_text) is None
    assert flag_of(ev.LimitsChanged(1, 5.0, "r", origin="plan"), event_text) is None
    assert flag_of(ev.TaskSkipped(1, 5.0, "r", task_id="a", because="b"), event_text) is None


def test_what_one_turn_brought_is_one_flag() -> None:
    flags: list[Flag] = []
    for flag in (Flag(1.0, "a"), Flag(1.0, "b"), Flag(1.0, "c", by_agent=True), Flag(2.0, "d")):
        planted(flags, flag)
    assert [flag.text for flag in flags] == ["a", "c", "d"]
