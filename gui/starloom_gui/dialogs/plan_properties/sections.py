"""The fields of a plan's properties, section by section, and those of its tasks that can have defaults."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from starloom.model.status import Backoff, Fence, Join, OnInterrupt, Placement
from starloom_gui.dialogs.plan_properties.device_field import DeviceWish
from starloom_gui.dialogs.plan_properties.severity_field import SeverityField
from starloom_gui.dialogs.plan_properties.typed_fields import (
    choice,
    copies,
    counts,
    duration,
    expected,
    lines,
    names,
    script,
    table,
    word,
)
from starloom_gui.text.field_words import field_word
from starloom_gui.text.limit_words import fence_word, placement_word
from starloom_gui.text.words import fill, translate
from starloom_gui.viewmodel.task_field_words import permission_choices
from starloom_gui.widgets.editor import FieldSpec, ValueType

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    KnownNames = Callable[[str], Sequence[str]]


def general_fields() -> tuple[FieldSpec, ...]:
    """The fields of the section General: name, description and metadata."""
    return (
        FieldSpec(name="name", label=field_word("name"), is_long=True, hint="plan"),
        script("description", field_word("description")),
        table(
            "metadata",
            field_word("metadata"),
            help=translate("PlanProperties", "What programs keep in the plan; Starloom itself does nothing with it."),
        ),
    )


def running_fields() -> tuple[FieldSpec, ...]:
    """The fields of a plan's execution, such as limits and placement."""
    group, most = translate("PlanProperties", "Limit group"), translate("PlanProperties", "Tasks at once")
    return (
        word(
            "limits.max_concurrency",
            translate("PlanProperties", "At once"),
            hint=translate("PlanProperties", "no limit"),
            unit=translate("PlanProperties", "tasks of a run"),
        ),
        counts("limits.groups", field_word("groups"), (group, most)),
        choice(
            "placement",
            translate("PlanProperties", "Placement"),
            tuple((str(one), placement_word(one)) for one in Placement),
            translate("PlanProperties", "as the fleet says"),
            help=translate("PlanProperties", "How a device is chosen for a task that is ready."),
        ),
        word(
            "overdue_factor",
            translate("PlanProperties", "Overdue after"),
            hint="3",
            unit=translate("PlanProperties", "times its estimate; none: never"),
        ),
        choice(
            "fence",
            field_word("fence"),
            tuple((str(one), fence_word(one)) for one in Fence),
            fill(translate("PlanProperties", "as usual: %1"), fence_word(Fence.SCOPE)),
            is_long=True,
            help=translate("PlanProperties", "What waits while agents are asked."),
        ),
        duration(
            "modification_timeout",
            translate("PlanProperties", "Agents have"),
            translate("PlanProperties", "as set: 10m"),
            unit=translate("PlanProperties", "to answer"),
        ),
    )


def defaults_fields(known: KnownNames) -> tuple[FieldSpec, ...]:
    """The fields of tasks that a plan gives once for all of them, below `defaults`. `known`: see `task_fields`."""
    return tuple(replace(spec, name=f"defaults.{spec.name}") for spec in task_fields(known))


def task_fields(known: KnownNames) -> tuple[FieldSpec, ...]:
    """The fields of a task besides its id and what it does. `known`: gives the names that are offered in a field."""
    return (*_where(known), *_when(), *_work(), *_about())


def _where(known: KnownNames) -> tuple[FieldSpec, ...]:
    return (
        FieldSpec(name="device", label=field_word("device"), is_long=True, make=DeviceWish),
        names("requires", field_word("requires"), partial(known, "requires"), hint="gpu, usb"),
        names("groups", field_word("groups"), partial(known, "groups")),
    )


def _when() -> tuple[FieldSpec, ...]:
    backoffs = {
        Backoff.FIXED: translate("PlanProperties", "always as long"),
        Backoff.LINEAR: translate("PlanProperties", "longer each time"),
        Backoff.EXPONENTIAL: translate("PlanProperties", "twice as long each time"),
    }
    joins = {
        Join.ALL: translate("PlanProperties", "all dependencies say yes"),
        Join.ANY: translate("PlanProperties", "one dependency says yes"),
    }
    interrupted = {
        OnInterrupt.REATTACH: translate("PlanProperties", "it goes on if it can"),
        OnInterrupt.RERUN: translate("PlanProperties", "it runs again"),
        OnInterrupt.FAIL: translate("PlanProperties", "it fails"),
        OnInterrupt.ASK: translate("PlanProperties", "it waits for a person"),
    }
    return (
        word("priority", field_word("priority"), hint="0 … 100, high"),
        duration("timeout", field_word("timeout")),
        duration("estimate", field_word("estimate")),
        choice("join", translate("PlanProperties", "Starts when"), _pairs(joins), is_long=True),
        FieldSpec(
            name="retry.attempts",
            label=field_word("retry"),
            sort=ValueType.WHOLE,
            unit=translate("PlanProperties", "in all; 1: no retry"),
        ),
        duration("retry.delay", translate("PlanProperties", "Delay")),
        choice("retry.backoff", translate("PlanProperties", "Backoff"), _pairs(backoffs), is_long=True),
        duration("retry.cap", translate("PlanProperties", "Longest delay")),
        FieldSpec(name="severity", label=field_word("severity"), is_long=True, make=SeverityField),
        choice("on_interrupt", field_word("on_interrupt"), _pairs(interrupted), is_long=True),
        choice("breakpoint", field_word("breakpoint"), _yes_no()),
        choice("bypass", field_word("bypass"), _yes_no()),
        choice("permissions", field_word("permissions"), permission_choices()[1:], is_long=True),
        expected("expects", field_word("expects"), hint=translate("PlanProperties", "json, or a JSON Schema")),
    )


def _work() -> tuple[FieldSpec, ...]:
    return (
        FieldSpec(name="cwd", label=field_word("cwd"), is_long=True),
        table("inputs", field_word("inputs")),
        table(
            "env",
            field_word("env"),
            variables=True,
            help=translate("PlanProperties", "The plan only says where a secret is kept."),
        ),
        choice("upstream", field_word("upstream"), _yes_no()),
        copies("files.send", translate("PlanProperties", "Files sent")),
        copies("files.fetch", translate("PlanProperties", "Files fetched")),
    )


def _about() -> tuple[FieldSpec, ...]:
    return (
        FieldSpec(name="name", label=field_word("name"), is_long=True),
        script("description", field_word("description")),
        lines("tips", field_word("tips")),
        table("metadata", field_word("metadata")),
    )


def _pairs(words: dict[Any, str]) -> tuple[tuple[str, str], ...]:
    return tuple((str(value), said) for value, said in words.items())


def _yes_no() -> tuple[tuple[bool, str], ...]:
    return ((True, translate("PlanProperties", "yes")), (False, translate("PlanProperties", "no")))
