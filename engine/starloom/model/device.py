"""The specification of a device in a plan or fleet file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import BeforeValidator, Field, StringConstraints
from pydantic.dataclasses import dataclass

from starloom.model.frozen import EMPTY
from starloom.model.quantities import Duration
from starloom.model.task import CONFIG, Identifier

Slots = Annotated[int, Field(ge=1, le=1_000_000)]
Speed = Annotated[float, Field(gt=0, allow_inf_nan=False)]
TRIP_AFTER: Final = 5
COOL_DOWN: Final = 60.0
TripAfter = Annotated[int, Field(ge=0, le=1000)]
CoolDown = Annotated[Duration, Field(gt=0, le=86_400)]
KIND_PATTERN = re.compile(r"^[a-z][a-z0-9_-]*$")


@dataclass(frozen=True, slots=True, kw_only=True, config=CONFIG)
class DeviceSpec:
    """A wanted device: an id, a kind that `starloom.devices` knows, and that kind's options."""

    id: Identifier
    kind: Annotated[str, StringConstraints(pattern=KIND_PATTERN.pattern)] = "local"
    slots: Slots | None = None
    """How many tasks at once; None: the kind's default (a local device: the CPU count)."""
    capabilities: Annotated[frozenset[str], BeforeValidator(lambda v: frozenset({v}) if isinstance(v, str) else v)] = (
        frozenset()
    )
    speed: Speed = 1.0
    """Relative to a device on which a task takes its estimate."""
    trip_after: TripAfter = TRIP_AFTER
    """After how many failures of the device in a row it is suspended; 0: never."""
    cool_down: CoolDown = COOL_DOWN
    """Seconds it is suspended for the first time; each time it fails its trial they double."""
    options: Mapping[str, Any] = EMPTY
    """What only this kind understands."""
