"""Plans and fleets in files: opening, telling formats apart, saving without ever leaving half a file."""

from __future__ import annotations

import os
import re
import secrets
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from starloom.bulk_loading import collector_at_rest
from starloom.errors import PlanError, Problem
from starloom.formats import dot, dot_reader, graphml, mermaid, native, ufo, ufo_devices, ufo_writer, wfformat
from starloom.formats.limits import MAX_BYTES
from starloom.formats.native_writer import write_fleet, write_plan
from starloom.formats.source import ParsedDocument, decoded, read_document, too_large
from starloom.model.plan import NO_LIMITS, UNNAMED
from starloom.model.secret import is_reference

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from starloom.model.device import DeviceSpec
    from starloom.model.plan import Limits, Plan

FORMATS: Final = ("yaml", "json", "wfformat", "ufo", "dot", "graphml", "mermaid")
"""What can be written; `READABLE` can be read too."""
READABLE: Final = ("yaml", "json", "wfformat", "ufo", "dot")
_SUFFIXES: Final = {
    ".yaml": "yaml",
    ".yml": "yaml",
    ".wf.json": "wfformat",
    ".ufo.json": "ufo",
    ".json": "json",
    ".dot": "dot",
    ".gv": "dot",
    ".graphml": "graphml",
    ".mmd": "mermaid",
    ".mermaid": "mermaid",
}
"""Of two endings that fit, the first counts."""
_WRITERS: Final[Mapping[str, Callable[[Plan], str]]] = {
    "wfformat": wfformat.write_plan,
    "ufo": ufo_writer.write_plan,
    "dot": dot.write_plan,
    "graphml": graphml.write_plan,
    "mermaid": mermaid.write_plan,
}
_SECRET: Final = re.compile(r"passw|passphrase|secret|(?<!max_)token|api_?key|credential", re.IGNORECASE)
"""Names of options, of plug-ins' kinds, whose values stand in no file."""
_READS: Final = (
    "Starloom reads its own format (YAML or JSON that starts with 'starloom: 1'), WfFormat 1.4 or newer (JSON with "
    "'workflow'), UFO constellations (JSON with 'constellation_id' or 'task_id') and DOT."
)


def load_plan(path: str | os.PathLike[str], format: str | None = None) -> Plan:  # noqa: A002 - the word people use
    """Read the plan in a file, whose format is detected from its content.

    Args:
        path: the file.
        format: one of `READABLE` where the file must be that; None: whichever it is.

    Raises:
        PlanError: the file cannot be read or is no good plan; lists everything that is wrong, with lines.
    """
    return load_plan_and_format(path, format)[0]


def load_plan_and_format(path: str | os.PathLike[str], format: str | None = None) -> tuple[Plan, str]:  # noqa: A002
    """The plan in a file, and which of `READABLE` the file is; else as `load_plan`."""
    plan, found, _ = load_plan_file(path, format)
    return plan, found


def load_plan_file(
    path: str | os.PathLike[str],
    format: str | None = None,  # noqa: A002
) -> tuple[Plan, str, frozenset[str]]:
    """The plan in a file, its format, and which sections are mappings from ids, as `save_plan` takes both.

    A constellation of UFO has the devices of the file `devices.yaml` beside it, where there is one of UFO's.
    """
    with collector_at_rest():
        plan, found, keyed = _parse(read_file(path), os.fspath(path), format)
    return (_with_devices_beside(plan, path) if found == "ufo" else plan), found, keyed


def _with_devices_beside(plan: Plan, path: str | os.PathLike[str]) -> Plan:
    beside = Path(path).with_name(ufo_devices.FILE)
    if not beside.is_file():
        return plan
    document = read_document(read_file(beside), os.fspath(beside))
    if not ufo_devices.looks_like_devices(document.value):
        return plan
    return replace(plan, devices=ufo_devices.read_devices(document), metadata=ufo.with_devices_beside(plan.metadata))


def stem_of(path: str | os.PathLike[str]) -> str:
    """The name of a file without the ending that says its format."""
    name = Path(path).name
    found = next((ending for ending in _SUFFIXES if name.lower().endswith(ending)), Path(name).suffix)
    return name[: len(name) - len(found)] or name


def named_after(plan: Plan, path: str | os.PathLike[str]) -> Plan:
    """The plan, named after its file if it has no name, so that plans can be told apart."""
    stem = "".join(each for each in stem_of(path) if each.isprintable())  # a file's name may be no text
    return plan.named(stem) if plan.name == UNNAMED and stem else plan


def parse_plan(text: str | bytes, source: str = "", format: str | None = None) -> Plan:  # noqa: A002
    """The plan that text describes.

    Args:
        text: at most 50 MB, of DOT 1 MB; bytes must be UTF-8.
        source: the name of the file, for messages.
        format: as in `load_plan`.

    Raises:
        PlanError: it is no good plan; lists everything that is wrong, with lines.
    """
    return _parse(text, source, format)[0]


def _parse(text: str | bytes, source: str, wanted: str | None) -> tuple[Plan, str, frozenset[str]]:
    if wanted is None:
        wanted = _told_by_ending_or_start(text, source)
    if wanted is not None:
        _known_format(wanted, source)
    if wanted in FORMATS and wanted not in READABLE:
        message = f"{wanted} is written by Starloom, but not read."
        raise PlanError([Problem(code="format", message=message, hint=_READS)], source)
    if wanted == "dot":
        return dot_reader.read_plan(decoded(text, source), source), wanted, frozenset()
    document = read_document(text, source, wanted if wanted in {None, "yaml"} else "json")
    if wanted == "wfformat" or (wanted is None and _is_wfformat(document)):
        return wfformat.read_plan(document), "wfformat", frozenset()
    if wanted == "ufo" or (wanted is None and ufo.looks_like_ufo(document.value)):
        return ufo.read_plan(document), "ufo", frozenset()
    _refuse_foreign(document)
    return native.read_plan(document), wanted or document.syntax, native.keyed_sections(document)


def _told_by_ending_or_start(text: str | bytes, source: str) -> str | None:
    """A format that is neither JSON nor YAML; None: it is one of these two, and what is in it says which."""
    ending = _ending_format(source)
    if ending in {"dot", "graphml", "mermaid"}:
        return ending
    return "dot" if dot_reader.looks_like_dot(text) else None


def load_fleet(path: str | os.PathLike[str]) -> tuple[tuple[DeviceSpec, ...], Limits]:
    """The devices and limits in a fleet file, also in one of UFO's.

    Raises:
        PlanError: the file cannot be read or is no good fleet file; lists everything that is wrong, with lines.
    """
    document = read_document(read_file(path), os.fspath(path))
    if ufo_devices.looks_like_devices(document.value):
        return ufo_devices.read_devices(document), NO_LIMITS
    return native.read_fleet(document)


def save_fleet(
    devices: Iterable[DeviceSpec], path: str | os.PathLike[str], limits: Limits = NO_LIMITS
) -> tuple[str, ...]:
    """Write devices and limits into a fleet file: wholly, or the file stays as it was.

    Args:
        devices: what to write; options that are secrets by their name are left out.
        path: the file; its suffix decides: .yaml, .yml or .json.
        limits: the fleet's, where the file is to give them.

    Returns:
        A sentence for each option that was left out.

    Raises:
        PlanError: the suffix is another one, an option holds a value that a file cannot, or writing failed.
    """
    target = Path(path)
    syntax = format_of(target)
    if syntax not in {"yaml", "json"}:
        problem = Problem(code="format", message=f"{target.suffix!r} holds no fleet.", hint="Use .yaml or .json.")
        raise PlanError([problem], os.fspath(path))
    told: list[str] = []
    text = write_fleet([without_secrets(device, told) for device in devices], limits, syntax)
    try:
        _replace(target, text)
    except OSError as error:
        raise _file_error(target, "written", error) from None
    return tuple(told)


def without_secrets(device: DeviceSpec, told: list[str]) -> DeviceSpec:
    """The device without what belongs into a keyring; a sentence is added for each option that goes."""
    kept = {name: value for name, value in device.options.items() if not _SECRET.search(name) or is_reference(value)}
    told.extend(
        f"The option {name!r} of device {device.id!r} is a secret and was left out."
        for name in device.options
        if name not in kept
    )
    return device if len(kept) == len(device.options) else replace(device, options=kept)


def dump_plan(plan: Plan, format: str = "yaml", keyed: Collection[str] = ()) -> str:  # noqa: A002
    """The text of a plan in one of `FORMATS`; `losses` says what the others than `yaml` and `json` leave out.

    Args:
        plan: what to write.
        format: which.
        keyed: of `tasks` and `devices`, those that are written as mappings from ids, in Starloom's own format.

    Raises:
        PlanError: the format is unknown, or the plan holds a value that a file cannot.
    """
    _known_format(format, "")
    return _WRITERS[format](plan) if format in _WRITERS else write_plan(plan, format, keyed)


def save_plan(
    plan: Plan,
    path: str | os.PathLike[str],
    format: str | None = None,  # noqa: A002
    keyed: Collection[str] = (),
) -> None:
    """Write a plan into a file: wholly, or the file stays as it was.

    Args:
        plan: what to write.
        path: the file; its suffix decides: .yaml, .yml, .json, .wf.json, .ufo.json, .dot, .gv, .graphml, .mmd.
        format: as in `dump_plan`, whatever the suffix is.
        keyed: as in `dump_plan`.

    Raises:
        PlanError: suffix or format is unknown, the plan holds a value that a file cannot, or writing failed.
    """
    target = Path(path)
    text = dump_plan(plan, format_of(target, format), keyed)
    try:
        _replace(target, text)
    except OSError as error:
        raise _file_error(target, "written", error) from None


def _replace(target: Path, text: str) -> None:
    target = target.resolve()  # replacing a link would cut it off from what it points to
    part = target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}.part")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)  # with the rights any new file would get
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            part.chmod(target.stat().st_mode & 0o777)
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def format_of(path: str | os.PathLike[str], format: str | None = None) -> str:  # noqa: A002
    """The format in which a file of that name is written: the given one, else what its ending says.

    Raises:
        PlanError: the given format is unknown, or the ending says none.
    """
    source = os.fspath(path)
    if format is not None:
        _known_format(format, source)
        return format
    found = _ending_format(source)
    if found is not None:
        return found
    suffix = Path(path).suffix
    ending = f"the ending {suffix!r} says no format" if suffix else "the file name has no ending"
    hint = f"Use one of {', '.join(_SUFFIXES)}, or give the format."
    raise PlanError([Problem(code="format", message=f"{ending}.", hint=hint)], source)


def _ending_format(name: str) -> str | None:
    return next((known for ending, known in _SUFFIXES.items() if name.lower().endswith(ending)), None)


def _known_format(name: str, source: str) -> None:
    if name not in FORMATS:
        problem = Problem(code="format", message=f"{name!r} is no format.", hint=f"Use one of {', '.join(FORMATS)}.")
        raise PlanError([problem], source)


def _is_wfformat(document: ParsedDocument) -> bool:
    return isinstance(document.value, dict) and "workflow" in document.value and "starloom" not in document.value


def _refuse_foreign(document: ParsedDocument) -> None:
    """A mapping that has nothing of a plan gets one sentence, not a list of unknown fields."""
    value = document.value
    if isinstance(value, dict) and not value.keys() & {"starloom", "tasks", "devices"}:
        problem = Problem(code="format", message="this is not a plan in a format that can be read.", hint=_READS)
        raise PlanError([problem], document.source)


def read_file(path: str | os.PathLike[str]) -> bytes:
    """The content of a file, if it is not larger than allowed.

    Raises:
        PlanError: it cannot be read, or it is larger.
    """
    file = Path(path)
    try:
        if file.is_dir():  # Windows would say that permission is denied
            raise IsADirectoryError
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
            size = max(len(data), os.fstat(stream.fileno()).st_size)
    except (OSError, ValueError) as error:
        raise _file_error(file, "read", error) from None
    if len(data) > MAX_BYTES:
        raise PlanError([too_large(size)], os.fspath(path))
    return data


def _file_error(path: Path, done: str, error: Exception) -> PlanError:
    what: dict[type[Exception], tuple[str, str]] = {
        FileNotFoundError: ("the file or its folder does not exist.", "Check the path."),
        IsADirectoryError: ("this is a folder, not a file.", "Name a file in it."),
        NotADirectoryError: ("a part of the path is a file, not a folder.", "Check the path."),
        PermissionError: (f"there is no permission; it cannot be {done}.", "Change its permissions or its owner."),
    }
    otherwise = (f"it cannot be {done}: {getattr(error, 'strerror', None) or error}.", "")
    message, hint = what.get(type(error), otherwise)
    return PlanError([Problem(code="file", message=message, hint=hint)], os.fspath(path))
