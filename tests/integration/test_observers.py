"""Objects with `on_event` as observers: what they hear, when they no longer do, and what is refused."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import task as make
from tests.virtual_time import engine, run
from typing_extensions import override

from starloom import CommandRefused, Plan, SimulatedDevice, TaskCompleted, TaskFailed
from starloom.observers import Observers

if TYPE_CHECKING:
    from starloom import Event

PLAN = Plan(tasks=[make("a", simulate=1), make("b", simulate={"duration": 1, "outcome": "failed"})])


class Plain:
    """Notes the events it is told of."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def on_event(self, event: Event) -> None:
        self.heard.append(type(event).__name__)


class Async(Plain):
    """The same, in its own time."""

    @override
    async def on_event(self, event: Event) -> None:  # type: ignore[override]
        await asyncio.sleep(0.1)
        super().on_event(event)


class Unhashable(Plain):
    """Equal to every other one, and no key of a dictionary."""

    __hash__ = None  # type: ignore[assignment]

    @override
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unhashable)


@pytest.mark.parametrize("kind", [Plain, Async, Unhashable])
def test_a38_d17_an_object_with_on_event_hears_what_it_subscribed_to(kind: type[Plain]) -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            observers, some, every = Observers(orchestrator.events), kind(), kind()
            observers.subscribe(some, {TaskCompleted, TaskFailed})
            observers.subscribe(every)
            await (await orchestrator.start(PLAN)).finished()
            await orchestrator.events.drained()
            assert some.heard == ["TaskCompleted", "TaskFailed"]
            assert {"Snapshot", "TaskStarted", "TaskFailed", "RunEnded"} & set(every.heard) >= {
                "TaskStarted",
                "RunEnded",
            }
            observers.unsubscribe(some)
            assert not observers.is_subscribed(some)
            await (await orchestrator.start(PLAN)).finished()
            await orchestrator.events.drained()
            assert some.heard == ["TaskCompleted", "TaskFailed"]
            assert every.heard.count("TaskFailed") == 2
            observers.subscribe(some, [TaskFailed])
            await (await orchestrator.start(PLAN)).finished()
            await orchestrator.events.drained()
            assert some.heard == ["TaskCompleted", "TaskFailed", "TaskFailed"]

    run(main())


def test_closing_the_subscription_unsubscribes_the_object() -> None:
    async def main() -> None:
        async with engine() as orchestrator:
            observers, tracker = Observers(orchestrator.events), Plain()
            with observers.subscribe(tracker, [TaskFailed]):
                assert observers.is_subscribed(tracker)
            assert not observers.is_subscribed(tracker)
            observers.subscribe(tracker, [TaskFailed]).close()

    run(main())


REFUSED: dict[str, tuple[Any, str]] = {
    "a function": (lambda observers: observers.subscribe(print), "orchestrator.events"),
    "a class": (lambda observers: observers.subscribe(Plain), "Give an object"),
    "no types at all": (lambda observers: observers.subscribe(Plain(), set()), "None for all"),
    "the name of a type": (lambda observers: observers.subscribe(Plain(), ["TaskFailed"]), "not its name"),
    "one that is not there": (lambda observers: observers.unsubscribe(Plain()), "not subscribed"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_no_observer_is_refused_with_a_sentence(what: str) -> None:
    ask, said = REFUSED[what]

    async def main() -> None:
        async with engine() as orchestrator:
            with pytest.raises(CommandRefused, match=said):
                ask(Observers(orchestrator.events))

    run(main())


def test_the_same_object_is_subscribed_once() -> None:
    async def main() -> None:
        async with engine() as orchestrator:
            observers, tracker = Observers(orchestrator.events), Plain()
            observers.subscribe(tracker, [TaskFailed])
            with pytest.raises(CommandRefused, match="subscribed already"):
                observers.subscribe(tracker, [TaskCompleted])
            observers.unsubscribe(tracker)

    run(main())


def test_the_bus_itself_names_the_adapter_to_whoever_hands_it_an_object() -> None:
    async def main() -> None:
        async with engine() as orchestrator:
            with pytest.raises(CommandRefused, match=r"starloom\.observers"):
                orchestrator.events.subscribe(Plain())  # type: ignore[arg-type]

    run(main())
