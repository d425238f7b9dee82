"""A run of forty tasks with all that a report can tell: failures, retries, skips, a cancel, edits, people, an agent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.driver import RUN, edge, plan, task
from tests.unit.reporting.story import Story

from starloom.constellation.edits import AddDependency, AddTask, UpdateTask
from starloom.scheduling import commands as c

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.events import Event

_TASKS: Final = {
    "sources": (12, "local"),
    "configure m4": (21, "local"),
    "configure host": (18, "local"),
    "toolchain": (15, "local"),
    "docs": (47, "local"),
    "lint": (17, "local"),
    "compile hal": (53, "build-1"),
    "compile net": (48, "build-1"),
    "compile ui": (42, "build-1"),
    "compile ble": (22, "build-1"),
    "compile usb": (40, "build-1"),
    "unit hal": (60, "build-1"),
    "unit net": (72, "build-1"),
    "unit usb": (63, "build-1"),
    "fuzz ui": (170, "build-1"),
    "unit ble": (30, "build-1"),
    "triage ble": (20, "local"),
    "bisect ble": (162, "build-1"),
    "link m4": (20, "local"),
    "link host": (19, "local"),
    "size diff": (42, "local"),
    "flash lab-a": (40, "lab-a"),
    "flash lab-b": (78, "lab-b"),
    "flash lab-c": (40, "lab-c"),
    "soak lab-a": (174, "lab-a"),
    "soak lab-b": (150, "lab-b"),
    "soak lab-c": (130, "lab-c"),
    "power lab-a": (92, "lab-a"),
    "power lab-b": (50, "lab-b"),
    "coverage": (64, "local"),
    "package m4": (28, "local"),
    "package host": (25, "local"),
    "sign": (11, "local"),
    "upload": (16, "local"),
    "changelog": (14, "local"),
    "licences": (13, "local"),
    "hotfix": (10, "local"),
    "notify": (9, "local"),
    "collect logs": (22, "local"),
    "report": (24, "local"),
}
"""Seconds of each task, and its device."""
_AFTER: Final = {
    "sources": ("configure m4", "configure host", "toolchain", "lint", "docs"),
    "toolchain": ("configure m4",),
    "configure m4": ("compile hal", "compile net", "compile ui", "compile ble"),
    "configure host": ("compile usb",),
    "compile hal": ("unit hal", "link m4"),
    "compile net": ("unit net", "link m4"),
    "compile ui": ("fuzz ui", "link m4"),
    "compile usb": ("unit usb", "link host"),
    "compile ble": ("unit ble", "triage ble>failure"),
    "triage ble": ("bisect ble",),
    "link m4": ("size diff", "flash lab-a", "flash lab-b", "flash lab-c", "package m4"),
    "link host": ("package host",),
    "flash lab-a": ("soak lab-a",),
    "flash lab-b": ("soak lab-b",),
    "flash lab-c": ("soak lab-c",),
    "soak lab-a": ("power lab-a", "collect logs"),
    "soak lab-b": ("power lab-b", "collect logs"),
    "soak lab-c": ("collect logs",),
    "power lab-b": ("collect logs>always",),
    "unit hal": ("coverage",),
    "unit net": ("coverage",),
    "unit usb": ("coverage",),
    "package m4": ("sign",),
    "package host": ("sign",),
    "sign": ("upload",),
    "docs": ("changelog",),
    "changelog": ("licences",),
    "upload": ("hotfix",),
    "unit ble": ("notify",),
    "collect logs": ("report",),
}
_SAID: Final = "cc -c ble/phy.c\nble/phy.c:218:9: error: 'BLE_TX_MAX' undeclared\nmake: *** [ble/phy.o] Error 2\n"


def forty() -> list[Event]:
    """The events of the run: forty tasks on five devices, one more by an edit, six interventions."""
    wanted = plan(
        [
            task(name, device=device, retry=int(name in {"compile ble", "flash lab-c"}))
            for name, (_, device) in _TASKS.items()
        ],
        [f"{parent}>{child}" for parent, children in _AFTER.items() for child in children],
    )
    story = Story({"local": 4, "build-1": 4, "lab-a": 1, "lab-b": 1, "lab-c": 1}, wanted)
    steering = _steering(story)
    seconds = {name: took for name, (took, _) in _TASKS.items()} | {"soak c 2/2": 92}
    ends: dict[str, float] = {}
    while True:
        for _, name in story.driver.ordered:
            ends.setdefault(name, story.driver.now + seconds[name])
        next_end = min(ends.values(), default=None)
        if steering and (next_end is None or steering[0][0] <= next_end):
            at, steer = steering.pop(0)
            story.driver.advance(max(0.0, at - story.driver.now))
            steer()
        elif next_end is None:
            return story.events
        else:
            story.driver.advance(next_end - story.driver.now)
            ended = min(ends, key=lambda name: ends[name])
            del ends[ended]
            _end(story, ended)


def _end(story: Story, name: str) -> None:
    attempt = story.driver.ordered[(RUN, name)].attempt
    if name == "compile ble":
        story.fail(name, _SAID)
    elif name == "flash lab-c" and attempt == 1:
        story.fail(name, "no answer from probe\n", 1, "It exited with 1.")
    else:
        story.driver.end(name)


def _steering(story: Story) -> list[tuple[float, Callable[[], Any]]]:
    """What people and an agent do, and when."""
    edits = (
        AddTask(task("soak c 2/2", device="lab-a")),
        AddDependency(edge("flash lab-c", "soak c 2/2")),
        AddDependency(edge("soak c 2/2", "collect logs")),
        UpdateTask("soak lab-c", timeout=300.0),
        UpdateTask("collect logs", estimate=20.0),
    )
    me, rules = "operator", "agent:rules"
    why = "the lab closes at three"
    drain = c.DrainDevice(device_id="build-1", origin=me, reason="its fan is loud")
    return [
        (60.0, lambda: story.ask(c.SetPriority, "flash lab-c", priority=80, origin=me, reason=why)),
        (128.0, lambda: story.ask(c.CancelTasks, "hotfix", origin=rules, reason="not needed any more")),
        (150.0, lambda: story.driver.edit(*edits, reason="half the soak is enough", origin=me)),
        (190.0, lambda: story.driver.do(drain)),
        (300.0, lambda: story.ask(c.HoldTasks, "power lab-b", origin=rules, reason="its battery is hot")),
        (388.0, lambda: story.ask(c.ReleaseTasks, "power lab-b", origin=rules)),
    ]
