"""Every item model of the console keeps the rules that Qt's views rely on, also while rows come, change and go."""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QAbstractItemModel
from PySide6.QtWidgets import QWidget
from tests.gui.models.lives import LIVES

import starloom_gui
from starloom_gui.models.plain_table import PlainTable
from starloom_gui.viewmodel.roles import NOWHERE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.modeltest import ModelTester
    from pytestqt.qtbot import QtBot

BASES = {PlainTable}
"""What is no model by itself."""


def below(kind: type[QAbstractItemModel]) -> Iterator[type[QAbstractItemModel]]:
    for one in kind.__subclasses__():
        yield one
        yield from below(one)


def test_every_model_of_the_console_is_tested_here() -> None:
    for module in pkgutil.walk_packages(starloom_gui.__path__, "starloom_gui."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    there = {kind for kind in below(QAbstractItemModel) if kind.__module__.startswith("starloom_gui.")}
    assert there - BASES == set(LIVES)


@pytest.mark.parametrize("kind", LIVES, ids=lambda kind: kind.__name__.strip("_"))
def test_a_model_keeps_to_qts_rules_while_rows_come_and_go(
    kind: type[QAbstractItemModel], qtmodeltester: ModelTester, qtbot: QtBot
) -> None:
    owner = QWidget()
    qtbot.addWidget(owner)
    life = LIVES[kind](owner)
    model = next(life)
    assert type(model) is kind
    assert model.rowCount() == 0
    qtmodeltester.check(model)
    counts: set[int] = set()
    for _step in life:
        counts.add(model.rowCount())
        assert model.data(NOWHERE) is None, "Qt's tester does not ask for it"
    assert len(counts) > 1
    assert max(counts) > 1
