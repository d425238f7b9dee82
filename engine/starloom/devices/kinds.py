"""The kinds of devices: built-in ones, and those of installed plug-ins.

A plug-in names its class under the entry-point group `starloom.devices`. Nothing is imported before it is asked for, so
a console without local devices never loads psutil, and a broken plug-in harms nobody but those who want it.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from starloom.devices.base import Device
from starloom.devices.group import DeviceGroup
from starloom.errors import DeviceError, nearest

if TYPE_CHECKING:
    from starloom.model.device import DeviceSpec

ENTRY_POINT_GROUP: Final = "starloom.devices"

# Known without any metadata too: a frozen app has none.
_BUILT_IN: Final[Mapping[str, EntryPoint]] = {
    name: EntryPoint(name, f"starloom.devices.{name}:{class_name}", ENTRY_POINT_GROUP)
    for name, class_name in (
        ("acp", "AcpDevice"),
        ("aip", "AipDevice"),
        ("dask", "DaskCluster"),
        ("inprocess", "InProcessDevice"),
        ("llm", "LlmDevice"),
        ("local", "LocalDevice"),
        ("simulated", "SimulatedDevice"),
        ("ssh", "SshDevice"),
        ("wrapped", "WrappedDevice"),
    )
}
_EXTRAS: Final[Mapping[str, str]] = {"aip": "websockets", "dask": "distributed", "ssh": "asyncssh"}
"""What a built-in kind needs that not everybody has; the extra that brings it has the kind's name."""
_COMMON: Final = frozenset({"self", "id", "slots", "capabilities", "speed", "trip_after", "cool_down"})
"""What a spec says in fields of its own, not among the options."""


def device_kinds() -> Mapping[str, type[Device]]:
    """The kinds of devices by name; a class is imported when it is looked up.

    Looking up a plug-in that cannot be imported raises DeviceError; its name is listed all the same. A plug-in cannot
    replace a built-in kind.
    """
    return _Kinds({**_plugged_in(tuple(sys.path)), **_BUILT_IN})


@functools.lru_cache(maxsize=1)
def _plugged_in(_path: tuple[str, ...]) -> Mapping[str, EntryPoint]:
    """The entries of plug-ins; they are asked for with each device, and reading what is installed takes 5 ms."""
    return {entry.name: entry for entry in reversed(tuple(entry_points(group=ENTRY_POINT_GROUP)))}


def make_device(spec: DeviceSpec) -> Device:
    """The device of a plan's or a fleet file's entry, not connected yet.

    Raises:
        DeviceError: the kind is unknown or its plug-in broken, or an option is unknown or cannot be used.
    """
    kind = _find_kind(spec)
    # A kind that reads its spec itself knows best which options it takes.
    if kind.from_spec.__func__ is Device.from_spec.__func__:  # type: ignore[attr-defined]  # bound class methods
        _check_options(spec, kind)
    device = kind.from_spec(spec)
    device.spec, device.trip_after, device.cool_down = spec, spec.trip_after, spec.cool_down
    return device


def is_group(kind: str) -> bool:
    """Whether devices of a kind are groups, whose members are called `<id>-<name>`.

    A kind that is unknown, or cannot be loaded here, is none.
    """
    try:
        made = device_kinds().get(kind)
    except DeviceError:
        return False
    return made is not None and issubclass(made, DeviceGroup)


def actions_of(kind: str) -> frozenset[str] | None:
    """What devices of a kind can do before they are there; None: the kind does not say, or cannot be loaded here."""
    try:
        made = device_kinds().get(kind)
    except DeviceError:
        return None
    return made.actions if made is not None else None


class _Kinds(Mapping[str, type[Device]]):
    """Names of kinds to their classes, each loaded when it is first asked for."""

    __slots__ = ("_entries",)

    def __init__(self, entries: Mapping[str, EntryPoint]) -> None:
        self._entries = entries

    @override
    def __getitem__(self, name: str) -> type[Device]:
        return _load(self._entries[name])

    @override
    def __contains__(self, name: object) -> bool:
        return name in self._entries

    @override
    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._entries))

    @override
    def __len__(self) -> int:
        return len(self._entries)


def missing_package(kind: str) -> str:
    """Why devices of a kind cannot be made here: a package they need is not installed; empty: none is known to lack."""
    package = _EXTRAS.get(kind)
    if package is None or find_spec(package) is not None:
        return ""
    return _needs(kind, package, "not installed here")


def _needs(kind: str, package: str, lack: str) -> str:
    return (
        f"Devices of the kind {kind!r} need the package {package!r}, which is {lack}. "
        f"Install it with: pip install 'starloom[{kind}]'."
    )


def _load(entry: EntryPoint) -> type[Device]:
    try:
        loaded = entry.load()
    except ModuleNotFoundError as error:
        package = _EXTRAS.get(entry.name)
        if error.name is None or error.name.partition(".")[0] != package:
            raise _broken(entry, error) from error
        lack = "not installed here" if error.name == package else "too old here"  # a part of it is missing
        raise DeviceError(_needs(entry.name, package, lack)) from error
    except Exception as error:  # a plug-in may raise anything when it is imported; it is named and the rest goes on
        raise _broken(entry, error) from error
    if not (isinstance(loaded, type) and issubclass(loaded, Device)):
        raise DeviceError(
            f"The device kind {entry.name!r} ({entry.value}, {_owner(entry)}) is not a subclass of "
            "starloom.devices.base.Device; its package has to be repaired."
        )
    return loaded


def _broken(entry: EntryPoint, error: Exception) -> DeviceError:
    return DeviceError(
        f"The device kind {entry.name!r} ({entry.value}, {_owner(entry)}) cannot be loaded: "
        f"{type(error).__name__}: {error}. Repair or remove that package."
    )


def _owner(entry: EntryPoint) -> str:
    return f"from {entry.dist.name} {entry.dist.version}" if entry.dist is not None else "built in"


def _find_kind(spec: DeviceSpec) -> type[Device]:
    built_in = _BUILT_IN.get(spec.kind)
    if built_in is not None:  # without a look at the metadata of everything installed
        return _load(built_in)
    kinds = device_kinds()
    if spec.kind not in kinds:
        near = nearest(spec.kind, kinds)
        guess = f" Did you mean {near!r}?" if near else ""
        raise DeviceError(
            f"Device {spec.id!r} has the unknown kind {spec.kind!r}.{guess} Known kinds: {', '.join(kinds)}."
        )
    return kinds[spec.kind]


def _check_options(spec: DeviceSpec, kind: type[Device]) -> None:
    parameters = inspect.signature(kind.__init__).parameters
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()):
        return
    known = sorted(parameters.keys() - _COMMON)
    required = [name for name in known if parameters[name].default is inspect.Parameter.empty]
    missing = [name for name in required if name not in spec.options]
    if missing:
        needs = f"the option{'s' * (len(missing) > 1)} {', '.join(map(repr, missing))}"
        raise DeviceError(f"Device {spec.id!r} of kind {spec.kind} needs {needs}.")
    unknown = [name for name in spec.options if name not in known]
    if not unknown:
        return
    near = nearest(unknown[0], known)
    guess = f" Did you mean {near!r}?" if near else ""
    listed = f"Its options: {', '.join(known)}." if known else "It takes none."
    raise DeviceError(
        f"Device {spec.id!r} of kind {spec.kind} has no option {', '.join(map(repr, unknown))}.{guess} {listed}"
    )
