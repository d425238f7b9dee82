"""The parts of the form that are folded stay folded, in other inspectors and in the next session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.gui.panels.test_task_form import FormBench

from starloom_gui.panels.open_parts import AT_FIRST, OpenParts
from starloom_gui.settings import Settings
from starloom_gui.viewmodel.task_specs import FormPart

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

    from starloom_gui.panels.inspector import Inspector
    from starloom_gui.theme.appearance import Appearance


def opened(inspector: Inspector) -> set[FormPart]:
    return {part for part, one in inspector.fields.parts.items() if one.is_open}


def test_what_is_folded_is_kept_for_the_next_session(app: QApplication, appearance: Appearance, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "console.ini")
    assert settings.open_parts is None
    bench = FormBench("", appearance, OpenParts(settings.open_parts, settings.keep_open_parts))
    assert opened(bench.inspector) == AT_FIRST
    bench.inspector.fields.parts[FormPart.WHAT].head.click()
    bench.inspector.fields.parts[FormPart.RETRY].head.click()
    settings.sync()
    again = Settings(tmp_path / "console.ini")
    later = FormBench("", appearance, OpenParts(again.open_parts, again.keep_open_parts)).inspector
    assert opened(later) == {FormPart.WHEN, FormPart.RETRY}
    assert later.fields._rows.keys() >= {"timeout", "retry.delay"}
    for part in (FormPart.WHEN, FormPart.RETRY):
        later.fields.parts[part].head.click()
    again.sync()
    third = Settings(tmp_path / "console.ini")
    assert third.open_parts == (), "all of them folded is no default"
    assert opened(FormBench("", appearance, OpenParts(third.open_parts)).inspector) == set()


def test_another_inspector_follows_and_a_field_that_is_looked_for_is_not_kept(
    app: QApplication, appearance: Appearance
) -> None:
    kept = OpenParts()
    one, other = (FormBench("", appearance, kept).inspector for _ in range(2))
    one.fields.parts[FormPart.WHERE].head.click()
    assert FormPart.WHERE in opened(other)
    assert "device" in other.fields._rows
    one.fields.value("env")
    assert FormPart.INPUTS in opened(one)
    assert FormPart.INPUTS not in opened(other) | kept.now


def test_an_unknown_part_of_another_version_is_ignored(app: QApplication) -> None:
    assert OpenParts(["what", "future"]).now == {FormPart.WHAT}
