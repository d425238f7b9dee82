"""The look of the tests, and an end for every dialog they have opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.gui.dialogs.far_away import KINDS, FarAway
from tests.gui.looks import looks

from starloom_gui.theme.appearance import Theme

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Appearance


@pytest.fixture
def appearance(app: QApplication) -> Iterator[Appearance]:
    with looks(app, Theme.LIGHT) as made:
        yield made


@pytest.fixture
def far_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plug-in with a kind of device, as it is at first."""
    monkeypatch.setattr("starloom.devices.kinds.device_kinds", lambda: KINDS)
    FarAway.heard, FarAway.answer, FarAway.is_slow = [], None, False
