"""The forms of the kinds of devices: their fields, and the device that the values describe.

A kind is described here in data. One that is not (a plug-in's, or a new one) gets a field for each of its own options,
so it can be used at once; a description only makes its form read better.
"""

from __future__ import annotations

import inspect
import os
import shlex
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError

from starloom.devices.kinds import device_kinds
from starloom.devices.wrappers import WRAPPERS
from starloom.errors import DeviceError
from starloom.model.device import COOL_DOWN, TRIP_AFTER, DeviceSpec
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
_ORDER: Final = ("local", "ssh", "dask", "wrapped", "simulated")
OTHER: Final = "other"
"""What is chosen for a wrapper that has no name."""
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

    def spec(self, values: Mapping[str, Any]) -> DeviceSpec:
        """The device that these values describe.

        Raises:
            FieldError: a value cannot be used.
        """
        defaults = {field.name: field.default for field in self.fields}
        given = {name: value for name, value in values.items() if value is not None and value != defaults[name]}
        common = {name: given.pop(name) for name in COMMON if name in given}
        options = self.adapt(given)
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
    described = _DESCRIBED.get(name)
    if described is not None:
        adapt = _ADAPTED.get(name, dict)
        return DeviceForm(kind=name, label=label, fields=_with_common(described()), adapt=adapt)
    try:
        return DeviceForm(kind=name, label=label, fields=_with_common(option_fields(kinds[name])))
    except DeviceError as error:  # a broken plug-in
        return DeviceForm(kind=name, label=label, trouble=str(error))


def kind_word(kind: str) -> str:
    """The name of a kind of device."""
    return {
        "local": translate("Devices", "This computer"),
        "ssh": translate("Devices", "SSH"),
        "dask": translate("Devices", "Dask"),
        "wrapped": translate("Devices", "Container"),
        "simulated": translate("Devices", "Simulated"),
    }.get(kind, _humanised(kind))


def _humanised(name: str) -> str:
    words = name.replace("_", " ").replace("-", " ")
    return words[:1].upper() + words[1:]


def _with_common(options: Iterable[FieldSpec]) -> tuple[FieldSpec, ...]:
    """The fields of a kind: the name, the kind's own fields, and those of all devices."""
    own = {field.name: field for field in options}
    name = FieldSpec(name="id", label=translate("Devices", "Name"), required=True)
    capabilities = FieldSpec(
        name="capabilities",
        label=translate("Devices", "Capabilities"),
        sort=ValueType.TAGS,
        default=frozenset(),
        hint=translate("Devices", "e.g. gpu"),
        help=translate("Devices", "Tasks that ask for these may run here."),
    )
    last = [own.pop("slots", _slots()), capabilities]
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


def _slots(default: int | None = None) -> FieldSpec:
    return FieldSpec(
        name="slots",
        label=translate("Devices", "Slots"),
        sort=ValueType.WHOLE,
        default=default,
        unit=translate("Devices", "tasks at once"),
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


# ---- the kinds that are described


def _directory(hint: str) -> FieldSpec:
    label, said = (
        translate("Devices", "Directory"),
        translate("Devices", "Where commands run unless a task says otherwise."),
    )
    return FieldSpec(name="working_directory", label=label, hint=hint, help=said, is_long=True)


def _local() -> tuple[FieldSpec, ...]:
    return (
        _directory(translate("Devices", "the console's own")),
        replace(_slots(), unit=translate("Devices", "tasks at once; empty: one a processor")),
        FieldSpec(
            name="inherit_env",
            label=translate("Devices", "Environment"),
            sort=ValueType.SWITCH,
            default=True,
            unit=translate("Devices", "Tasks see the console's variables"),
        ),
    )


def _ssh() -> tuple[FieldSpec, ...]:
    return (
        FieldSpec(name="host", label=translate("Devices", "Host"), required=True),
        FieldSpec(name="port", label=translate("Devices", "Port"), sort=ValueType.WHOLE, default=22, beside=True),
        FieldSpec(name="user", label=translate("Devices", "User"), hint=translate("Devices", "the same as here")),
        FieldSpec(
            name="keys",
            label=translate("Devices", "Key file"),
            hint=translate("Devices", "the usual ones"),
            is_long=True,
        ),
        FieldSpec(
            name="agent",
            label=translate("Devices", "Key agent"),
            sort=ValueType.SWITCH,
            default=True,
            unit=translate("Devices", "Ask the agent for keys first"),
        ),
        FieldSpec(
            name="jump",
            label=translate("Devices", "Through"),
            hint=translate("Devices", "nothing; or user@host:port"),
            is_long=True,
        ),
        _directory(translate("Devices", "the home of the user there")),
        _slots(1),
        FieldSpec(
            name="python",
            label=translate("Devices", "Python"),
            hint="python3",
            help=translate("Devices", "What calls functions there: its name or path on that machine."),
            is_long=True,
            is_rare=True,
        ),
    )


def _dask() -> tuple[FieldSpec, ...]:
    return (
        FieldSpec(
            name="address",
            label=translate("Devices", "Address"),
            hint=translate("Devices", "tcp://host:8786"),
            help=translate(
                "Devices", "Of the scheduler; each worker becomes a device. Empty: a cluster is started here."
            ),
            is_long=True,
        ),
        FieldSpec(
            name="workers",
            label=translate("Devices", "Workers"),
            sort=ValueType.WHOLE,
            hint="2",
            unit=translate("Devices", "of a cluster started here"),
        ),
        FieldSpec(
            name="threads",
            label=translate("Devices", "Threads"),
            sort=ValueType.WHOLE,
            hint="1",
            unit=translate("Devices", "tasks at once on each of them"),
        ),
        replace(_slots(), unit=translate("Devices", "tasks at once on a worker; empty: one a thread")),
    )


def _wrapped() -> tuple[FieldSpec, ...]:
    return (
        FieldSpec(
            name="wrapper",
            label=translate("Devices", "Reached by"),
            sort=ValueType.CHOICE,
            default="docker exec",
            required=True,
            choices=(
                *((name, name) for name in WRAPPERS),
                (OTHER, translate("Devices", "another program")),
            ),
        ),
        FieldSpec(
            name="target",
            label=translate("Devices", "Target"),
            help=translate("Devices", "The container, phone, pod or system, as that program calls it."),
            is_long=True,
        ),
        FieldSpec(
            name="program",
            label=translate("Devices", "Program"),
            hint="podman exec {target}",
            help=translate(
                "Devices", "What stands before each command where another program is chosen; no shell reads it."
            ),
            is_long=True,
        ),
        replace(_slots(), unit=translate("Devices", "tasks at once; empty: one a processor")),
    )


def _place_of(given: dict[str, Any]) -> dict[str, Any]:
    """The options of this computer, whose directory is there."""
    folder = given.get("working_directory")
    if folder and not os.path.isdir(folder):
        raise FieldError("working_directory", fill(translate("Devices", "There is no folder %1."), folder))
    return given


def _wrapper_of(given: dict[str, Any]) -> dict[str, Any]:
    """The options of a wrapped device: a wrapper that has a name, or the arguments of another program."""
    options = {"wrapper": "docker exec", **given}
    program = options.pop("program", None)
    if options["wrapper"] != OTHER:
        if program:
            words = translate("Devices", "It is not used by “%1”. Choose another program above, or leave this empty.")
            raise FieldError("program", fill(words, options["wrapper"]))
        return options
    try:
        arguments = shlex.split(program or "")
    except ValueError:
        raise FieldError("program", translate("Devices", "A quotation mark is not closed.")) from None
    if not arguments:
        raise FieldError("program", translate("Devices", "The program is missing, with what stands before a command."))
    return {**options, "wrapper": arguments}


def _simulated() -> tuple[FieldSpec, ...]:
    return (
        _slots(1),
        FieldSpec(
            name="speed",
            label=translate("Devices", "Speed"),
            sort=ValueType.NUMBER,
            default=1.0,
            unit=translate("Devices", "times as fast as estimated"),
        ),
        FieldSpec(
            name="failure_rate",
            label=translate("Devices", "Failures"),
            sort=ValueType.NUMBER,
            default=0.0,
            unit=translate("Devices", "of all attempts, 0 to 1"),
        ),
        FieldSpec(
            name="seed",
            label=translate("Devices", "Seed"),
            sort=ValueType.WHOLE,
            default=0,
            unit=translate("Devices", "another one lets other attempts fail"),
        ),
    )


_DESCRIBED: Final[Mapping[str, Callable[[], tuple[FieldSpec, ...]]]] = {
    "local": _local,
    "ssh": _ssh,
    "dask": _dask,
    "wrapped": _wrapped,
    "simulated": _simulated,
}
_ADAPTED: Final[Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]]] = {"local": _place_of, "wrapped": _wrapper_of}


def taken(id: str) -> str:
    """The message for a name that another device has."""
    return fill(translate("Devices", "There is a device %1 already. Nothing was added. Choose another name."), id)
