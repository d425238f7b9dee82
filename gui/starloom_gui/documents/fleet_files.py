"""Fleet files on disk: read with the devices they name, and the program's own, which several consoles change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.devices.kinds import make_device
from starloom.errors import DeviceError, PlanError, Problem
from starloom.formats import load_fleet, save_fleet
from starloom.model.plan import NO_LIMITS
from starloom.settings import journal_path
from starloom_gui.text.engine_words import why_not

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from starloom.devices.base import Device
    from starloom.model.device import DeviceSpec
    from starloom.model.plan import Limits


def kept_path() -> Path:
    """The default fleet file, beside the journals."""
    return journal_path().with_name("own-fleet.yaml")


def keep_devices(known: Mapping[str, DeviceSpec], specs: Iterable[DeviceSpec]) -> bool:
    """Change the program's own file as a console has changed its devices, as another console may have changed it, too.

    Args:
        known: what the console has read from the file, or written there.
        specs: its devices now.

    Returns:
        Whether there is a file: without devices there is none.

    Raises:
        PlanError: it cannot be read or written.
        OSError: its folder cannot be made, or it cannot be removed.
    """
    there, limits = load_fleet(kept_path()) if kept_path().exists() else ((), NO_LIMITS)
    now = {spec.id: spec for spec in specs}
    kept = {spec.id: spec for spec in there if spec.id in now or spec.id not in known}
    kept |= {id: spec for id, spec in now.items() if known.get(id) != spec}
    if not kept:
        kept_path().unlink(missing_ok=True)
    else:
        kept_path().parent.mkdir(parents=True, exist_ok=True)
        save_fleet(tuple(kept.values()), kept_path(), limits)
    return bool(kept)


def read_fleet(path: Path) -> tuple[tuple[Device, ...], Limits]:
    """The devices of a fleet file, not connected yet, and its limits; asks the disk, and loads the kinds it names.

    Raises:
        PlanError: it cannot be read or is no good fleet file; lists everything that is wrong.
    """
    specs, limits = load_fleet(path)
    devices: list[Device] = []
    problems: list[Problem] = []
    for spec in specs:
        try:
            devices.append(make_device(spec))
        except DeviceError as error:
            problems.append(Problem(message=why_not(error), code="device", where=f"devices.{spec.id}"))
    if problems:
        raise PlanError(problems, str(path))
    return tuple(devices), limits
