"""The look of the tests, and an end for every widget they have made."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
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
