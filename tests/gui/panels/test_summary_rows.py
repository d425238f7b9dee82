"""The rows of the inspector's summary, each with room of its own."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel

from starloom_gui.panels.summary import FactsSection


def test_a_long_value_takes_no_room_from_the_name_in_another_row(qtbot, app, appearance):
    section = FactsSection(lambda: appearance.palette)
    qtbot.addWidget(section)
    facts = [("At most on one level of the graph", "2"), ("Critical path", "0:23, 2 tasks of it")]
    section.show_facts("Tasks", facts)
    words = [word for row in facts for word in row]
    labels = {label.text(): label for label in section.findChildren(QLabel) if label.text() in words}
    needed = {word: label.fontMetrics().horizontalAdvance(word) for word, label in labels.items()}
    section.setFixedWidth(max(needed[name] + needed[value] for name, value in facts) + 40)
    section.show()
    app.processEvents()
    assert {word for word in words if labels[word].width() < needed[word]} == set()


def test_where_there_is_no_room_the_name_is_shortened_and_never_the_value(qtbot, app, appearance):
    section = FactsSection(lambda: appearance.palette)
    qtbot.addWidget(section)
    section.show_facts("Tasks", [("At most on one level of the graph", "0:23, 2 tasks")])
    labels = {label.text(): label for label in section.findChildren(QLabel)}
    value = labels["0:23, 2 tasks"]
    section.setFixedWidth(value.sizeHint().width() + 90)
    section.show()
    app.processEvents()
    assert value.width() >= value.sizeHint().width()
