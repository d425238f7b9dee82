"""Reading the file in which UFO says which agents there are (`devices.yaml`), as devices of the kind `aip`.

Each is always connected, as often as that takes: `auto_connect` and `max_retries` change nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from pydantic import ValidationError

from starloom.formats.fields import describe, findings
from starloom.formats.report import ProblemReport
from starloom.model.address import holds_secret
from starloom.model.device import DeviceSpec

if TYPE_CHECKING:
    from starloom.formats.limits import Path
    from starloom.formats.source import ParsedDocument

FILE: Final = "devices.yaml"
"""What UFO calls the file."""
_KEY_OF_FIELD: Final = {"id": "device_id"}
_UNKNOWN: Final = frozenset({"", "unknown"})


def looks_like_devices(value: Any) -> bool:
    """Whether a value has what only UFO's files of devices have."""
    entries = value.get("devices") if isinstance(value, dict) and "starloom" not in value else None
    return isinstance(entries, list) and any(isinstance(entry, dict) and "device_id" in entry for entry in entries)


def read_devices(document: ParsedDocument) -> tuple[DeviceSpec, ...]:
    """The devices that a file of UFO names.

    Raises:
        PlanError: something in it cannot be used; lists everything found.
    """
    report = ProblemReport(document)
    found: dict[str, DeviceSpec] = {}
    for number, entry in enumerate(document.value["devices"]):
        path: Path = ("devices", number)
        spec = _device(report, entry, path)
        if spec is not None and found.setdefault(spec.id, spec) is not spec:
            report.add(
                (*path, "device_id"), f"there is a device {spec.id!r} already.", "Give each its own.", code="ufo"
            )
    report.finish()
    return tuple(found.values())


def _device(report: ProblemReport, entry: Any, path: Path) -> DeviceSpec | None:
    if not isinstance(entry, dict):
        report.add(path, f"must be a mapping of fields, not {describe(entry)}.", code="ufo")
        return None
    missing = [key for key in ("device_id", "server_url") if not entry.get(key)]
    for key in missing:
        report.add(path, f"the field {key!r} is missing.", code="ufo")
    url = entry.get("server_url")
    if isinstance(url, str) and _holds_secret(url):
        report.add(
            (*path, "server_url"),
            "the address holds a token or password, which would be written down with it.",
            "Leave it out there, and add a line `token: keyring:NAME` or `token: env:NAME` that says where it is kept.",
            code="ufo",
        )
        return None
    if missing:
        return None
    system, said = entry.get("os"), entry.get("capabilities")
    capabilities = [*(said if isinstance(said, list) else () if said is None else (said,)), *_system(system)]
    options = {"url": url, "token": entry.get("token"), "plaintext": entry.get("plaintext")}
    options |= {"metadata": entry.get("metadata")}
    fields: dict[str, Any] = {
        "id": entry["device_id"],
        "kind": "aip",
        "capabilities": capabilities,
        "options": {name: value for name, value in options.items() if value is not None},
    }
    try:
        return DeviceSpec(**fields)
    except ValidationError as error:
        for inner, message, hint in findings(error, fields, tuple(fields)):
            place = (*path, _KEY_OF_FIELD.get(str(inner[0]), inner[0])) if inner else path
            report.add(place, message, hint, code="ufo")
        return None


def _system(value: Any) -> tuple[Any, ...]:
    """The system as a capability: tasks that ask for a device type ask for it."""
    return () if value is None or value in _UNKNOWN else (value.lower() if isinstance(value, str) else value,)


def _holds_secret(url: str) -> bool:
    try:
        return holds_secret(urlsplit(url))
    except ValueError:
        return False  # no address at all, which the device will say
