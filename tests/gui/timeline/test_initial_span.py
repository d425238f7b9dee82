"""The span of time that a timeline shows before its user moves, and once another program has taken the run up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.gui.timeline.scenes import BEGIN, Stream
from tests.gui.timeline.screen import Scene
from tests.gui.timeline.test_timeline_view import whole

from starloom import events as ev

if TYPE_CHECKING:
    from starloom_gui.theme.appearance import Appearance


def test_all_of_a_run_is_in_sight_once_another_program_has_taken_it_up(appearance: Appearance) -> None:
    stream = Stream("r", ["a", "b"], {"local": 1})
    stream.attempt("a", ("local", 0), (0.0, 0.0, 55.0))
    scene = Scene(appearance, stream.run, size=(1100, 200))
    scene.picture()
    scene.view.pan_to(scene.view.span.panned(40), 0)
    shift = 5000.0
    stream.say(ev.RunRecovered, 60.0 + shift, wall_time=BEGIN + 60.0, shift=shift)
    scene.now = 61.0 + shift
    scene.view.refresh()
    scene.picture()
    assert whole(scene)
