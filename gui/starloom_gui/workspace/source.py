"""The source of a document view, and the context that all views share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from starloom_gui.gateway.plan_runs import PlanRuns
from starloom_gui.time_travel.read_only_gateway import refusal_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from pathlib import Path

    from PySide6.QtCore import QPoint

    from starloom.agents.base import Agent
    from starloom.foresight.projection import Projection
    from starloom.foresight.speedups import Speedups
    from starloom.scheduling.read.queue_reorder import QueueReorder
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.editing.plan_editor import PlanEditor
    from starloom_gui.editing.run_editor import RunEditor
    from starloom_gui.editing.templates import TaskTemplate
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.gateway.feed import Feed
    from starloom_gui.gateway.output import OutputHub
    from starloom_gui.gateway.run_reader import RunReader
    from starloom_gui.panels.open_parts import OpenParts
    from starloom_gui.specs.action_spec import Verdict
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.time_travel.travel import Travel
    from starloom_gui.viewmodel.device_spot import DeviceSpot
    from starloom_gui.workspace.run_layout import RunLayout
    from starloom_gui.workspace.run_staging import RunStaging
    from starloom_gui.workspace.run_typed import RunTyped


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentSource:
    """The source of a document view: a run, or a plan that is not run.

    Attributes:
        key: its name among the tabs.
        run_id: what feeds know it by; empty: it is no run.
        reader: what panes read of it, now or at the moment that is shown.
        gateway: what verbs and edits are sent by.
        editor: carries edits out, and takes them back.
        layout: keeps where nodes were placed; the editor itself for a plan.
        folder: gives where a run keeps what belongs to it; None: nowhere, or it is none.
        staging: keeps what is staged; None: nothing is ever staged.
        typed: keeps what is typed and not set; None: that is not kept.
        reorder: gives the ready queue as a task could move in it; None: it does not stand there.
        agent: gives an agent that was attached by its name.
        feed: makes a feed of these run ids, of everything if none is named; None: nothing ever changes by itself.
        foresee: makes a projection; None: nothing is foreseen.
        speedups: tries what would let it end earlier; None: nothing does.
        travel: goes through its past; None: it has none.
        read_only: why nothing of it can be changed at any moment; None: it can.
    """

    key: str
    run_id: str = ""
    reader: RunReader
    gateway: CommandGateway
    editor: RunEditor | PlanEditor
    layout: RunLayout | PlanEditor
    folder: Callable[[], Path | None] = lambda: None
    staging: RunStaging | None = None
    typed: RunTyped | None = None
    reorder: Callable[[int], QueueReorder | None] = lambda _: None
    agent: Callable[[str], Agent | None] = lambda _: None
    feed: Callable[..., Feed] | None = None
    foresee: Callable[[], Awaitable[Projection]] | None = None
    speedups: Callable[[], Awaitable[Speedups]] | None = None
    travel: Travel | None = None
    read_only: Verdict | None = None

    @property
    def barred(self) -> Verdict | None:
        """The reason why nothing can be changed: it is a past moment, or it is only watched; None: it can."""
        past = refusal_of(self.travel.reader) if self.travel is not None else None
        return past or self.read_only


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewContext:
    """The dependencies that all document views of a console share.

    Attributes:
        appearance: the colours.
        hub: what tasks print.
        kinds: gives what a new task can begin as.
        name_of: gives what a run is called on the screen, by its id and the name of its plan.
        device_at: gives the device whose card is at a place of the screen; None: there is no card.
        unfolded: the parts of the inspectors' forms that are unfolded; None: each has its own.
        file_of: gives where the whole output of an attempt of a task of a run is; None: nowhere.
        plan_runs: reads the last runs of plans.
        runs: gives the runs that are in memory, as they are now.
        feed: makes a feed of these, for views that show other runs, too; None: nothing tells of them.
        unheard_since: gives when a device that has missed a sign of life was last heard, on the engine's clock; None:
            it has missed none.
        other_key: gives whether a device is refused for another host key, which can be trusted here.
    """

    appearance: Appearance
    hub: OutputHub
    kinds: Callable[[], Sequence[TaskTemplate]]
    file_of: Callable[[str, str, int], Path | None]
    name_of: Callable[[str, str], str] = lambda run_id, name: name or run_id
    device_at: Callable[[QPoint], DeviceSpot | None] = lambda _screen: None
    unfolded: OpenParts | None = None
    plan_runs: PlanRuns = field(default_factory=PlanRuns)
    runs: Callable[[], Sequence[RunFacts]] = tuple
    feed: Callable[..., Feed] | None = None
    unheard_since: Callable[[str], float | None] = lambda _device_id: None
    other_key: Callable[[str], bool] = lambda _device_id: False
