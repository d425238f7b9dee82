"""What stands where there are no rows can be read in a small pane, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom_gui.panels.note import empty_page
from starloom_gui.widgets.controls import button, text

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Appearance


def test_a_sentence_of_four_lines_is_whole_where_the_palette_has_most_of_the_column(
    app: QApplication, appearance: Appearance
) -> None:
    sentence = text("Noch keine Geräte. Jedes Gerät, das Aufgaben ausführt, wird hier eine Karte haben.")
    page = empty_page(sentence, button("Gerät hinzufügen …"))
    page.resize(200, 112)
    page.show()
    app.processEvents()
    assert sentence.height() >= sentence.heightForWidth(sentence.width())


def test_a_sentence_of_two_lines_is_whole_in_a_pane_of_a_window_of_600_pixels(
    app: QApplication, appearance: Appearance
) -> None:
    sentence = text(
        "Hier stehen bereite Aufgaben in der Reihenfolge, in der sie starten, und noch ein paar Worte mehr."
    )
    page = empty_page(sentence, button("Alle Aufgaben zeigen"))
    page.resize(400, 96)
    page.show()
    app.processEvents()
    assert sentence.heightForWidth(sentence.width()) > sentence.fontMetrics().height() * 1.5, "it has two lines"
    assert sentence.height() >= sentence.heightForWidth(sentence.width())
