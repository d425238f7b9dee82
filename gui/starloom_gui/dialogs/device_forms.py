"""The forms of the kinds of devices: their fields, and the device that the values describe.

A kind is described here in data. One that is not (a plug-in's, or a new one) gets a field for each of its own options,
so it can be used at once; a description only makes its form read better.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError

from starloom.devices.kinds import device_kinds, missing_package
from starloom.errors import DeviceError
from starloom.model.device import COOL_DOWN, TRIP_AFTER, DeviceSpec
from starloom_gui.dialogs.device_fields import ADAPTED, DESCRIBED, as_fields, slots
from starloom_gui.text.engine_words import why_not
from starloom_gui.text.words import fill, translate
from starloom_gui.widgets.editor import FieldError, FieldSpec, ValueType

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pydantic_core import ErrorDetails

    from starloom.devices.base import Device

COMMON: Final = ("id", "slots", "capabilities", "speed", "trip_after", "cool_down")
"""What every device has; the rest are its kind's options."""
PLACES: Final = ("host", "address", "url", "scheduler", "target")
"""Options that say where a device is: under these stands why it cannot be reached."""
_ORDER: Final = ("local", "ssh", "dask", "wrapped", "acp", "aip", "llm", "simulated")
_NOT_FROM_HERE: Final = frozenset({"inprocess"})
"""Kinds that only the program that starts them can furnish."""
_SORTS: Final = {"bool": ValueType.SWITCH, "int": ValueType.WHOLE, "float": ValueType.NUMBER, "str": ValueType.TEXT}


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceForm:
    """The form of one kind of device.

    Attributes:
        kind: as `starloom.devices` knows it.
        label: what people call it.
        fields: from top to bottom, with the common ones.
        trouble: why the kind cannot be used; empty: it can.
        adapt: makes the kind's options of the values that were given; a `FieldError` refuses them.
    """

    kind: str
    label: str
    fields: tuple[FieldSpec, ...] = ()
    trouble: str = ""
    adapt: Callable[[dict[str, Any]], dict[str, Any]] = dict

    @property
    def place(self) -> str:
        """The field below which the error of a connection is shown."""
        names = {field.name for field in self.fields}
        return next((name for name in PLACES if name in names), "id")

    def values(self, spec: DeviceSpec) -> dict[str, Any]:
        """The values with which the fields describe a device; what no field can show is left out."""
        told = {**as_fields(spec.options), **{name: getattr(spec, name) for name in COMMON}}
        return {
            field.name: told.get(field.name, field.default)
            for field in self.fields
            if isinstance(told.get(field.name), str | int | float | frozenset | None)
        }

    def spec(self, values: Mapping[str, Any], before: DeviceSpec | None = None) -> DeviceSpec:
        """The device that these values describe.

        Args:
            values: by the names of the fields.
            before: the device that is changed, of which stays what no field can show.

        Raises:
            FieldError: a value cannot be used.
        """
        defaults = {field.name: field.default for field in self.fields}
        given = {name: value for name, value in values.items() if value is not None and value != defaults[name]}
        common = {name: given.pop(name) for name in COMMON if name in given}
        options = self.adapt(given)
        if before is not None:
            shown = self.values(before).keys() | {"wrapper"}
            options = {name: value for name, value in before.options.items() if name not in shown} | options
            common = {name: getattr(before, name) for name in COMMON if name not in defaults} | common
        try:
            return DeviceSpec(kind=self.kind, options=options, **common)
        except ValidationError as error:
            first = error.errors()[0]
            name = str(first["loc"][0]) if first["loc"] else "id"
            raise FieldError(name if name in defaults else "id", _sentence(first)) from None


def _sentence(error: ErrorDetails) -> str:
    context = error.get("ctx", {})
    if "ge" in context:
        return fill(translate("Devices", "Give %1 or more."), f"{context['ge']:g}")
    if "gt" in context:
        return fill(translate("Devices", "Give more than %1."), f"{context['gt']:g}")
    words = error["msg"]
    return words[:1].upper() + words[1:].rstrip(".") + "."


def device_forms(kinds: Mapping[str, type[Device]] | None = None) -> tuple[DeviceForm, ...]:
    """The forms of all kinds there are, the usual ones first.

    Args:
        kinds: by name; None: all that are installed.
    """
    known = device_kinds() if kinds is None else kinds
    names = [name for name in known if name not in _NOT_FROM_HERE]
    names.sort(key=lambda name: (_ORDER.index(name) if name in _ORDER else len(_ORDER), name))
    return tuple(_form(name, known) for name in names)


def _form(name: str, kinds: Mapping[str, type[Device]]) -> DeviceForm:
    label = kind_word(name)
    described = DESCRIBED.get(name)
    if described is not None:
        adapt = ADAPTED.get(name, dict)
        fields, lack = _with_common(described(), _warning(name)), missing_package(name)
        trouble = why_not(DeviceError(lack)) if lack else ""  # said at once, not once the form is filled in
        return DeviceForm(kind=name, label=label, fields=fields, adapt=adapt, trouble=trouble)
    try:
        return DeviceForm(kind=name, label=label, fields=_with_common(option_fields(kinds[name])))
    except DeviceError as error:  # a broken plug-in
        return DeviceForm(kind=name, label=label, trouble=why_not(error))


def kind_word(kind: str) -> str:
    """The name of a kind of device."""
    return {
        "local": translate("Devices", "This computer"),
        "ssh": translate("Devices", "SSH"),
        "dask": translate("Devices", "Dask"),
        "wrapped": translate("Devices", "Container"),
        "acp": translate("Devices", "Agent"),
        "aip": translate("Devices", "UFO agent"),
        "llm": translate("Devices", "Language model"),
        "simulated": translate("Devices", "Simulated"),
    }.get(kind, _humanised(kind))


def _humanised(name: str) -> str:
    words = name.replace("_", " ").replace("-", " ")
    return words[:1].upper() + words[1:]


def _warning(kind: str) -> str:
    """What somebody has to know who adds a device of a kind; empty: nothing."""
    if kind != "simulated":
        return ""
    return translate("Devices", "It takes any task that fits, and only acts as if it ran it: nothing is executed.")


def _with_common(options: Iterable[FieldSpec], warning: str = "") -> tuple[FieldSpec, ...]:
    """The fields of a kind: the name with a warning below, the kind's own fields, and those of all devices."""
    own = {field.name: field for field in options}
    name = FieldSpec(name="id", label=translate("Devices", "Name"), help=warning, required=True)
    capabilities = FieldSpec(
        name="capabilities",
        label=translate("Devices", "Capabilities"),
        sort=ValueType.TAGS,
        default=frozenset(),
        hint=translate("Devices", "e.g. gpu"),
        help=translate("Devices", "Tasks that ask for these may run here."),
    )
    last = [own.pop("slots", slots()), capabilities]
    return (name, *own.values(), *last, *_breaker())


def _breaker() -> tuple[FieldSpec, ...]:
    """When a device that fails again and again is left alone, and for how long."""
    return (
        FieldSpec(
            name="trip_after",
            label=translate("Devices", "Suspend after"),
            sort=ValueType.WHOLE,
            default=TRIP_AFTER,
            unit=translate("Devices", "failures in a row; 0: never"),
            help=translate(
                "Devices", "That it is lost, or cannot begin a task, is its own failure; what tasks do wrong is not."
            ),
            is_rare=True,
        ),
        FieldSpec(
            name="cool_down",
            label=translate("Devices", "Suspend for"),
            sort=ValueType.NUMBER,
            default=COOL_DOWN,
            unit=translate("Devices", "seconds; twice as long each time it fails again"),
            is_rare=True,
        ),
    )


def option_fields(kind: type[Device]) -> tuple[FieldSpec, ...]:
    """A field for each option of a kind that is a text, a number or a switch, read from its signature."""
    fields = []
    for name, parameter in inspect.signature(kind.__init__).parameters.items():
        if name in {"self", *COMMON} or parameter.kind in {parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL}:
            continue
        sort = _sort_of(parameter.annotation)
        if sort is not None:
            is_required = parameter.default is parameter.empty
            default = False if sort is ValueType.SWITCH and is_required else None if is_required else parameter.default
            fields.append(
                FieldSpec(name=name, label=_humanised(name), sort=sort, default=default, required=is_required)
            )
    return tuple(fields)


def _sort_of(annotation: Any) -> ValueType | None:
    words = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
    parts = [part.strip() for part in words.split("|")]
    if "str" in parts:
        return ValueType.TEXT
    named = [part for part in parts if part != "None"]
    return _SORTS.get(named[0]) if len(named) == 1 else None


def taken(id: str) -> str:
    """The message for a name that another device has."""
    return fill(translate("Devices", "There is a device %1 already. Nothing was added. Choose another name."), id)
