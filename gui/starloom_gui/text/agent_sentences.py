"""The sentences of the engine about the terms of agents; see `engine_sentences`."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QT_TRANSLATE_NOOP

AGENT_SENTENCES: Final = (
    QT_TRANSLATE_NOOP("Engine", "%1 lies outside the scope of the agent: %2."),
    QT_TRANSLATE_NOOP(
        "Engine", "The agent may change only what its scope holds; attach it with a wider one if that is intended."
    ),
    QT_TRANSLATE_NOOP("Engine", "The condition of agent %1: %2"),
    QT_TRANSLATE_NOOP("Engine", "Write it anew."),
    QT_TRANSLATE_NOOP("Engine", "Agent %1 would not be asked about any task."),
    QT_TRANSLATE_NOOP("Engine", "Name tasks, and of their ends completed, failed or both."),
    QT_TRANSLATE_NOOP("Engine", "The scope of agent %1 cannot be %2 with %3 names."),
    QT_TRANSLATE_NOOP("Engine", "Give names to group and tasks, and none to all and descendants."),
    QT_TRANSLATE_NOOP("Engine", "must be a scope, such as {tasks: build-*}, not %1."),
    QT_TRANSLATE_NOOP(
        "Engine", "Use all, descendants, group with names of limit groups, or tasks with ids or patterns."
    ),
    QT_TRANSLATE_NOOP("Engine", "must be what becomes of an edit that comes too late, not %1."),
    QT_TRANSLATE_NOOP("Engine", "Use one of drop, replace, next_attempt."),
    QT_TRANSLATE_NOOP("Engine", "It waits until %1 has been stopped, as edits by %2 replace both."),
    QT_TRANSLATE_NOOP("Engine", "Wait, or cancel what is being stopped."),
    QT_TRANSLATE_NOOP("Engine", "must be a list of agents, not %1."),
    QT_TRANSLATE_NOOP("Engine", "says no name."),
    QT_TRANSLATE_NOOP("Engine", "Give the name under which the agent is attached, e.g. rules."),
    QT_TRANSLATE_NOOP("Engine", "%1 is there twice."),
    QT_TRANSLATE_NOOP("Engine", "Keep one of them."),
)
