"""A new kind of event is one entry: every kind of the engine has one, and a list that lacks one is found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from starloom import events as ev
from starloom_gui.specs.event_list import EVENTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starloom_gui.specs.event_spec import EventSpec


def without_entry(specs: Mapping[type[ev.Event], EventSpec]) -> set[type[ev.Event]]:
    """The kinds of events of the engine that are not in a list."""
    kinds = {kind for kind in vars(ev).values() if isinstance(kind, type) and issubclass(kind, ev.Event)}
    return kinds - {ev.Event} - set(specs)


def test_every_kind_of_event_has_an_entry():
    assert not without_entry(EVENTS)


@pytest.mark.parametrize("kind", EVENTS)
def test_a_kind_of_event_without_an_entry_is_found(kind: type[ev.Event]):
    assert without_entry({other: spec for other, spec in EVENTS.items() if other is not kind}) == {kind}


@pytest.mark.parametrize("spec", EVENTS.values(), ids=lambda spec: spec.kind.__name__)
def test_an_entry_asks_only_for_what_its_events_have(spec: EventSpec):
    fields = set(spec.kind.__struct_fields__)
    assert not spec.is_flagged or "origin" in fields
    assert not spec.has_reason_apart or {"origin", "reason"} <= fields
