"""Output: colours from escapes, lines from pieces, bounded, and fast enough for ten thousand lines a second."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.gui.models.cells import steps_of

from starloom.orchestration.channel import Channel, OutputChunk, Progress
from starloom_gui.gateway import output
from starloom_gui.gateway.output import OutputHub, Piece
from starloom_gui.models.ansi import PLAIN, StyledText, TextStyle, parse
from starloom_gui.models.output_lines import OutputLines
from starloom_gui.viewmodel.roles import ItemRole

pytestmark = pytest.mark.usefixtures("app")


def lines(*texts: str, most: int = 10_000) -> OutputLines:
    model = OutputLines(most)
    model.show("r", "t", [Piece(1, text) for text in texts])
    return model


def shown(model: OutputLines) -> list[str]:
    return [model.data(model.index(row)) for row in range(model.rowCount())]


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("plain", (StyledText("plain"),)),
        ("\x1b[31mred\x1b[0m not", (StyledText("red", TextStyle(foreground=1)), StyledText(" not"))),
        ("\x1b[1;92;44mx\x1b[22;39my", (StyledText("x", TextStyle(10, 4, True)), StyledText("y", TextStyle(None, 4)))),
        (
            "\x1b[38;5;196ma\x1b[48;2;1;2;3mb",
            (StyledText("a", TextStyle("#ff0000")), StyledText("b", TextStyle("#ff0000", "#010203"))),
        ),
        ("\x1b[38;5;7mw\x1b[38;5;232mg", (StyledText("w", TextStyle(7)), StyledText("g", TextStyle("#080808")))),
        ("\x1b]0;title\x07a\x1b[2Kb\x1b(Bc\x07", (StyledText("abc"),)),
        ("cut off \x1b[3", (StyledText("cut off 3"),)),
        ("", ()),
    ],
)
def test_colours_become_values_and_all_else_that_steers_a_terminal_is_gone(text, spans):
    assert parse(text)[0] == spans


@given(st.text(alphabet="\x1b[]0123456789;:m\x07\\PKx\x9b\t"))
def test_no_escape_whatever_it_is_gets_through(text):
    spans, _ = parse(text)
    assert "\x1b" not in "".join(span.text for span in spans)
    assert all(span.text for span in spans)


def test_a_colour_goes_on_to_the_next_line_until_it_is_ended():
    model = lines("\x1b[32ma\nb\x1b[0m\nc\n")
    styles = [model.data(model.index(row), ItemRole.SPANS)[0].style for row in range(3)]
    assert styles == [TextStyle(foreground=2), TextStyle(foreground=2), PLAIN]


@given(st.text(alphabet="ab\n\r\x1b[31m", max_size=60), st.lists(st.integers(0, 60), max_size=6))
def test_lines_do_not_depend_on_how_the_output_was_cut_into_pieces(text, cuts):
    places = sorted({0, len(text), *(min(cut, len(text)) for cut in cuts)})
    pieces = [Piece(1, text[a:b]) for a, b in pairwise(places)]
    model = OutputLines()
    model.show("r", "t")
    for piece in pieces:
        model.append([piece])
    assert shown(model) == shown(lines(text))


def test_a_line_that_is_not_ended_grows_and_a_carriage_return_begins_it_anew():
    model = lines("10 %")
    steps = steps_of(model)
    model.append([Piece(1, "\r50 %")])
    assert shown(model) == ["50 %"]
    model.append([Piece(1, "\nnext")])
    assert shown(model) == ["50 %", "next"]
    assert steps == ["data", "data", "inserted"]


def test_another_attempt_begins_on_a_line_of_its_own():
    model = lines("half")
    model.append([Piece(2, "new\n")])
    assert shown(model) == ["half", "new"]
    assert [model.data(model.index(row), ItemRole.VALUE).attempt for row in range(2)] == [1, 2]


def test_memory_is_bounded_and_what_was_dropped_is_counted():
    model = lines(most=100)
    for number in range(1_000):
        model.append([Piece(1, f"{number}\n")])
    kept = shown(model)
    assert len(kept) <= 100
    assert kept[-1] == "999"
    assert model.dropped + len(kept) == 1_000
    model.append([Piece(1, "\n".join(map(str, range(5_000))) + "\n")])
    assert shown(model)[-1] == "4999"
    assert model.dropped + model.rowCount() == 6_000


def test_a_line_without_end_is_bounded_too():
    model = lines("x" * 1_000_000)
    assert len(shown(model)[0]) <= 10_001


def test_text_and_patterns_are_found():
    model = lines("one\nTwo \x1b[31merror\x1b[0m 7\nerror 12")
    assert model.find("ERROR") == [(1, 4, 9), (2, 0, 5)]
    assert model.find(r"error \d+", is_pattern=True) == [(1, 4, 11), (2, 0, 8)]
    assert model.find("ERROR", ignore_case=False) == []
    assert model.find("") == []
    assert model.text() == "one\nTwo error 7\nerror 12"


def test_the_hub_hands_on_once_a_frame_what_came_and_keeps_the_end(monkeypatch):
    monkeypatch.setattr(output, "MOST_OF_A_TASK", 100)
    monkeypatch.setattr(output, "MOST_IN_ALL", 250)
    channel = Channel()
    hub = OutputHub(channel)
    seen = []
    hub.printed.connect(seen.append)
    for number in range(50):
        channel.send(OutputChunk("r", "a", 1, f"{number:09}\n"))
    channel.send(Progress("r", "a", 1, 0.5))
    assert not seen
    hub.flush()
    (printed,) = seen
    assert len(printed.pieces["r", "a"]) == 50
    assert printed.progress == {("r", "a"): 0.5}
    assert "".join(piece.text for piece in hub.tail("r", "a")).endswith("000000049\n")
    assert sum(len(piece.text) for piece in hub.tail("r", "a")) <= 100
    for name in "bc":
        channel.send(OutputChunk("r", name, 1, name * 100))
    assert not hub.tail("r", "a"), "the one that was silent longest goes first"
    assert hub.tail("r", "c")
    hub.close()
    channel.send(OutputChunk("r", "c", 1, "late"))
    assert not any(piece.text == "late" for piece in hub.tail("r", "c"))


def test_a_model_shows_its_own_task_only():
    channel = Channel()
    hub = OutputHub(channel)
    model = OutputLines()
    channel.send(OutputChunk("r", "a", 1, "before\n"))
    model.show("r", "a", hub.tail("r", "a"))
    hub.printed.connect(model.take)
    channel.send(OutputChunk("r", "a", 1, "after\n"))
    channel.send(OutputChunk("r", "b", 1, "other\n"))
    hub.flush()
    assert shown(model) == ["before", "after"]
    hub.close()
