"""Makes the views of a document, one for each pane; says which changes each is notified of."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from starloom.scheduling.read.run_view import RunView
from starloom_gui.diff.plan_difference import head_of
from starloom_gui.editing.base import Mode
from starloom_gui.editing.ordering import Ordering
from starloom_gui.editing.plan_editor import PlanEditor
from starloom_gui.editing.run_editor import RunEditor
from starloom_gui.editing.trial import Trial
from starloom_gui.gateway.changes import FLEET
from starloom_gui.gateway.event_log import author_of
from starloom_gui.gateway.quiet_tasks import quiet_in
from starloom_gui.models.agent_stories import Stories
from starloom_gui.models.event_table import EventTable
from starloom_gui.models.outline import Outline
from starloom_gui.models.queue_table import QueueTable
from starloom_gui.models.task_table import TaskTable
from starloom_gui.panels.agent_corner import AgentsCorner
from starloom_gui.panels.agents import AgentsPane
from starloom_gui.panels.changes import ChangesPane
from starloom_gui.panels.difference import DifferencePane
from starloom_gui.panels.event_corner import EventsCorner
from starloom_gui.panels.events import EventsPane
from starloom_gui.panels.grid.corner import GridCorner
from starloom_gui.panels.grid.pane import GridPane
from starloom_gui.panels.inspector import Inspector
from starloom_gui.panels.note import PanePlaceholder
from starloom_gui.panels.open_requests import OpenRequests
from starloom_gui.panels.outline import OutlinePanel
from starloom_gui.panels.output import OutputPane
from starloom_gui.panels.output_corner import OutputCorner
from starloom_gui.panels.plots.corner import PlotsCorner
from starloom_gui.panels.plots.curves import RunCurves
from starloom_gui.panels.plots.pane import PlotsPane
from starloom_gui.panels.queue import QueuePane
from starloom_gui.panels.tasks import TasksPanel
from starloom_gui.panels.yaml_pane import YamlPane
from starloom_gui.text.words import translate
from starloom_gui.time_travel.fleet_age import fleet_age
from starloom_gui.time_travel.whole_log import trouble_of, whole_log
from starloom_gui.viewmodel.selection import there
from starloom_gui.viewmodel.task_fields import runs_again
from starloom_gui.widgets.view_stack import ViewStack
from starloom_gui.workspace.load import most_of
from starloom_gui.workspace.pane_views import View

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.scheduling.read.run_view import TaskView
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.diff.plan_diff import PlanDiff
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.gateway.output import OutputHub
    from starloom_gui.gateway.run_reader import RunReader
    from starloom_gui.panels.plots.time_range import TimeView
    from starloom_gui.viewmodel.roles import Facts
    from starloom_gui.viewmodel.selection import Selection
    from starloom_gui.workspace.source import DocumentSource, ViewContext


class ChangesGround(ViewStack):
    """The pane of a run's staged changes, or of its difference from a plan while the two are compared.

    Args:
        staged: what is staged.
        difference: what differs.
        against: the comparison.
    """

    def __init__(self, staged: ChangesPane, difference: DifferencePane, against: PlanDiff) -> None:
        super().__init__()
        self.staged, self.difference, self._against = staged, difference, against
        self.addWidget(difference)
        self.addWidget(staged)
        against.changed.connect(self._turn)
        self._turn()

    def _turn(self) -> None:
        self.bring(self.difference if self._against.beside is not None else self.staged)


def makers_of(
    source: DocumentSource, around: ViewContext, selection: Selection, against: PlanDiff | None = None
) -> dict[str, Callable[[], View]]:
    """What makes the view of each pane whose content is Qt's or painted rows, by pane."""
    given = source, around, selection
    return {
        "inspector": partial(_inspector, *given),
        "changes": partial(_changes, *given, against),
        "yaml": partial(_yaml, *given),
        "outline": partial(_outline, *given),
        "tasks": partial(_tasks, *given),
        "output": partial(_output, *given),
        "events": partial(_events, *given),
        "queue": partial(_queue, *given),
        "agents": partial(_agents, *given),
        "grid": partial(_grid, *given),
    }


def _inspector(source: DocumentSource, around: ViewContext, selection: Selection) -> View:
    reader = source.reader
    inspector = Inspector(
        around.appearance,
        selection,
        source.editor.view,  # staged tasks can be selected, too
        reader.now,
        source.gateway,
        reader.why,
        author=partial(author_of, reader.log),
        unfolded=around.unfolded,
        speedups=source.speedups,
        present=reader.view,
        quiet_since=partial(_quiet_since, source.reader, around.hub),
        unheard_since=lambda device_id: None if reader.is_past else around.unheard_since(device_id),
        other_key=lambda device_id: not reader.is_past and around.other_key(device_id),
    )
    inspector.fields.fixed = partial(_fixed, source)
    source.editor.changed.connect(inspector.refresh)  # the mode may be another
    return View(inspector, inspector.on_changes, _own(source))


def _with_staged(source: DocumentSource) -> Facts:
    """The tasks of a list: of the run with what is staged, and without what an agent only proposes."""
    editor = source.editor
    return partial(editor.facts, proposed=False) if isinstance(editor, RunEditor) else editor.facts


def _outline(source: DocumentSource, around: ViewContext, selection: Selection) -> View:
    rows = Outline(_with_staged(source), source.reader.now)
    outline = OutlinePanel(rows, around.appearance, selection)
    rows.setParent(outline)
    return View(outline, outline.on_changes, _own(source))


def _tasks(source: DocumentSource, around: ViewContext, selection: Selection) -> View:
    reader, editor = source.reader, source.editor
    rows = TaskTable(_with_staged(source), reader.now, quiet=partial(quiet_in, reader, around.hub))
    tasks = TasksPanel(rows, around.appearance, selection, editor.view, source.gateway)
    rows.setParent(tasks)
    return View(tasks, tasks.on_changes, _own(source), tasks.corner)


def _output(source: DocumentSource, around: ViewContext, selection: Selection) -> View:
    look, reader = around.appearance, source.reader
    moment = partial(_moment, reader)
    output = OutputPane(look, selection, source.editor.view, reader.now, around.hub, around.file_of, moment=moment)
    return View(output, output.on_changes, _own(source), OutputCorner(output, look))


def _events(source: DocumentSource, around: ViewContext, selection: Selection) -> View:
    look, reader, editor = around.appearance, source.reader, source.editor
    rows = EventTable(reader.log, reader.wall, reader.run)
    reverting = editor.reverting if isinstance(editor, RunEditor) else None
    events = EventsPane(look, selection, editor.facts, rows, source.run_id or source.key, reverting)
    rows.setParent(events)
    return View(events, events.on_changes, _own(source), EventsCorner(events, look))


def _queue(source: DocumentSource, around: ViewContext, selection: Selection) -> View:
    reader, editor = source.reader, source.editor
    rows = QueueTable(reader.in_line, reader.run, reader.why, name_of=around.name_of)
    queue = QueuePane(
        rows,
        around.appearance,
        selection,
        fleet=reader.fleet,
        run=reader.view,
        runs=lambda: map(RunView, reader.runs()),
        gateway=source.gateway,
        age=partial(fleet_age, reader),
        is_plan=not source.run_id,
    )
    rows.setParent(queue)
    if isinstance(editor, RunEditor):
        ordering = Ordering(editor, source.gateway, editor.run_facts, source.reorder, reader.run)
        queue.queue.set_ordering(ordering, Trial(editor, reader.wall, queue))
    return View(queue, queue.on_changes)


def _own(source: DocumentSource) -> tuple[str, ...]:
    """What a view of a run and its devices is told of."""
    return source.run_id, FLEET


def plots_of(source: DocumentSource, around: ViewContext, timeline: TimeView) -> View:
    """The plots of a run, which share the time of its timeline."""
    reader = source.reader
    curves = RunCurves(reader.facts, reader.now, reader.log, most_of, reader.fleet)
    speeds = lambda: {device.id: device.speed for device in reader.fleet().devices.values()}  # noqa: E731
    pane = PlotsPane(curves, timeline, around.appearance, speeds)
    return View(pane, pane.on_changes, _own(source), PlotsCorner(pane, around.appearance))


def _grid(source: DocumentSource, around: ViewContext, selection: Selection) -> View:
    """The pane of the last runs of a plan, or of that of a run; tasks that are selected are marked there."""
    reader = source.reader

    def plan() -> str:
        facts = reader.facts()
        return facts.name if facts is not None else ""

    def mark() -> None:
        run = reader.view()
        chosen = run.tasks(there(run, selection.now.numbers)) if run is not None else ()
        pane.mark(task.id for task in chosen)

    def runs() -> list[RunFacts]:
        """What the reader shows, at a moment this run alone, and the others as they are now."""
        shown = list(reader.runs())
        ids = {run.run_id for run in shown}
        return [*shown, *(run for run in around.runs() if run.run_id not in ids)]

    pane = GridPane(plan, runs, around.plan_runs, around.appearance, around.name_of, source.run_id)
    selection.changed.connect(mark)
    mark()
    return View(pane, pane.on_changes, (), GridCorner(pane, around.appearance), has_others=True)


def _changes(source: DocumentSource, around: ViewContext, selection: Selection, against: PlanDiff | None) -> View:
    """The pane of a run's staged changes; a placeholder for a plan, which takes edits at once."""
    editor = source.editor
    if isinstance(editor, RunEditor):
        reader, barred = source.reader, lambda: source.barred
        staged = ChangesPane(editor, around.appearance, selection, reader.now, reader.wall, barred)
        if against is None:
            return View(staged, staged.on_changes, _own(source))
        difference = DifferencePane(against, lambda: bool(editor.steps), around.appearance, selection)
        editor.changed.connect(difference.refresh)
        return View(ChangesGround(staged, difference, against), staged.on_changes, _own(source))
    words = translate("Changes", "Edits of a plan take effect at once. What is staged for a run stands here.")
    return View(PanePlaceholder(around.appearance, words), _ignore_changes)


def _yaml(source: DocumentSource, around: ViewContext, selection: Selection) -> View:
    editor = source.editor
    head = (lambda _run: editor.plan) if isinstance(editor, PlanEditor) else (lambda run: head_of(run.facts))
    pane = YamlPane(around.appearance, selection, editor.view, head)
    editor.changed.connect(pane.refresh)
    return View(pane, pane.on_changes, (source.run_id,))


def _moment(reader: RunReader) -> float | None:
    """The moment that is looked back to, in seconds since 1970; None: the present is shown."""
    return reader.wall(reader.now()) if reader.is_past else None


def _quiet_since(reader: RunReader, hub: OutputHub, task: TaskView) -> float | None:
    """Since when a task is quiet, in seconds since 1970; None: it is not, or a past moment is shown."""
    return None if reader.is_past else hub.quiet.get((task.run.run_id, task.id))


def _fixed(source: DocumentSource, task: TaskView | None) -> str:
    """The reason why no field of a task can be edited, None: of any; empty: it depends on what the task does.

    New values of an ended task run it again, which takes effect at once: nothing but a commit does so in Staged mode.
    """
    if source.reader.is_past:
        return translate("Inspector", "Not in the past")
    if source.read_only is not None:
        return translate("Inspector", "Only watched")
    is_staged = source.editor.mode is Mode.STAGED and task is not None and runs_again(task)
    return translate("Inspector", "In Live mode only") if is_staged else ""


def _agents(source: DocumentSource, around: ViewContext, selection: Selection) -> View:
    """The pane of a run's agents; a placeholder for a plan."""
    look, corner = around.appearance, AgentsCorner(around.appearance)
    if not isinstance(source.editor, RunEditor):
        words = translate("Agents", "Agents edit runs as their tasks end. Start the plan to attach one.")
        corner.bar(words)
        return View(PanePlaceholder(look, words), _ignore_changes, corner=corner)
    travel, log = source.travel, source.reader.log
    stories = Stories(log, source.run_id)
    if travel is not None:
        stories = Stories(log, source.run_id, partial(whole_log, travel), partial(trouble_of, travel))
    pane = AgentsPane(
        look,
        selection,
        clock=source.reader.now,
        requests=OpenRequests(log),
        stories=stories,
        asks=source.gateway,
        editor=source.editor,
        agent_of=source.agent,
        barred=lambda: source.barred,
    )
    if travel is not None:
        travel.changed.connect(pane.refresh)
    pane.attach_barred.connect(corner.bar)
    corner.attach_asked.connect(pane.attach_asked)
    return View(pane, pane.on_changes, (source.run_id,), corner)


def _ignore_changes(_changes: Changes) -> None:
    """Ignore changes, as the pane is notified by the editor."""
