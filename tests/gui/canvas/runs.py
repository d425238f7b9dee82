"""Runs to look at: the one of the mock-ups, and large ones, with facts made by a scheduler that is driven by hand."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Final

from tests.driver import Driver, edge, outcome, task

from starloom.layout import LayoutGraph, layout
from starloom.model.plan import Plan
from starloom.scheduling.state import codes
from starloom.scheduling.state.run_facts import YES
from starloom.testing import layered
from starloom_gui.canvas.arranging import LayoutInput
from starloom_gui.canvas.render_model import GraphRenderModel

if TYPE_CHECKING:
    from starloom.layout import Layout
    from starloom.model.task import Task
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.canvas.arranging import LayoutOptions

FIRMWARE: Final = """
sources toolchain style_rules | licences configure_r5 configure_m4 lint |
compile_hal compile_net compile_os compile_usb compile_ui compile_ble docs |
unit_hal unit_net link_r5 link_m4 unit_usb fuzz_ui unit_ble triage_ble |
coverage size_diff sign_image flash_lab-a flash_lab-b flash_lab-c bisect_ble |
merge_cov power_lab-b soak_lab-a soak_lab-b soak_lab-c hotfix | gate collect_logs | release report notify
"""
EDGES: Final = """
sources>licences sources>configure_r5 sources>configure_m4 toolchain>configure_r5 toolchain>configure_m4
style_rules>lint configure_r5>compile_hal configure_r5>compile_net configure_r5>compile_os
configure_m4>compile_usb configure_m4>compile_ui configure_m4>compile_ble lint>docs
compile_hal>unit_hal compile_net>unit_net compile_hal>link_r5 compile_net>link_r5 compile_os>link_r5
compile_usb>link_m4 compile_ui>link_m4 compile_usb>unit_usb compile_ui>fuzz_ui
compile_ble>unit_ble compile_ble>triage_ble>failure unit_hal>coverage unit_net>coverage unit_usb>coverage
link_r5>size_diff link_m4>size_diff link_r5>sign_image link_m4>sign_image link_m4>flash_lab-a
link_r5>flash_lab-b link_m4>flash_lab-c triage_ble>bisect_ble>value_>_0 coverage>merge_cov size_diff>merge_cov
flash_lab-b>power_lab-b flash_lab-a>soak_lab-a flash_lab-b>soak_lab-b flash_lab-c>soak_lab-c
bisect_ble>hotfix>value_>_0 merge_cov>gate sign_image>gate power_lab-b>gate
soak_lab-a>collect_logs>always soak_lab-b>collect_logs>always soak_lab-c>collect_logs>always hotfix>collect_logs>always
gate>release>value_>_0 gate>report collect_logs>report>always collect_logs>notify>failure
"""
PATH: Final = [
    "sources",
    "configure_m4",
    "compile_ui",
    "link_m4",
    "flash_lab-c",
    "soak_lab-c",
    "collect_logs",
    "report",
]
TIMES: Final = {
    "sources": 12,
    "toolchain": 17,
    "style_rules": 8,
    "licences": 15,
    "configure_r5": 18,
    "configure_m4": 21,
    "lint": 25,
    "compile_hal": 55,
    "compile_net": 50,
    "compile_os": 38,
    "compile_usb": 46,
    "compile_ui": 42,
    "docs": 48,
    "unit_hal": 62,
    "unit_net": 74,
    "link_r5": 22,
    "link_m4": 20,
    "unit_usb": 65,
    "triage_ble": 18,
    "sign_image": 28,
    "flash_lab-a": 42,
}
ON: Final = {
    **dict.fromkeys(("compile_hal", "compile_net", "compile_ui", "unit_hal", "unit_net", "fuzz_ui"), "build-1"),
    **dict.fromkeys(("size_diff", "bisect_ble", "compile_ble"), "build-1"),
    **{f"{what}_lab-{x}": f"lab-{x}" for what in ("flash", "soak") for x in "abc"},
}
RUNNING: Final = {"fuzz_ui": 126, "size_diff": 20, "flash_lab-b": 66, "soak_lab-a": 64, "bisect_ble": 82}
EXPECTED: Final = {"fuzz_ui": 160, "size_diff": 38, "flash_lab-b": 75, "soak_lab-a": 130}
GROUPS: Final = {
    "Build": ("configure", "compile", "link", "sign"),
    "Tests": ("unit", "fuzz", "coverage", "merge_cov", "lint"),
    "Lab": ("flash", "power", "soak"),
    "Triage": ("triage", "bisect", "hotfix"),
}
PRIORITIES: Final = {"size_diff": "background", "flash_lab-c": "critical"}
NOW: Final = 500.0


def number_of(facts: RunFacts, id: str) -> int:
    """The number of a task."""
    return facts.graph.place[id]


def pose(facts: RunFacts, id: str, status: int, **fields: Any) -> None:
    """Write a moment into facts, as the fold of a long story would have left it."""
    number = number_of(facts, id)
    facts.status[number] = status
    for name, value in fields.items():
        getattr(facts, name)[number] = value


def firmware() -> RunFacts:
    """The run of the mock-ups, at the moment they show."""
    driver = Driver(devices=("local", "build-1", "lab-a", "lab-b", "lab-c"), checked=False)
    facts = driver.create(_firmware_plan())
    for id in facts.graph.place:
        pose(facts, id, codes.WAITING, device_of=None)
    for id, seconds in TIMES.items():
        where = ON.get(id, "local")
        pose(facts, id, codes.COMPLETED, device_of=where, started_at=100.0, ended_at=100.0 + seconds)
    for id, seconds in RUNNING.items():
        pose(facts, id, codes.RUNNING, device_of=ON[id], started_at=NOW - seconds)
    failed = outcome(ok=False, exit_code=2).result
    pose(facts, "compile_ble", codes.FAILED, device_of="build-1", results=failed, tries=2)
    pose(facts, "unit_ble", codes.SKIPPED, skipped_because=number_of(facts, "compile_ble"))
    pose(facts, "hotfix", codes.CANCELLED, reasons="by agent")
    pose(facts, "coverage", codes.PENDING, ready_at=NOW - 62)
    pose(facts, "flash_lab-c", codes.PENDING, backoff=NOW + 12)
    facts.held.add(number_of(facts, "power_lab-b"))
    facts.fleet.groups["licences"] = facts.fleet.group_used["licences"] = 1
    for pair, dependency in facts.graph.special.items():
        if dependency.condition is not None:
            facts.verdicts[pair] = facts.status[pair[0]] == codes.COMPLETED
    for number, parents in enumerate(facts.graph.parents):
        facts.unmet[number] = sum(facts.answer(parent, number) != YES for parent in parents)
    return facts


def _firmware_plan() -> Plan:
    edges = []
    for text in EDGES.split():
        parent, child, *kind = text.split(">", 2)
        wanted = kind[0] if kind else "success"
        conditional = wanted.startswith("value")
        edges.append(edge(parent, child, condition="value > 0.8") if conditional else edge(parent, child, wanted))
    ids = FIRMWARE.replace("|", " ").split()
    return Plan(name="firmware", tasks=tuple(_task(id) for id in ids), dependencies=tuple(edges))


def group_name(id: str) -> str:
    """The group that the plan puts a task in; empty: in none."""
    return next((name for name, begins in GROUPS.items() if id.startswith(begins)), "")


def _task(id: str) -> Task:
    fields: dict[str, Any] = {"name": id.replace("_", " "), "estimate": EXPECTED.get(id)}
    group = group_name(id)
    if group:
        fields["metadata"] = {"group": group}
    if id in PRIORITIES:
        fields["priority"] = PRIORITIES[id]
    if id in ("coverage", "fuzz_ui"):
        fields["groups"] = "licences"
    if id in ("flash_lab-c", "compile_ble"):
        fields["retry"] = 1
    return task(id, **fields)


def regression(layers: int = 46, width: int = 44, seed: int = 3) -> RunFacts:
    """A run of 2,000 tasks or so, half of it done, with three failures; wide in the middle."""
    draw = random.Random(seed)
    driver = Driver(devices=("farm",), checked=False)
    facts = driver.create(layered(layers, width))
    for number, id in enumerate(facts.graph.ids):
        layer = int(id[1:].partition("-")[0])
        share = layer / layers - abs(number % width - width / 2) / width * 0.1
        late = codes.PENDING if draw.random() < 0.6 else codes.RUNNING
        status = codes.COMPLETED if share < 0.52 else late if share < 0.56 else codes.WAITING
        pose(facts, id, status, device_of="farm" if status > codes.PENDING else None, ended_at=30.0)
    for number in (8 * width + 12, 24 * width + 20, 17 * width + 32):
        pose(facts, facts.graph.ids[number], codes.FAILED, results=outcome(ok=False, exit_code=139).result)
    pose(facts, facts.graph.ids[30 * width + 30], codes.CANCELLED)
    for number in range(24 * width + 22, 24 * width + 26):
        pose(facts, facts.graph.ids[number], codes.SKIPPED)
    return facts


def run_of(plan: Plan) -> RunFacts:
    """The facts of a run of a plan, as they are at its start on one device without limits."""
    return Driver(checked=False).create(plan)


def picture_of(facts: RunFacts, **fields: Any) -> GraphRenderModel:
    """A picture with a layout of its own."""
    return GraphRenderModel(facts, layout(LayoutGraph.of(facts.graph), **fields))


def arranged(facts: RunFacts, wanted: LayoutOptions, previous: Layout | None = None) -> GraphRenderModel:
    """A picture with an arrangement, going on from a layout before."""
    shape = LayoutInput.of(facts, wanted)
    return GraphRenderModel(facts, shape.laid_out(previous), shape.folded)


def path_of(facts: RunFacts) -> list[int]:
    """What decides when the firmware is finished."""
    return [number_of(facts, id) for id in PATH]
