"""Commands in one line."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starloom_gui.text.command_text import command_text


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("echo", "got", "${measure.value.volts}"), "echo got ${measure.value.volts}"),
        (("cp", "${a.value.files[0]}", "out-${index}.txt"), "cp ${a.value.files[0]} out-${index}.txt"),
        (("echo", "a ${b.value} c"), "echo 'a ${b.value} c'"),
        (("echo", "$HOME", "${a b}", ""), "echo '$HOME' '${a b}' ''"),
    ],
)
def test_a_value_of_a_task_stands_as_it_was_typed(arguments: tuple[str, ...], line: str) -> None:
    assert command_text(arguments) == line
    assert tuple(shlex.split(line)) == arguments


@given(st.lists(st.text() | st.sampled_from(["${a.value}", "x${a.value[0]}y'", '"${a}', "${a.b} #"]), min_size=1))
def test_it_is_taken_apart_into_the_same_words(arguments: list[str]) -> None:
    assert shlex.split(command_text(arguments)) == arguments
