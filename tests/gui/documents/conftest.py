"""The look of the tests, a window to ask over, and an end for every widget they have made."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QWidget
from tests.gui.looks import looks

from starloom_gui.documents.open_documents import OpenDocuments
from starloom_gui.settings import Settings
from starloom_gui.theme.appearance import Theme

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Appearance


@pytest.fixture
def appearance(app: QApplication) -> Iterator[Appearance]:
    with looks(app, Theme.LIGHT) as made:
        yield made


@pytest.fixture
def window(appearance: Appearance) -> QWidget:
    made = QWidget()
    made.resize(900, 600)
    made.show()
    return made


@pytest.fixture
def settings(app: QApplication, tmp_path: Path) -> Settings:
    return Settings(tmp_path / "settings" / "console.ini")


@pytest.fixture
def desk(app: QApplication) -> OpenDocuments:
    return OpenDocuments()
