"""What a held step would change: said at the pointer once it is known, and never of a step that is held no more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.gui.editing.driven_foreseer import DrivenForeseer
from tests.gui.editing.engine_by_hand import build
from tests.gui.timeline.scenes import projection

from starloom.foresight.what_if import WhatIf
from starloom_gui.editing.base import Step
from starloom_gui.editing.trial import Trial
from starloom_gui.text.words import time_of_day

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

ONE, OTHER = Step(label="one", edits=()), Step(label="other", edits=())


def test_it_says_when_the_run_would_end_now_and_then(app: QApplication) -> None:
    foreseer = DrivenForeseer(build().facts())
    trial = Trial(foreseer, lambda at: at)
    told: list[str] = []
    trial.changed.connect(lambda: told.append(trial.words))
    trial.ask(ONE)
    assert trial.words == ""
    foreseer.tell(ONE)
    assert told == [f"Finish {time_of_day(600)[:5]} → {time_of_day(300)[:5]}, 5 min earlier"]


def test_the_same_step_is_asked_about_once(app: QApplication) -> None:
    foreseer = DrivenForeseer(build().facts())
    trial = Trial(foreseer, lambda at: at)
    for step in (ONE, ONE, OTHER, None, None):
        trial.ask(step)
    assert foreseer.asked == [ONE, OTHER, None]


def test_what_comes_too_late_is_not_said(app: QApplication) -> None:
    foreseer = DrivenForeseer(build().facts())
    trial = Trial(foreseer, lambda at: at)
    trial.ask(ONE)
    trial.ask(OTHER)
    foreseer.tell(ONE)
    assert trial.words == ""
    trial.ask(None)
    foreseer.tell(OTHER)
    assert trial.words == ""


def test_of_another_step_nothing_is_said_before_it_is_foreseen(app: QApplication) -> None:
    foreseer = DrivenForeseer(build().facts())
    trial = Trial(foreseer, lambda at: at)
    trial.ask(ONE)
    foreseer.tell(ONE)
    assert trial.words
    trial.ask(OTHER)
    assert trial.words == ""


def test_of_an_end_that_is_unknown_before_and_after_nothing_is_said(app: QApplication) -> None:
    run = build().facts()
    foreseer = DrivenForeseer(run)
    trial = Trial(foreseer, lambda at: at)
    trial.ask(ONE)
    unknown = projection(run, {})
    foreseer.tried.emit(ONE, WhatIf(before=unknown, after=unknown))
    assert trial.words == ""
