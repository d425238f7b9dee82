"""The stored settings of a user: theme, motion, recent files and layout."""

from __future__ import annotations

import json
from dataclasses import asdict, astuple, dataclass, fields
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from PySide6.QtCore import QByteArray, QSettings

from starloom_gui.text.translations import NAMES
from starloom_gui.theme.appearance import Theme

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

MOST_RECENT: Final = 8
QUIET_MINUTES: Final = 10
"""Minutes without output after which a running task is marked, unless the user says otherwise."""
MOST_LOOKED_AT: Final = 500
MOST_MACHINES: Final = 5
NORMAL_SIZE: Final = 100
SIZES: Final = (90, NORMAL_SIZE, 110, 125, 150, 175, 200)
"""Percent of their usual size that windows, with all texts in them, can have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentFile:
    """A file that was opened.

    Attributes:
        path: where it is.
        tasks: how many it had; None: not known.
        state: the last one known of its last run, a `RunState`; empty: it was never run.
        failed, cancelled: how many tasks of that run failed, or were cancelled.
        is_any_done: whether any task of it was done.
        simulated: how many of those that are done have not run, as a simulated device took them.
        at: when it was last opened or run, in seconds since 1970.
        name: of its plan, by which its runs are known; empty: not known.
        run_id: of its last run; empty: not known.
        ran_at: when that came to its state, in seconds since 1970; 0: not known.
    """

    path: str
    tasks: int | None = None
    state: str = ""
    failed: int = 0
    cancelled: int = 0
    is_any_done: bool = True
    simulated: int = 0
    at: float = 0.0
    name: str = ""
    run_id: str = ""
    ran_at: float = 0.0


@dataclass(frozen=True, slots=True)
class OpenPlan:
    """A plan that is open.

    Attributes:
        path: its file; empty: it was never saved.
        title: its name on the screen, if it was never saved.
        is_front: whether it is the one in front.
    """

    path: str
    title: str = ""
    is_front: bool = False


class SwitchSetting:
    """A setting that is on or off; `default`: where the user has never set it."""

    def __init__(self, key: str, *, default: bool = False) -> None:
        self._key, self._default = key, str(default).lower()

    def __get__(self, settings: Settings, _owner: type[Settings]) -> bool:
        return str(settings.store.value(self._key, self._default)).lower() == "true"

    def __set__(self, settings: Settings, on: bool) -> None:
        settings.store.setValue(self._key, str(on).lower())


class WordsSetting:
    """A setting that is a number of words without spaces; none where the user has never set it."""

    def __init__(self, key: str) -> None:
        self._key = key

    def __get__(self, settings: Settings, _owner: type[Settings]) -> tuple[str, ...]:
        return tuple(str(settings.store.value(self._key, "")).split())

    def __set__(self, settings: Settings, words: tuple[str, ...]) -> None:
        settings.store.setValue(self._key, " ".join(words))


class Settings:
    """Settings on disk; whatever cannot be read there counts as never set.

    Args:
        store: where they are; None: where this system keeps an application's settings.
        elsewhere: the machine whose engine is shown, which has files and devices of its own; empty: this program's.

    Attributes:
        store: Qt's, in which they are.
        reduced_motion: whether animations are disabled.
        shows_utc: whether times are those of UTC instead of those here.
        snaps: whether nodes that are dragged stop where they line up with others.
        shows_health: whether the status bar has figures of how the console keeps up.
        hidden_notices: the kinds of notices that the user does not want.
        wanted_notices: those that are told only if the user wants them.
        tells_desktop: whether notices are shown on the desktop while the window is not in front.
        quiet_notices: the kinds that are not shown there, though others are.
        sounding_notices: the kinds that make a sound.
    """

    reduced_motion = SwitchSetting("look/reduced_motion")
    shows_utc = SwitchSetting("look/utc")
    snaps = SwitchSetting("canvas/snap", default=True)
    shows_health = SwitchSetting("look/health")
    hidden_notices = WordsSetting("notices/hidden")
    wanted_notices = WordsSetting("notices/wanted")
    tells_desktop = SwitchSetting("notices/desktop", default=True)
    quiet_notices = WordsSetting("notices/quiet")
    sounding_notices = WordsSetting("notices/sound")

    def __init__(self, store: Path | None = None, elsewhere: str = "") -> None:
        self._place = f"elsewhere/{quote(elsewhere, safe='')}/" if elsewhere else ""
        form = QSettings.Format.IniFormat
        if store is not None:
            self.store = QSettings(str(store), form)
        else:
            self.store = QSettings(form, QSettings.Scope.UserScope, "Starloom", "console")

    # ---- look

    @property
    def theme(self) -> Theme:
        """The theme the user chose; the system's where none was."""
        value = str(self.store.value("look/theme", Theme.SYSTEM.value))
        return Theme(value) if value in set(Theme) else Theme.SYSTEM

    @theme.setter
    def theme(self, theme: Theme) -> None:
        self.store.setValue("look/theme", theme.value)

    @property
    def language(self) -> str:
        """The code of the language the user chose; empty: the system's."""
        code = str(self.store.value("look/language", ""))
        return code if code in NAMES else ""

    @language.setter
    def language(self, code: str) -> None:
        self.store.setValue("look/language", code)

    @property
    def size(self) -> int:
        """The size of everything in the windows, in percent: one of `SIZES`."""
        kept = str(self.store.value("look/size", NORMAL_SIZE))
        return int(kept) if kept.isdecimal() and int(kept) in SIZES else NORMAL_SIZE

    @size.setter
    def size(self, percent: int) -> None:
        self.store.setValue("look/size", percent)

    @property
    def open_parts(self) -> tuple[str, ...] | None:
        """The unfolded parts of the inspector's form; None: the user has never folded or unfolded one."""
        kept = self.store.value("inspector/open")
        return None if kept is None else tuple(str(kept).split())

    def keep_open_parts(self, parts: Collection[str]) -> None:
        """Keep the unfolded parts of the inspector's form."""
        self.store.setValue("inspector/open", " ".join(parts))

    # ---- notifications

    @property
    def quiet_minutes(self) -> int:
        """Minutes without output after which a running task is marked as quiet; 0: never."""
        kept = str(self.store.value("notices/quiet_minutes", QUIET_MINUTES))
        return int(kept) if kept.isdecimal() else QUIET_MINUTES

    @quiet_minutes.setter
    def quiet_minutes(self, minutes: int) -> None:
        self.store.setValue("notices/quiet_minutes", minutes)

    # ---- recent files

    @property
    def recent(self) -> tuple[RecentFile, ...]:
        """The files that were opened last, newest first."""
        found = _json(self.store.value(f"{self._place}files/recent"))
        files = [_recent_of(one) for one in found] if isinstance(found, list) else []
        return tuple(file for file in files if file is not None)[:MOST_RECENT]

    def remember(self, file: RecentFile) -> None:
        """Put a file first among the recent ones, replacing its earlier entry."""
        others = [one for one in self.recent if one.path != file.path]
        self.keep_recent([file, *others])

    @property
    def open_plans(self) -> tuple[OpenPlan, ...]:
        """The plans that are open, or were when the last console ended, from left to right."""
        try:
            found = json.loads(str(self.store.value(f"{self._place}files/open", "[]")))
            return tuple(OpenPlan(str(path), str(title), bool(front)) for path, title, front in found)
        except (ValueError, TypeError):
            return ()

    @open_plans.setter
    def open_plans(self, plans: tuple[OpenPlan, ...]) -> None:
        self.store.setValue(f"{self._place}files/open", json.dumps([astuple(plan) for plan in plans]))

    @property
    def has_saved(self) -> bool:
        """Whether a plan was ever saved."""
        return str(self.store.value(f"{self._place}files/saved", "false")).lower() == "true"

    def note_saved(self) -> None:
        """Record that a plan was saved."""
        self.store.setValue(f"{self._place}files/saved", "true")

    def forget_recent(self) -> None:
        """Remove all recent files."""
        self.keep_recent([])

    def keep_recent(self, files: Sequence[RecentFile]) -> None:
        """Have these be the recent files, newest first."""
        self.store.setValue(f"{self._place}files/recent", json.dumps([asdict(file) for file in files[:MOST_RECENT]]))

    @property
    def machines(self) -> tuple[str, ...]:
        """The machines whose servers were connected to, the last one first."""
        kept = _json(self.store.value("connect/machines", "[]"))
        known = [one for one in kept if isinstance(one, str)] if isinstance(kept, list) else []
        return tuple(known[:MOST_MACHINES])

    def note_machine(self, address: str) -> None:
        """Note that the server of a machine is connected to now."""
        others = [one for one in self.machines if one != address]
        self.store.setValue("connect/machines", json.dumps([address, *others][:MOST_MACHINES]))

    @property
    def fleet_file(self) -> str:
        """The fleet file to begin with; empty: none."""
        return str(self.store.value(f"{self._place}files/fleet", ""))

    @fleet_file.setter
    def fleet_file(self, path: str) -> None:
        self.store.setValue(f"{self._place}files/fleet", path)

    @property
    def removed_devices(self) -> frozenset[str]:
        """Ids of the devices that the user has removed and nobody has added again."""
        try:
            found = json.loads(str(self.store.value(f"{self._place}fleet/removed", "[]")))
        except ValueError:
            return frozenset()
        return frozenset(map(str, found)) if isinstance(found, list) else frozenset()

    @removed_devices.setter
    def removed_devices(self, ids: Collection[str]) -> None:
        self.store.setValue(f"{self._place}fleet/removed", json.dumps(sorted(ids)))

    @property
    def export_folder(self) -> str:
        """The folder of the last export; empty: there was none."""
        return str(self.store.value(f"{self._place}files/export_folder", ""))

    @export_folder.setter
    def export_folder(self, path: str) -> None:
        self.store.setValue(f"{self._place}files/export_folder", path)

    @property
    def export_format(self) -> str:
        """The file ending of the last export, without its point; empty: there was none."""
        return str(self.store.value(f"{self._place}files/export_format", ""))

    @export_format.setter
    def export_format(self, ending: str) -> None:
        self.store.setValue(f"{self._place}files/export_format", ending)

    # ---- what was looked at before it ran

    @property
    def looked_at(self) -> tuple[str, ...]:
        """The digests of what the user has agreed to run, oldest first."""
        return tuple(str(self.store.value(f"{self._place}files/looked_at", "")).split())

    def note_looked_at(self, digest: str) -> None:
        """Remember that the user has agreed to run what this digest is of; so many are kept, the oldest go."""
        kept = [one for one in self.looked_at if one != digest]
        self.store.setValue(f"{self._place}files/looked_at", " ".join([*kept, digest][-MOST_LOOKED_AT:]))

    @property
    def run_names(self) -> dict[str, str]:
        """The names of runs by their ids, oldest first; of too many the oldest are dropped."""
        return self._of_runs("names")

    @run_names.setter
    def run_names(self, names: dict[str, str]) -> None:
        self._keep_of_runs("names", names)

    @property
    def run_plans(self) -> dict[str, str]:
        """Where the plans of runs are, by the ids of the runs, oldest first; of too many the oldest are dropped."""
        return self._of_runs("plans")

    @run_plans.setter
    def run_plans(self, plans: dict[str, str]) -> None:
        self._keep_of_runs("plans", plans)

    def _of_runs(self, what: str) -> dict[str, str]:
        found = _json(self.store.value(f"runs/{what}"))
        return {str(one): str(said) for one, said in found.items()} if isinstance(found, dict) else {}

    def _keep_of_runs(self, what: str, said: dict[str, str]) -> None:
        self.store.setValue(f"runs/{what}", json.dumps(dict(list(said.items())[-MOST_LOOKED_AT:])))

    @property
    def declined_runs(self) -> tuple[str, ...]:
        """The ids of interrupted runs that the user does not want to be asked about, oldest first."""
        return tuple(str(self.store.value("runs/declined", "")).split())

    @declined_runs.setter
    def declined_runs(self, run_ids: tuple[str, ...]) -> None:
        self.store.setValue("runs/declined", " ".join(dict.fromkeys(run_ids[-MOST_LOOKED_AT:])))

    @property
    def left_runs(self) -> tuple[str, ...]:
        """The ids of the runs that another program was to go on with as the console was closed."""
        return tuple(str(self.store.value("runs/left", "")).split())

    @left_runs.setter
    def left_runs(self, run_ids: tuple[str, ...]) -> None:
        self.store.setValue("runs/left", " ".join(run_ids))

    # ---- blobs of the layout

    def blob(self, key: str) -> QByteArray:
        """Bytes that were written under a key; empty: none were."""
        value = self.store.value(f"layout/{key}")
        return value if isinstance(value, QByteArray) else QByteArray()

    def write_blob(self, key: str, value: QByteArray) -> None:
        """Write bytes under a key; the same as before change nothing on the disk."""
        if value != self.store.value(f"layout/{key}"):
            self.store.setValue(f"layout/{key}", value)

    def forget_blobs(self) -> None:
        """Remove all stored layouts."""
        self.store.remove("layout")

    def sync(self) -> None:
        """Write everything to the disk now, and read what other consoles have written."""
        self.store.sync()


def _json(kept: object) -> Any:
    """What a value from a settings file says; None: nothing that can be read."""
    try:
        return json.loads(str(kept))
    except ValueError:
        return None


def _recent_of(plain: Any) -> RecentFile | None:
    """A recent file from its stored form; None: the form is unknown."""
    if not isinstance(plain, dict) or not isinstance(plain.get("path"), str):
        return None
    kinds: dict[str, tuple[type, ...]] = {
        "path": (str,),
        "tasks": (int, type(None)),
        "state": (str,),
        "failed": (int,),
        "cancelled": (int,),
        "is_any_done": (bool,),
        "simulated": (int,),
        "at": (int, float),
        "name": (str,),
        "run_id": (str,),
        "ran_at": (int, float),
    }
    known = {field.name: plain[field.name] for field in fields(RecentFile) if field.name in plain}
    return RecentFile(**known) if all(isinstance(value, kinds[name]) for name, value in known.items()) else None
