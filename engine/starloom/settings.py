"""Settings of the engine: from a file, the environment (`STARLOOM_SCHEDULER_…`) or flags, each over the last."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Annotated, Any, Final, Self

import platformdirs
from pydantic import Field, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from starloom.errors import SettingsError, nearest
from starloom.model.quantities import Duration, OverdueFactor, Patience
from starloom.model.status import Placement

PREFIX: Final = "STARLOOM_SCHEDULER_"
SEEDS_PREFIX: Final = "CONSTELLATION_SCHEDULER_"
"""What the seeds call the same settings; understood in place of ours (`docs/seeds.md`)."""
FILE_VARIABLE: Final = "STARLOOM_SETTINGS"
JOURNAL_VARIABLE: Final = "STARLOOM_JOURNAL"
DEFAULT_CONCURRENCY: Final = 16
"""What a bounded scheduler without a number uses, as the seeds say."""


class SchedulerSettings(BaseSettings):
    """The initial settings of the scheduler; all but the port can be changed while it runs.

    Raises:
        pydantic.ValidationError: a value cannot be used. `load_settings` says it in sentences.
    """

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="forbid", frozen=True)

    enabled: bool | None = None
    """Whether the number of tasks at once is limited; None: if there is a number."""
    max_concurrency: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    """Tasks at once in the whole fleet."""
    starvation_timeout: Duration = 30.0
    """Seconds in which a background task ages to 60; 0: tasks do not age."""
    max_queue: Annotated[int, Field(ge=0)] = 0
    """How many ready tasks may wait before new runs are refused; 0: any number."""
    placement: Placement = Placement.LOAD_BALANCE
    modification_timeout: Patience = 600.0
    """Seconds agents are waited for in runs whose plan says nothing of it."""
    overdue_factor: OverdueFactor = 3.0
    """How many times its estimate a task may run before it is said to be overdue; 0 or none: for ever."""
    runs_in_memory: Annotated[int, Field(ge=0)] = 20
    """How many ended runs stay in memory; the others are read from their journals when they are asked for."""
    metrics_port: Annotated[int, Field(ge=0, le=65_535)] | None = None
    """Where on 127.0.0.1 `starloom run` and the console serve their metrics; 0: at any free port, None: nowhere."""

    @model_validator(mode="after")
    def _agree(self) -> Self:
        if self.enabled is False and self.max_concurrency is not None:
            raise ValueError(
                f"the limit is switched off (ENABLED=false) and set to {self.max_concurrency} (MAX_CONCURRENCY) at the "
                "same time; remove one of the two"
            )
        return self

    @property
    def explicit_limits(self) -> frozenset[str]:
        """The limits that somebody set, by the names the fleet gives them."""
        given = self.model_fields_set
        return frozenset({"max_concurrency"} | given if "enabled" in given else given)

    @property
    def concurrency(self) -> int | None:
        """Tasks at once; None: no limit."""
        if self.max_concurrency is not None:
            return self.max_concurrency
        return DEFAULT_CONCURRENCY if self.enabled else None


def settings_path() -> Path:
    """The settings file: what `STARLOOM_SETTINGS` names, else the one in the user's configuration directory."""
    named = os.environ.get(FILE_VARIABLE)
    return Path(named) if named else Path(platformdirs.user_config_dir("starloom")) / "settings.toml"


def journal_path() -> Path:
    """The directory of the journals: what `STARLOOM_JOURNAL` names, else the one among the user's data."""
    named = os.environ.get(JOURNAL_VARIABLE)
    return Path(named) if named else Path(platformdirs.user_data_dir("starloom")) / "journal"


def load_settings(path: Path | None = None, **flags: Any) -> SchedulerSettings:
    """The settings: flags that are not None, over the environment, over the file's table `[scheduler]`.

    Args:
        path: of the file, which must exist; None: `settings_path()`, which must only if `STARLOOM_SETTINGS` names it.
        **flags: by the names of the settings; None: not given.

    Raises:
        SettingsError: a value cannot be used or a name is unknown; says where it stands.
    """
    file = settings_path() if path is None else path
    from_file = _read(file, must_exist=path is not None or FILE_VARIABLE in os.environ)
    environment = {name.upper() for name in os.environ}
    weak = {name: value for name, value in from_file.items() if f"{PREFIX}{name}".upper() not in environment}
    seeds = _by_the_seeds_names({name.upper(): value for name, value in os.environ.items()})
    strong = {name: value for name, value in flags.items() if value is not None}
    where = {name: f"{file}: {name}" for name in weak}
    where |= {name: f"{SEEDS_PREFIX}{name.upper()}" for name in seeds}
    where |= {name: f"--{name.replace('_', '-')}" for name in strong}
    try:
        return SchedulerSettings(**(weak | seeds | strong))
    except ValidationError as error:
        raise SettingsError("\n".join(_sentence(e, where) for e in error.errors())) from None


def _by_the_seeds_names(environment: dict[str, str]) -> dict[str, str]:
    """The settings that the environment has under the seeds' names and not under ours.

    Raises:
        SettingsError: there is no such setting, or it is set to something else under our name.
    """
    found: dict[str, str] = {}
    for name, value in environment.items():
        if not name.startswith(SEEDS_PREFIX):
            continue
        field = name.removeprefix(SEEDS_PREFIX).lower()
        ours = f"{PREFIX}{field}".upper()
        if field not in SchedulerSettings.model_fields:
            near = nearest(field, SchedulerSettings.model_fields) or "enabled"
            raise SettingsError(f"{name}: there is no such setting. Did you mean {PREFIX}{near.upper()}?")
        if environment.get(ours, value) != value:
            raise SettingsError(f"{name} is {value!r} and {ours} is {environment[ours]!r}; remove one of the two.")
        if ours not in environment:
            found[field] = value
    return found


def _read(path: Path, *, must_exist: bool) -> dict[str, Any]:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if must_exist:
            raise SettingsError(f"{path}: there is no such settings file. Make it, or name another one.") from None
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"{path}: the settings cannot be read: {error}.") from None
    unknown = set(table) - {"scheduler"}
    scheduler = table.get("scheduler", {})
    if unknown or not isinstance(scheduler, dict):
        named = ", ".join(sorted(unknown)) or "scheduler"
        raise SettingsError(f"{path}: {named} cannot be set here; the file holds one table, [scheduler].")
    return scheduler


def _sentence(error: Any, places: dict[str, str]) -> str:
    name = str(error["loc"][0]) if error["loc"] else ""
    where = places.get(name, f"{PREFIX}{name.upper()}" if name else "scheduler settings")
    message = error["msg"].removeprefix("Value error, ")
    given = f" (it is {error['input']!r})" if name else ""
    return f"{where}: {message[0].lower()}{message[1:]}{given}."
