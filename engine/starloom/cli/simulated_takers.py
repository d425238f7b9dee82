"""Warns that simulated devices of a served engine may take real tasks, of a plan or of those that run again."""

from __future__ import annotations

from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any, Final

from starloom.cli.screen import plain
from starloom.errors import StarloomError
from starloom.scheduling.read.pretence import pretence
from starloom.scheduling.read.tasks_to_do import run_again
from starloom.scheduling.scripts import tasks_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.cli.screen import Screen
    from starloom.model.plan import Plan
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom.server.client import EngineClient

AGAIN: Final = frozenset({"retry", "rerun_from"})
"""The words of commands that have tasks run again."""


def warn(devices: tuple[str, ...], whose: str, screen: Screen) -> None:
    """Say that simulated devices may take tasks, if there are such devices.

    Args:
        devices: their ids.
        whose: the tasks in the sentence, such as `its tasks`.
        screen: where to say so.
    """
    if devices:
        named = f"Simulated device{'s' if len(devices) > 1 else ''} {', '.join(devices)} of this engine"
        screen.note(
            plain(
                f"{named} may take {whose}, which would then only count as done. Bind tasks by `device` in "
                "the plan, or drain what is not to take any: `starloom do fleet drain-device ID`."
            ),
            "yellow",
        )


async def takers_of_plan(engine: EngineClient, plan: Plan) -> tuple[str, ...]:
    """The simulated devices that could take real tasks of a plan that does not name them; none, if nobody tells.

    Nothing else can be asked of the client from then on.
    """
    fleet = await _fleet(engine)
    return pretence(plan.tasks, fleet, {spec.id for spec in plan.devices}).devices if fleet else ()


async def takers_of_tasks(connect: Callable[[], EngineClient], run_id: str, form: Any) -> tuple[str, ...]:
    """The simulated devices that could take real tasks that a command would have run again; none, if nobody tells.

    Nothing is said of a run of which such devices have taken tasks: its operator knows.

    Args:
        connect: makes a client of the server.
        run_id: of the run.
        form: the command in plain JSON, which has not been given yet.
    """
    if not (isinstance(form, dict) and AGAIN.intersection(form)):
        return ()
    from starloom.formats.command_forms import read_command  # here, as other commands wait for no formats

    command = read_command(form, lambda *_: None)
    if command is None:
        return ()  # the server says what is wrong with it
    async with connect() as engine:
        fleet = await _fleet(engine)
    if fleet is None or not any(device.kind == "simulated" for device in fleet.devices.values()):
        return ()
    async with connect() as engine:
        run = await _run(engine, run_id)
    if run is None or run.simulated:
        return ()
    return pretence(run_again(run, tasks_of(command)), fleet, {spec.id for spec in run.devices}).devices


async def _fleet(engine: EngineClient) -> FleetFacts | None:
    with suppress(StarloomError):  # what was asked for is done all the same
        async with aclosing(engine.follow_fleet()) as following:
            async for replica, _ in following:
                return replica.fleet
    return None


async def _run(engine: EngineClient, run_id: str) -> RunFacts | None:
    with suppress(StarloomError):
        async with aclosing(engine.follow(run_id)) as following:
            async for replica, _ in following:
                return replica.view.run
    return None
