"""The output pane while the past is shown: what had been printed by then, or all of it and a sentence that says so."""

from __future__ import annotations

from tests.gui.panels.printing_task import Printing

from starloom_gui.gateway import output as heard

UNTIMED = "Output is not timed: this is all of it, also what was printed after this moment."


def say_at(it: Printing, at: float, text: str) -> None:
    it.clock = at
    it.say(text)


def test_what_was_heard_is_shown_as_far_as_it_had_been_printed(app, appearance):
    with Printing(appearance) as it:
        it.select("fuzz")
        for at in (1000, 1010, 1020):
            say_at(it, at, f"at {at}\n")
        resets: list[int] = []
        it.pane.lines.modelReset.connect(lambda: resets.append(1))
        it.look_back(999)
        assert it.shown() == []
        assert it.pane._sentence.text() == "fuzz ui has printed nothing yet."
        it.look_back(1000)
        assert it.shown() == ["at 1000"]
        it.look_back(1015)
        assert it.shown() == ["at 1000", "at 1010"]
        assert len(resets) == 1, "going on adds what is new"
        it.look_back(1005)
        assert it.shown() == ["at 1000"]
        assert it.pane.untimed.isHidden()
        say_at(it, 1030, "meanwhile\n")
        assert it.shown() == ["at 1000"]
        it.look_back(None)
        assert it.shown() == ["at 1000", "at 1010", "at 1020", "meanwhile"]


def test_what_stands_in_a_file_has_no_times_and_the_pane_says_so(app, appearance, tmp_path):
    with Printing(appearance, tmp_path, hears=False) as it:
        it.say("one\n")
        it.select("fuzz")
        assert it.pane.untimed.isHidden()
        it.look_back(1000)
        assert it.shown() == ["one"]
        assert it.pane.untimed.isVisible()
        assert it.pane.untimed.words.text() == UNTIMED
        it.say("two\n")
        it.look_back(1001)
        assert it.shown() == ["one"], "it is not read again for every moment"
        it.look_back(None)
        assert it.shown() == ["one", "two"]
        assert it.pane.untimed.isHidden()


def test_an_attempt_that_had_ended_had_printed_all_of_it(app, appearance, tmp_path):
    with Printing(appearance, tmp_path, hears=False) as it:
        it.say("one\n")
        it.driver.end("fuzz")
        it.select("fuzz")
        it.look_back(1000)
        assert it.shown() == ["one"]
        assert it.pane.untimed.isHidden()


def test_what_an_earlier_program_heard_is_not_said_to_be_nothing(app, appearance, tmp_path):
    with Printing(appearance, tmp_path, hears=False) as it:
        it.say("before\n")
        it.hears = True  # the run is taken up: what is printed from now on is heard, at 1000
        it.say("after\n")
        it.select("fuzz")
        it.look_back(900)
        assert it.shown() == ["before", "after"]
        assert it.pane.untimed.words.text() == UNTIMED


def test_where_the_first_lines_are_kept_no_more_their_times_are_not_known_either(
    app, appearance, tmp_path, monkeypatch
):
    monkeypatch.setattr(heard, "MOST_OF_A_TASK", 20)
    with Printing(appearance, tmp_path) as it:
        it.select("fuzz")
        for at in (1000, 1010, 1020):
            say_at(it, at, f"printed at {at}\n")
        it.look_back(1020)
        assert it.shown() == ["printed at 1020"]
        assert it.pane.untimed.isHidden()
        assert not it.pane._load_more.isVisible()
        it.look_back(1005)
        assert it.shown() == [f"printed at {at}" for at in (1000, 1010, 1020)]
        assert it.pane.untimed.words.text() == UNTIMED


def test_what_is_heard_after_a_moment_at_which_nothing_had_been_is_shown_at_later_ones(app, appearance):
    with Printing(appearance) as it:
        it.select("fuzz")
        it.look_back(1000)
        assert it.shown() == []
        say_at(it, 1010, "at 1010\n")
        it.look_back(1020)
        assert it.shown() == ["at 1010"]
