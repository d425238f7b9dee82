"""The palette pane: templates of new tasks, to be dragged onto the canvas or added with Return."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QVBoxLayout, QWidget
from typing_extensions import override

from starloom.errors import PlanError
from starloom_gui.editing.adding import GROUND, Site, site_of, site_words
from starloom_gui.editing.templates import TaskTemplate, kinds, ready_made
from starloom_gui.panels.palette_list import PaletteList
from starloom_gui.panels.palette_rows import PaletteRows, Shelf
from starloom_gui.text.words import fill, plain, tip
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.icons import Icon, icon
from starloom_gui.theme.metrics import CONTROL, GAPS
from starloom_gui.widgets.controls import Elided, button, line, mark, sheet, text
from starloom_gui.widgets.theme_changes import Restyling

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent

    from starloom.model.task import Task
    from starloom_gui.editing.adding import Planter
    from starloom_gui.editing.template_files import TemplateShelf
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

_MOST_SAID: Final = 90
"""Characters of what is wrong with a file; the tooltip has all of it."""
_LOW: Final = 160
"""Pixels below which the line at the bottom gives way."""


class PalettePane(QWidget):
    """The Palette: task kinds, ready-made templates and the user's own, with a search.

    Return or a double click adds a task: into the dependency between two selected tasks, after the current one, or
    without dependencies; the line at the bottom says which. Down goes from the search to the list, Escape empties it.

    Attributes:
        search: what is looked for.
        list: the templates.
        keep: keeps the selected task as a template.

    Signals:
        failed(str, str): what was not done, and why, as sentences.

    Args:
        shelf: the user's own templates.
        appearance: the colours.
        parent: the widget it lies in.
    """

    failed = Signal(str, str)

    def __init__(self, shelf: TemplateShelf, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shelf, self._appearance = shelf, appearance
        self._planter: Planter | None = None
        self._rows = PaletteRows()
        self._rows.setParent(self)
        self.search, self.keep = _Search(), button("", height=CONTROL)
        self.list = PaletteList(self._rows, appearance)
        self._problems = text(role=Role.SMALL, look="wrong")
        self._none = text(role=Role.SMALL, look="muted")
        self._where = Elided(role=Role.SMALL, look="muted")
        self._arrange()
        self._connect()
        self._say()
        Restyling(self, appearance, self._apply_theme)

    def _arrange(self) -> None:
        self.setObjectName("pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        top = QHBoxLayout()
        top.setContentsMargins(GAPS[2], GAPS[1], GAPS[2], GAPS[0])
        top.setSpacing(GAPS[0])
        top.addWidget(self.search, 1)
        top.addWidget(self.keep)
        self.keep.setFixedWidth(CONTROL)
        self.keep.setIconSize(QSize(16, 16))
        mark(self.keep, "verb")
        for label in (self._problems, self._none, self._where):
            label.setContentsMargins(GAPS[2], GAPS[0], GAPS[2], 6)
        column.addLayout(top)
        column.addWidget(self._problems)
        column.addWidget(self._none)
        column.addWidget(self.list, 1)
        self._foot = QWidget()
        foot = QVBoxLayout(self._foot)
        foot.setContentsMargins(0, 0, 0, 0)
        foot.setSpacing(0)
        foot.addWidget(line())
        foot.addWidget(self._where)
        column.addWidget(self._foot)
        self.setFocusProxy(self.search)
        QWidget.setTabOrder(self.search, self.list)
        QWidget.setTabOrder(self.list, self.keep)

    def _connect(self) -> None:
        self.search.textChanged.connect(self._show)
        self.search.left.connect(self._go_to_list)
        self.search.returnPressed.connect(self._add_first)
        self.list.chosen.connect(self.add)
        self.list.menu_asked.connect(self.open_menu)
        self.keep.clicked.connect(self.keep_selected)
        self._shelf.changed.connect(self._show)

    # ---- whose graph it is

    def set_planter(self, planter: Planter | None) -> None:
        """Set the planter of the graph in front, to which tasks are added; None: there is none.

        To be told of another one before the one it has is gone.
        """
        if self._planter is not None:
            for signal in (self._planter.selection.changed, self._planter.changed):
                signal.disconnect(self.refresh)
        self._planter = planter
        if planter is not None:
            for signal in (planter.selection.changed, planter.changed):
                signal.connect(self.refresh)
        self.refresh()

    def refresh(self, *_: object) -> None:
        """Update the sentence on where a task would be added."""
        if self.isVisible():
            facts = self._planter.facts() if self._planter is not None else None
            if facts is None or self._planter is None:
                self._where.setText(self.tr("Open a plan or a run to add tasks to it."))
            else:
                where = site_words(facts, site_of(facts, self._planter.selection))
                self._where.setText(fill(self.tr("Return adds it %1."), where))
            self._judge_keeping()

    def _judge_keeping(self) -> None:
        task = self._selected_task()
        self.keep.setEnabled(task is not None)
        why = self.tr("Select one task to keep it as a template.")
        word = fill(self.tr("Keep %1 as a template"), task.title) if task is not None else why
        self.keep.setToolTip(word)
        self.keep.setAccessibleDescription("" if task is not None else why)

    def _selected_task(self) -> Task | None:
        facts = self._planter.facts() if self._planter is not None else None
        numbers = self._planter.selection.now.numbers if self._planter is not None else frozenset()
        if facts is None or len(numbers) != 1 or (number := next(iter(numbers))) >= len(facts.graph.tasks):
            return None
        return facts.graph.tasks[number]

    # ---- doing

    def add(self, template: TaskTemplate) -> None:
        """Add a task of a template at the keyboard's place."""
        self._put(template, None)

    def _put(self, template: TaskTemplate, site: Site | None) -> None:
        if self._planter is None:
            self.failed.emit(self.tr("Nothing was added"), self.tr("Open a plan or a run first."))
        elif site is None:
            self._planter.ask_at_keys(template.make())
        else:
            self._planter.ask(template.make(), site)

    def keep_selected(self) -> None:
        """Keep the selected task as a template."""
        task = self._selected_task()
        if task is None:
            return
        try:
            name = self._shelf.save(task)
        except PlanError as error:
            self.failed.emit(self.tr("The template was not kept"), str(error.problems[0]))
            return
        self.search.clear()
        self.list.setCurrentIndex(self._rows.find(name))

    def _remove(self, template: TaskTemplate) -> None:
        try:
            self._shelf.remove(template.name)
        except PlanError as error:
            self.failed.emit(self.tr("The template was not deleted"), str(error.problems[0]))

    def open_menu(self, at: QPoint) -> QMenu:
        """Show the menu of the current template at a screen position."""
        menu, template, palette = QMenu(self), self.list.current, self._appearance.palette
        menu.aboutToHide.connect(menu.deleteLater)
        menu.setFont(font())
        if template is not None:
            facts = self._planter.facts() if self._planter is not None else None
            planter = self._planter
            site = site_of(facts, planter.selection) if facts is not None and planter is not None else GROUND
            for one in dict.fromkeys((site, GROUND)):
                words = site_words(facts, one) if facts is not None else self.tr("without dependencies")
                action = menu.addAction(icon(Icon.ADD, palette), fill(self.tr("Add %1"), words))
                action.setEnabled(facts is not None)
                action.triggered.connect(lambda _=False, place=one: self._put(template, place))
            if template in self._shelf.own:
                menu.addSeparator()
                action = menu.addAction(icon(Icon.REMOVE, palette), self.tr("Delete template"))
                action.triggered.connect(lambda: self._remove(template))
        menu.popup(at)
        return menu

    # ---- showing

    def _show(self) -> None:
        current = self.list.current
        shelves = (
            Shelf(self.tr("Kinds of tasks"), kinds()),
            Shelf(self.tr("Templates"), ready_made()),
            Shelf(self.tr("My templates"), self._shelf.own),
        )
        self._rows.show(shelves, self.search.text())
        if current is not None and not self.list.currentIndex().isValid():
            self.list.setCurrentIndex(self._rows.find(current.name))
        is_empty = not self._rows.rowCount()
        self._none.setVisible(is_empty)
        self.list.setHidden(is_empty)
        problems = self._shelf.problems
        passed_over = self.tr("%n template(s) could not be read.", "", len(problems))
        self._problems.setText(f"{passed_over} {plain(problems[0], _MOST_SAID)}" if problems else "")
        self._problems.setToolTip(tip("\n".join(problems)))
        self._problems.setVisible(bool(problems))

    def _go_to_list(self) -> None:
        if not self.list.currentIndex().isValid():
            self.list.setCurrentIndex(self._rows.first())
        self.list.setFocus(Qt.FocusReason.TabFocusReason)

    def _add_first(self) -> None:
        template = self.list.current if self.list.currentIndex().isValid() else None
        if template is None:
            index = self._rows.first()
            self.list.setCurrentIndex(index)
            template = self.list.current
        if template is not None:
            self.add(template)

    def _say(self) -> None:
        self.setAccessibleName(self.tr("Palette"))
        self.search.setPlaceholderText(self.tr("Find a template"))
        self.search.setAccessibleName(self.tr("Find a template"))
        self.list.setAccessibleName(self.tr("Templates"))
        self.list.setAccessibleDescription(self.tr("Return adds a task; it can also be dragged onto the graph"))
        self.keep.setAccessibleName(self.tr("Keep the selected task as a template"))
        self._none.setText(self.tr("No template is called that."))
        self._show()
        self.refresh()

    def _apply_theme(self, palette: Palette) -> None:
        self.setStyleSheet(sheet(palette) + f"QWidget#pane {{ background: {palette.panel}; }}")
        self.keep.setIcon(icon(Icon.TEMPLATE, palette))
        self.list.viewport().update()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._foot.setVisible(self.height() >= _LOW)  # below, templates need all the room there is

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._say()
        super().changeEvent(event)


class _Search(QLineEdit):
    """The field over the list.

    Signals:
        left: the user goes down into the list.
    """

    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFont(font())
        self.setFixedHeight(CONTROL)
        self.setClearButtonEnabled(False)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down:
            self.left.emit()
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)
