"""Methods of an object that a part of it carries out."""

from __future__ import annotations

import inspect

from starloom import Run
from starloom.orchestration.forwarding import forwarded
from starloom.orchestration.run_agents import RunAgents


class Part:
    def __init__(self, name: str) -> None:
        self.name = name

    def greet(self, word: str, *, end: str = ".") -> str:
        """Say a word to whoever it is."""
        return f"{word} {self.name}{end}"


def part_of(whole: Whole) -> Part:
    return Part(whole.name)


class Whole:
    def __init__(self, name: str) -> None:
        self.name = name

    greet = forwarded(part_of, Part.greet)


def test_the_part_that_belongs_to_the_object_carries_it_out() -> None:
    assert [Whole("Ada").greet("Hello"), Whole("Bob").greet(word="Bye", end="!")] == ["Hello Ada.", "Bye Bob!"]


def test_it_tells_its_name_arguments_and_purpose_as_the_parts_method_does() -> None:
    assert Whole.greet.__name__ == "greet"
    assert Whole.greet.__doc__ == Part.greet.__doc__
    assert inspect.signature(Whole.greet) == inspect.signature(Part.greet)
    assert inspect.signature(Run.set_fence) == inspect.signature(RunAgents.set_fence)
