"""The demo without a display, inside this process; `tests/end2end/test_demo_headless.py` has the whole program."""

from __future__ import annotations

from types import SimpleNamespace

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QWidget

from starloom.cli.screen import Screen
from starloom_gui import event_loop, headless
from starloom_resources.demo import SPEED


def test_a_demo_that_does_not_end_is_given_up_and_nothing_of_it_is_left(app, monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("STARLOOM_JOURNAL", str(tmp_path / "journal"))
    monkeypatch.setenv("STARLOOM_SETTINGS", str(tmp_path / "settings.toml"))
    monkeypatch.setenv(SPEED, "0.1")
    (tmp_path / "settings.toml").touch()
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(tmp_path))
    assert event_loop.run(headless.run_demo(app, Screen(), patience=0.5)) == 1
    assert "has not ended within 0.5 seconds" in capsys.readouterr().err


def test_where_nothing_can_be_written_the_picture_goes_among_the_temporary_files(app, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))

    console = SimpleNamespace(window=QWidget())
    path = headless.save_picture(console, tmp_path / "not-there")
    assert path == tmp_path / headless.PICTURE
    assert path.is_file()
