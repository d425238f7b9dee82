"""The menu of the kinds of tasks that can be added at a site, e.g. where a dependency was released over empty space."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QToolTip
from typing_extensions import override

from starloom_gui.editing.adding import add_step
from starloom_gui.text.words import fill
from starloom_gui.theme.icons import icon
from starloom_gui.widgets.menu_heading import put_heading

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QAction, QKeyEvent
    from PySide6.QtWidgets import QWidget

    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.editing.adding import Site
    from starloom_gui.editing.base import Editor, Step
    from starloom_gui.editing.templates import TaskTemplate
    from starloom_gui.editing.trial import Trial
    from starloom_gui.theme.palette import Palette


class TaskKindsMenu(QMenu):
    """Offers a new task of each kind, connected; what the engine would refuse is disabled and says why.

    To be shown with `popup`, or put into another menu. A letter goes to the next entry that begins with it.

    Args:
        editor: of the graph.
        kinds: what there is.
        site: where the task is put; one without a task to come after is put before the other.
        done: is told the template that is wanted.
        palette: the colours.
        parent: of the menu.
        trial: says what an entry would change that is rested on; None: nothing is foreseen.
    """

    def __init__(
        self,
        editor: Editor,
        kinds: Sequence[TaskTemplate],
        site: Site,
        done: Callable[[TaskTemplate], None],
        palette: Palette,
        parent: QWidget,
        trial: Trial | None = None,
    ) -> None:
        super().__init__(parent)
        self._editor, self._site, self._done = editor, site, done
        self.setToolTipsVisible(True)
        facts = editor.facts()
        self.setTitle(self._heading(facts))
        put_heading(self, self.title())
        for template in kinds:
            action = self.addAction(icon(template.icon, palette), template.title)
            action.setData(template)
            self._judge(action, template)
        self.triggered.connect(self._choose)
        self._trial = trial
        self._tried: QAction | None = None
        if trial is not None:
            self.hovered.connect(self._try)
            trial.changed.connect(self._say_more)
            self.aboutToHide.connect(lambda: trial.ask(None))

    def _heading(self, facts: RunFacts | None) -> str:
        site = self._site
        names = [
            facts.graph.names.label(number) for number in (site.after, site.before) if facts and number is not None
        ]
        if len(names) == 2:
            return fill(self.tr("New task between %1 and %2"), *names)
        if not names:
            return self.tr("New task")
        return fill(self.tr("New task after %1") if site.before is None else self.tr("New task before %1"), names[0])

    def _judge(self, action: QAction, template: TaskTemplate) -> None:
        step = self._step(template)
        verdict = self._editor.verdict(step.edits) if step is not None else None
        action.setEnabled(verdict is not None and verdict.ok)
        tip = template.about if verdict is None or verdict.ok else f"{verdict.reason} {verdict.hint}".strip()
        action.setToolTip(tip)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        has_modifiers = bool(event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier)
        if has_modifiers or not event.text().strip() or not self._go_to(event.text().casefold()):
            super().keyPressEvent(event)

    def _go_to(self, letter: str) -> bool:
        """Highlight the next entry that can be chosen and begins with a letter; returns whether there is one."""
        actions, active = self.actions(), self.activeAction()
        here = actions.index(active) + 1 if active in actions else 0
        for action in (*actions[here:], *actions[:here]):
            is_entry = action.isEnabled() and action.data() is not None
            if is_entry and action.text().replace("&", "").casefold().startswith(letter):
                self.setActiveAction(action)
                return True
        return False

    def _try(self, action: QAction) -> None:
        """Request the projection with the task of an entry."""
        if self._trial is not None:
            can_be = action.isEnabled() and action.data() is not None
            self._tried = action if can_be else None
            self._trial.ask(self._step(action.data()) if can_be else None)

    def _say_more(self) -> None:
        """Show the projection beside the highlighted entry, also for the keyboard."""
        action = self._tried
        if self._trial is None or action is None or not self._trial.words:
            return
        words = "\n".join(filter(None, (action.data().about, self._trial.words)))
        action.setToolTip(words)
        QToolTip.showText(self.mapToGlobal(self.actionGeometry(action).bottomLeft()), words, self)

    def _step(self, template: TaskTemplate) -> Step | None:
        facts = self._editor.facts()
        return add_step(template.make(), facts, self._site) if facts is not None else None

    def _choose(self, action: QAction) -> None:
        if action.data() is not None:
            self._done(action.data())
