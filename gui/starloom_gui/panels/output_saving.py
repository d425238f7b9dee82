"""Saving output to a file, and the menu of the lines."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QIODevice, QObject, QSaveFile, Signal
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from starloom_gui.panels.output_file import OutputCopy
from starloom_gui.text.words import fill, translate
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.icons import Icon, icon
from starloom_gui.widgets.file_dialog import FileDialog

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.models.output_lines import OutputLines
    from starloom_gui.panels.output_comparing import OutputComparing
    from starloom_gui.panels.output_source import OutputSource
    from starloom_gui.panels.output_view import OutputView
    from starloom_gui.theme.palette import Palette


class Saver(QObject):
    """Saves the whole output of the attempt that is shown: its file as it is or, if it has none, the lines.

    Signals:
        saved(Path): it is there.
        failed(str): it is not, and what was there before still is; a sentence.

    Args:
        source: which output.
        lines: what is kept of it.
        parent: the widget that dialogs lie over.
    """

    saved = Signal(object)
    failed = Signal(str)

    def __init__(self, source: OutputSource, lines: OutputLines, parent: QWidget) -> None:
        super().__init__(parent)
        self._source, self._lines, self._over = source, lines, parent

    def ask(self) -> QFileDialog | None:
        """Open the dialog that asks for a file to save to; None: there is nothing to save."""
        of = self._source.of
        if of is None:
            return None
        dialog = FileDialog(self._over, self.tr("Save output"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters([self.tr("Text files (*.txt *.log)"), self.tr("All files (*)")])
        dialog.setDefaultSuffix("txt")
        dialog.selectFile(re.sub(r"[^\w.-]", "_", f"{of.task_id}-{of.attempt}.txt"))
        dialog.fileSelected.connect(lambda name: self.save(Path(name)))
        dialog.open()
        return dialog

    def save(self, target: Path) -> None:
        """Save to a file; a signal tells the result."""
        path = self._source.path
        if path is None:
            self._end(target, self._write(target))
            return
        copying = OutputCopy(path, target, self)
        copying.ended.connect(lambda trouble: self._end(target, trouble))
        copying.start()

    def _write(self, target: Path) -> str:
        """Write the lines; returns why that failed, empty if it did not."""
        file = QSaveFile(str(target))
        data = (self._lines.text() + "\n").encode("utf-8", "replace")
        if file.open(QIODevice.OpenModeFlag.WriteOnly) and file.write(data) == len(data) and file.commit():
            return ""
        return file.errorString()

    def _end(self, target: Path, trouble: str) -> None:
        if trouble:
            text = self.tr("The output was not saved to %1: %2.")
            self.failed.emit(fill(text, target, trouble.rstrip(".")))
        else:
            self.saved.emit(target)


class _Pane(Protocol):
    """The protocol of the pane that the menu acts on."""

    view: OutputView
    saver: Saver
    comparing: OutputComparing

    def copy_all(self) -> None:
        """Copy all lines."""


def lines_menu(pane: _Pane, palette: Palette) -> QMenu:
    """The menu of the lines; it deletes itself once closed."""
    menu = QMenu(pane.view)
    menu.setAccessibleName(translate("OutputPane", "Output"))
    menu.setFont(font(Role.BODY))
    menu.aboutToHide.connect(menu.deleteLater)
    entries: tuple[tuple[Icon | None, str, Callable[[], object], bool], ...] = (
        (Icon.COPY, translate("OutputPane", "Copy"), pane.view.input.copy, not pane.view.marks.is_empty),
        (None, translate("OutputPane", "Copy all"), pane.copy_all, True),
        (None, translate("OutputPane", "Select all"), pane.view.input.select_all, True),
        (Icon.SEARCH, translate("OutputPane", "Search…"), pane.view.input.find_asked.emit, True),
        (Icon.SAVE, translate("OutputPane", "Save to file…"), pane.saver.ask, True),
        (Icon.COMPARE, translate("OutputPane", "Compare attempts…"), pane.comparing.ask, not pane.comparing.why_not()),
    )
    for shape, words, act, is_possible in entries:
        action = menu.addAction(words)
        if shape is not None:
            action.setIcon(icon(shape, palette))
        action.setEnabled(is_possible)
        action.triggered.connect(lambda *_, act=act: act())
    return menu
