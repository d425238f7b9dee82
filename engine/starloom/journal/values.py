"""Encoding of event values for msgpack, and back: exactly, or not at all.

What is JSON goes as it is. What Python allows beyond that (a tuple, a large integer, half a surrogate pair) goes as a
msgpack extension, so that it comes back as what it was. What a plan is made of goes without its defaults, and comes
back through its own validation; many tasks go as columns (see `plans`). How events become turns is told in `forms`
and `codec`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, NoReturn

import msgspec
from msgspec.msgpack import Ext
from pydantic import TypeAdapter

from starloom.constellation import edits as ed
from starloom.constellation.validation import is_steering
from starloom.decodable import decodable
from starloom.model.dependency import Dependency
from starloom.model.device import DeviceSpec
from starloom.model.expected import JsonSchema
from starloom.model.files import Files
from starloom.model.note import Note
from starloom.model.plan import Limits
from starloom.model.secret import Secret
from starloom.model.severity import ExitSeverity
from starloom.model.task import ACTIONS, UPDATABLE_FIELDS, BypassValue, Gate, Prefer, Retry, Simulate, Task

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_INTEGER: Final = 1
_TUPLE: Final = 2
_FROZENSET: Final = 3
_TEXT: Final = 4
_PAIRS: Final = 5
_SMALLEST: Final = -(2**63)
_LARGEST: Final = 2**64 - 1
_DEEPEST: Final = 100
"""How many levels a value that msgpack alone cannot say may have: on the way back a level may take several frames."""
_MARGIN: Final = bytes([0x91]) * 200
"""So many lists of one, one in the other: what still decodes inside them does so wherever it is read from."""
_SCALARS: Final = frozenset({type(None), bool, float, bytes})
_WITH_PLAIN: Final = frozenset({ExitSeverity, Files, JsonSchema})
NOT_PLAIN: Final = (OverflowError, UnicodeEncodeError, TypeError, ValueError, RecursionError)
"""How msgspec says that it cannot encode a value."""

_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final = msgspec.msgpack.Decoder()


class NotKeepable(TypeError):  # noqa: N818 - told to the codec, which makes a sentence of it
    """A journal cannot keep the value."""


# ---- any value


def is_keepable(value: Any) -> bool:
    """Whether msgpack alone decodes an equal value; False also when finding out would take longer."""
    if type(value) in _SCALARS:
        return True
    try:
        data = _encoder.encode(value)
        if len(data) > len(_MARGIN):  # else it is not deep enough to be in doubt
            _decoder.decode(_MARGIN + data)
        return bool(_decoder.decode(data) == value)
    except (*NOT_PLAIN, msgspec.DecodeError):
        return False


def pack(value: Any, depth: int = _DEEPEST) -> Any:
    """The msgpack form of a value, from which `unpack` and the decoder make an equal one of the same type.

    Args:
        value: any value.
        depth: how many levels it may have below it.

    Raises:
        NotKeepable: it is, or holds, something that is no plain value, or is nested too deeply.
    """
    kind = type(value)
    if kind in _SCALARS:
        return value
    if kind is str:
        return _packed_text(value)
    if kind is int:
        return value if _SMALLEST <= value <= _LARGEST else Ext(_INTEGER, _integer_bytes(value))
    if not depth:
        raise NotKeepable("a value that is nested too deeply")
    if kind is list:
        return [pack(one, depth - 1) for one in value]
    if kind is tuple:
        return Ext(_TUPLE, _encoder.encode([pack(one, depth - 1) for one in value]))
    if kind is frozenset:
        return Ext(_FROZENSET, _encoder.encode([pack(one, depth - 1) for one in value]))
    return _packed_rest(value, depth)


def _packed_rest(value: Any, depth: int) -> Any:
    if isinstance(value, Mapping):
        pairs = [[pack(key, depth - 1), pack(one, depth - 1)] for key, one in value.items()]
        return dict(pairs) if all(type(key) is str for key, _ in pairs) else Ext(_PAIRS, _encoder.encode(pairs))
    if type(value) is Secret:
        return {"secret": value.secret}
    if isinstance(value, Enum):
        return pack(value.value, depth - 1)
    raise NotKeepable(f"a value of the type {type(value).__name__}")


def _packed_text(text: str) -> str | Ext:
    try:
        text.encode()
    except UnicodeEncodeError:  # a file name that is not UTF-8, in an error message
        return Ext(_TEXT, text.encode("utf-8", "surrogatepass"))
    return text


def _integer_bytes(number: int) -> bytes:
    return number.to_bytes(number.bit_length() // 8 + 1, "little", signed=True)


def unpack(code: int, data: memoryview) -> Any:
    """The value of a msgpack extension; the decoder's `ext_hook`.

    Raises:
        ValueError: no such extension is known.
    """
    if code == _INTEGER:
        return int.from_bytes(data, "little", signed=True)
    if code == _TEXT:
        return bytes(data).decode("utf-8", "surrogatepass")
    if code == _TUPLE:
        return tuple(_items(data))
    if code == _FROZENSET:
        return frozenset(_items(data))
    if code == _PAIRS:
        return dict(_items(data))
    raise ValueError(f"there is no value of the kind {code}")


_nested: Final[msgspec.msgpack.Decoder[list[Any]]] = msgspec.msgpack.Decoder(decodable(list[Any]), ext_hook=unpack)


def _items(data: memoryview) -> list[Any]:
    return _nested.decode(data)


# ---- what a plan is made of


def _defaults_of(kind: type[Any]) -> tuple[tuple[str, Any], ...]:
    return tuple((field.name, field.default) for field in fields(kind))


Part = Task | Retry | Prefer | Simulate | Gate | BypassValue | Dependency | Limits | DeviceSpec | Note
_PARTS: Final = (Task, Retry, Prefer, Simulate, Gate, BypassValue, Dependency, Limits, DeviceSpec, Note)
_DEFAULTS: Final[dict[type[Any], tuple[tuple[str, Any], ...]]] = {kind: _defaults_of(kind) for kind in _PARTS}
_tasks: Final[TypeAdapter[tuple[Task, ...]]] = TypeAdapter(tuple[Task, ...])
_dependencies: Final[TypeAdapter[tuple[Dependency, ...]]] = TypeAdapter(tuple[Dependency, ...])
_limits: Final[TypeAdapter[Limits]] = TypeAdapter(Limits)
_notes: Final[TypeAdapter[tuple[Note, ...]]] = TypeAdapter(tuple[Note, ...])
_devices: Final[TypeAdapter[tuple[DeviceSpec, ...]]] = TypeAdapter(tuple[DeviceSpec, ...])


def part_to_plain(part: Part) -> dict[str, Any]:
    """The fields of a part of a plan that differ from their defaults.

    Raises:
        NotKeepable: one of them holds something that is no plain value.
    """
    has_value = type(part) is Simulate or type(part) is BypassValue  # which may be a tuple and must stay one
    to_plain = pack if has_value else field_to_plain
    plain: dict[str, Any] = {}
    for name, default in _DEFAULTS[type(part)]:
        value = getattr(part, name)
        if value is not default and value != default:
            plain[name] = to_plain(value)
    return plain


def field_to_plain(value: Any) -> Any:
    """The value of a field of such a part, in the form that its validation reads.

    Raises:
        NotKeepable: it holds something that is no plain value.
    """
    kind = type(value)
    if kind is str:
        return value
    if kind is tuple:
        return list(value)
    if kind is frozenset:
        return sorted(value)
    if kind in _DEFAULTS:
        return part_to_plain(value)
    return value.to_plain() if kind in _WITH_PLAIN else pack(value)


def tasks_from_plain(plain: Sequence[Any]) -> tuple[Task, ...]:
    """The tasks from the values of `part_to_plain`.

    Raises:
        ValueError: one of them is no task.
    """
    return _tasks.validate_python(plain)


def dependencies_from_plain(plain: Sequence[Any]) -> tuple[Dependency, ...]:
    """The dependencies from the values of `part_to_plain`.

    Raises:
        ValueError: one of them is no dependency.
    """
    return _dependencies.validate_python(plain)


def limits_from_plain(plain: Any) -> Limits:
    """The limits from the values of `part_to_plain`.

    Raises:
        ValueError: they are none.
    """
    return _limits.validate_python(plain)


def devices_from_plain(plain: Any) -> tuple[DeviceSpec, ...]:
    """The devices from the values of `part_to_plain`.

    Raises:
        ValueError: one of them is no device.
    """
    return _devices.validate_python(plain)


def notes_from_plain(plain: Any) -> tuple[Note, ...]:
    """The notes from the values of `part_to_plain`.

    Raises:
        ValueError: one of them is no note.
    """
    return _notes.validate_python(plain)


def _fields_from_plain(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Some fields of a task, each as its validation leaves it."""
    if not UPDATABLE_FIELDS.issuperset(plain):
        _refuse("a change of fields", plain)
    action = {} if any(plain.get(name) is not None for name in ACTIONS) else {"call": "any"}
    (task,) = tasks_from_plain([{"id": "any", **action, **plain}])
    return {name: getattr(task, name) if plain[name] is not None else None for name in plain}


# ---- edits


def _update_to_plain(edit: ed.UpdateTask) -> list[Any]:
    fields = {name: field_to_plain(value) for name, value in edit.fields.items()}
    return [edit.task_id, fields, dict(edit.steering)] if edit.steering else [edit.task_id, fields]


_EDIT_TO_PLAIN: Final[dict[type[Any], tuple[str, Callable[[Any], list[Any]]]]] = {
    ed.AddTask: ("add_task", lambda edit: [part_to_plain(edit.task), edit.place]),
    ed.RemoveTask: ("remove_task", lambda edit: [edit.task_id]),
    ed.UpdateTask: ("update_task", _update_to_plain),
    ed.AddDependency: ("add_dependency", lambda edit: [part_to_plain(edit.dependency)]),
    ed.RemoveDependency: ("remove_dependency", lambda edit: [edit.parent, edit.child]),
    ed.UpdateDependency: ("update_dependency", lambda edit: [part_to_plain(edit.dependency)]),
}


def edit_to_plain(edit: ed.Edit) -> list[Any]:
    """The name of an edit and its fields.

    Raises:
        NotKeepable: it holds something that is no plain value.
    """
    name, parts = _EDIT_TO_PLAIN[type(edit)]
    return [name, *parts(edit)]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else _refuse("text", value)


def _place(value: Any) -> int | None:
    return value if value is None or type(value) is int else _refuse("a place", value)


def _refuse(what: str, value: Any) -> NoReturn:
    raise ValueError(f"{what} cannot be {value!r:.80}")


def _task(plain: Any) -> Task:
    return tasks_from_plain([plain])[0]


def _dependency(plain: Any) -> Dependency:
    return dependencies_from_plain([plain])[0]


def _update(task_id: Any, plain: Any, steering: Any) -> ed.UpdateTask:
    update = ed.UpdateTask(_text(task_id), **_fields_from_plain(plain))
    if steering is None:
        return update
    if not isinstance(steering, dict) or not is_steering(steering):
        _refuse("the steering of a task", steering)
    return update.with_steering(steering)


_EDIT_FROM_PLAIN: Final[dict[str, Callable[..., ed.Edit]]] = {
    "add_task": lambda task, place: ed.AddTask(_task(task), _place(place)),
    "remove_task": lambda task_id: ed.RemoveTask(_text(task_id)),
    "update_task": lambda task_id, plain, steering=None: _update(task_id, plain, steering),
    "add_dependency": lambda plain: ed.AddDependency(_dependency(plain)),
    "remove_dependency": lambda parent, child: ed.RemoveDependency(_text(parent), _text(child)),
    "update_dependency": lambda plain: ed.UpdateDependency(_dependency(plain)),
}


def edits_from_plain(plain: Sequence[Any]) -> tuple[ed.Edit, ...]:
    """The edits from the values of `edit_to_plain`.

    Raises:
        ValueError, TypeError, KeyError: one of them is none.
    """
    return tuple(_EDIT_FROM_PLAIN[name](*parts) for name, *parts in plain)
