"""The present limits as values: how much of each is used, and the command that changes it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from starloom.scheduling.commands import Command, SetLimits, SetRunLimit, SetSlots
from starloom_gui.specs.plan_commands import SetPlanGroupLimit
from starloom_gui.text.words import translate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom.scheduling.read.run_view import RunView
    from starloom.scheduling.state.device_facts import DeviceFacts
    from starloom.scheduling.state.fleet_facts import FleetFacts


class LimitPart(StrEnum):
    """The kinds of limits."""

    RUNNING = "running"
    DEVICE = "device"
    PLAN_GROUP = "plan_group"
    """As a plan says it that is not started."""
    GROUP = "group"


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitLine:
    """The value and use of one limit at one moment.

    Attributes:
        part: what it is of.
        name: of the device, the group or the run; empty: the limit of all runs.
        run_id: of the run, or the key of the plan, whose limit it is; empty: it is the fleet's.
        label: what is read before it.
        used: how many there are now, of all runs where it is theirs; None: it is a plan's, which runs nothing itself.
        most: how many there may be; None: as many as want to.
        optional: whether there may be none.
    """

    part: LimitPart
    name: str
    label: str
    used: int | None
    most: int | None
    optional: bool
    run_id: str = ""

    @property
    def key(self) -> tuple[LimitPart, str]:
        """The identity of the limit, which stays while its figures change."""
        return self.part, self.name

    def command(self, most: int | None) -> Command:
        """The command that sets another limit.

        Args:
            most: as many; None: as many as want to, where there may be none.
        """
        if self.part is LimitPart.PLAN_GROUP:
            return SetPlanGroupLimit(run_id=self.run_id, group=self.name, limit=most)
        if self.part is LimitPart.GROUP:
            return SetLimits(groups={self.name: most})
        if self.part is LimitPart.RUNNING:
            return SetRunLimit(run_id=self.name, max_concurrency=most) if self.name else SetLimits(max_concurrency=most)
        assert most is not None, "a device has slots"
        return SetSlots(device_id=self.name, slots=most)


def limit_lines(fleet: FleetFacts, run: RunView | None, *, is_plan: bool = False) -> tuple[LimitLine, ...]:
    """All limits there are: of all runs, of this one, of each device, of each group that is limited or in use.

    Args:
        fleet: the devices, and what limits all runs.
        run: the one that is shown; None: none is.
        is_plan: whether that is a plan that is not started, whose own limits of groups are listed, too.
    """
    own = () if run is None else (this_plan(run), *_of_plan(run)) if is_plan else (this_run(run),)
    return (all_runs(fleet), *own, *_of_devices(fleet), *_of_groups(fleet))


def all_runs(fleet: FleetFacts) -> LimitLine:
    """The limit of the whole fleet."""
    return LimitLine(
        part=LimitPart.RUNNING,
        name="",
        label=translate("Limits", "All runs"),
        used=fleet.running + fleet.others,
        most=fleet.max_concurrency,
        optional=True,
    )


def this_run(run: RunView) -> LimitLine:
    """The limit of one run."""
    return LimitLine(
        part=LimitPart.RUNNING,
        name=run.run_id,
        label=translate("Limits", "This run"),
        used=run.running,
        most=run.limit,
        optional=True,
    )


def this_plan(plan: RunView) -> LimitLine:
    """The limit that a plan says for its runs."""
    return replace(this_run(plan), label=translate("Limits", "Each run of this plan"), used=None)


def _of_devices(fleet: FleetFacts) -> Iterator[LimitLine]:
    yield from map(device_slots, fleet.devices.values())


def device_slots(device: DeviceFacts) -> LimitLine:
    """The slots of a device."""
    return LimitLine(
        part=LimitPart.DEVICE,
        name=device.id,
        label=device.id,
        used=device.taken,
        most=device.offered,
        optional=False,
    )


def _of_plan(plan: RunView) -> Iterator[LimitLine]:
    """The limit groups of a plan: those that its tasks are in, and those that it limits."""
    for group in sorted({*plan.facts.limits.groups, *groups_of_tasks(plan)}):
        yield LimitLine(
            part=LimitPart.PLAN_GROUP,
            name=group,
            label=group,
            used=None,
            most=plan.facts.limits.groups.get(group),
            optional=True,
            run_id=plan.run_id,
        )


def groups_of_tasks(run: RunView) -> set[str]:
    """The limit groups in which any task of a run or plan is."""
    return {name for task in run.graph.tasks if task is not None for name in task.groups}


def _of_groups(fleet: FleetFacts) -> Iterator[LimitLine]:
    for group in sorted({*fleet.groups, *fleet.group_used}):
        yield LimitLine(
            part=LimitPart.GROUP,
            name=group,
            label=group,
            used=fleet.group_used.get(group, 0),
            most=fleet.groups.get(group),
            optional=True,
        )


def part_title(part: LimitPart) -> str:
    """The title of a part."""
    return {
        LimitPart.RUNNING: translate("Limits", "Running at once"),
        LimitPart.DEVICE: translate("Limits", "Slots of devices"),
        LimitPart.PLAN_GROUP: translate("Limits", "Limit groups of this plan"),
        LimitPart.GROUP: translate("Limits", "Limit groups of all runs"),
    }[part]
