"""The plan of a soak, and how each of its tasks has to end: both follow from the seed."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, Final

from tests.soak.work import LENGTH, LINE

from starloom.devices.masking import MASK

MARK: Final = "pl4nted-"
"""How each secret begins."""
LAST: Final = 99
"""So many failures are all."""
LARGE: Final = 1_000_000
"""Bytes that the tasks print which print much."""
SECRETS: Final = 20
_ATTEMPTS: Final = 12
_WIDTH: Final = 60
"""Parents are among so many tasks before."""


@dataclass(frozen=True)
class Planned:
    """How a task has to end.

    Attributes:
        status: `completed`, `failed` or `skipped`.
        code: of the error of a failed one.
        part: how many bytes it prints at a time, four times; None: nobody asks, as it does not complete.
        has_secret: whether it prints its secret before.
        value: what it returns.
        needs: the tasks that have to have ended before it begins.
    """

    status: str
    code: str = ""
    part: int | None = None
    has_secret: bool = False
    value: int = 0
    needs: tuple[str, ...] = ()

    @property
    def printed(self) -> bytes | None:
        """All it prints, with its secret masked."""
        if self.part is None:
            return None
        line = f"{LINE}\n".encode()
        part = (line * (self.part // len(line) + 1))[: self.part]
        return (f"the secret is {MASK}\n".encode() if self.has_secret else b"") + 4 * part


@dataclass(frozen=True)
class Soak:
    """What is asked for.

    Attributes:
        minutes: about how long the tasks take.
    """

    minutes: float = 120.0
    tasks: int = 2_000
    kills: int = 20
    seed: int = 1


def secrets_of(seed: int) -> tuple[str, ...]:
    """The values that are planted; each begins with the mark."""
    dice = Random(f"{seed} secrets")
    return tuple((MARK + f"{dice.getrandbits(256):064x}")[:LENGTH] for _ in range(SECRETS))


class Planner:
    """Makes one task after the other.

    Args:
        soak: what is asked for.
        folder: where the files with secrets are, and the script.
        pins: devices that some of the tasks have to run on.
        slots: of all devices together.
        mark: what the environment of each task holds, as `NAME`, `value`.
    """

    def __init__(self, soak: Soak, folder: str, pins: tuple[str, ...], slots: int, mark: tuple[str, str]) -> None:
        self._dice = Random(f"{soak.seed} plan")
        self._folder = folder
        self._pins = pins
        self._mark = mark
        self._mean = min(0.4 * soak.minutes * 60 * slots / soak.tasks, soak.minutes * 60 / 12)
        self.tasks: list[dict[str, Any]] = []
        self.planned: dict[str, Planned] = {}
        for number in range(soak.tasks):
            self._add(f"t{number}")

    def _add(self, name: str) -> None:
        dice = self._dice
        parents = self._parents()
        needs, is_skipped = self._needs(parents)
        giving = [one for one in parents if self.planned[one].status == "completed"]
        value, given = dice.randrange(1_000_000), giving[0] if giving and dice.random() < 0.7 else ""
        ending = dice.choices(["well", "again", "badly", "late"], [80, 12, 4, 4])[0]
        failures = {"again": dice.randint(1, 2), "badly": LAST}.get(ending, 0)
        seconds = 3_600.0 if ending == "late" else min(dice.expovariate(1 / self._mean), 4 * self._mean)
        each = LARGE // 4 if dice.random() < 0.06 else dice.choice([0, 0, 10, 1_000, 20_000])
        has_secret = dice.random() < 0.6
        words: dict[str, Any] = {
            "name": name,
            "quarter": round(seconds / 4, 3),
            "bytes": each,
            "failures": failures,
            "value": value,
            "wanted": str(self.planned[given].value) if given else "",
            "got": f"${{{given}.value.n}}" if given else "",
            "has_secret": int(has_secret),
        }
        if ending == "late":
            words["bytes"] = min(words["bytes"], 1_000)
        kind, action = self._action(words)
        task: dict[str, Any] = {"id": name, **action, "needs": needs, "priority": dice.randrange(101)}
        task["env"] = {**task.get("env", {}), self._mark[0]: self._mark[1], **self._secret(has_secret)}
        task["retry"] = {"attempts": 2 if failures == LAST or ending == "late" else _ATTEMPTS, "delay": 0.5}
        if ending == "late":
            task["timeout"] = round(dice.uniform(4.0, 8.0), 1)
        if self._pins and dice.random() < 0.2:
            task["device"] = dice.choice(self._pins)
        if dice.random() < 0.1:
            task["groups"] = "few"
        self.tasks.append(task)
        self.planned[name] = self._end_of(ending, kind, words, is_skipped, tuple(parents))

    def _parents(self) -> list[str]:
        """Some of the tasks before; none that is skipped."""
        ids = [one for one in list(self.planned)[-_WIDTH:] if self.planned[one].status != "skipped"]
        return self._dice.sample(ids, min(len(ids), self._dice.choice([0, 1, 1, 2])))

    def _needs(self, parents: list[str]) -> tuple[list[dict[str, Any]], bool]:
        """What a task needs of its parents, and whether it is skipped as one of them does not end so."""
        needs, is_skipped = [], False
        for parent in parents:
            need: dict[str, Any] = {"task": parent}
            if self.planned[parent].status == "failed":
                need["kind"] = self._dice.choice(["failure", "always", "always", "success"])
                is_skipped |= need["kind"] == "success"
            elif self._dice.random() < 0.1:
                need["condition"] = f"value.n == {self.planned[parent].value}"
            needs.append(need)
        return needs, is_skipped

    def _action(self, words: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        kind = self._dice.choices(["command", "shell", "python"], [40, 40, 20])[0]
        script = f"{self._folder}/work.sh"
        if kind == "command":
            return kind, {"command": ["/bin/sh", script, *map(str, words.values())]}
        if kind == "python":
            return kind, {"python": "soak_work:work", "inputs": {**words, "has_secret": bool(words["has_secret"])}}
        known = {**words, "got": '"$GOT"', "wanted": f"'{words['wanted']}'"}
        text = f"/bin/sh {script} {' '.join(map(str, known.values()))}"
        return kind, {"shell": text, "env": {"GOT": words["got"]}}

    def _secret(self, is_wanted: bool) -> dict[str, Any]:
        if not is_wanted:
            return {}
        number = self._dice.randrange(SECRETS)
        kept = f"env:{environment_name(number)}" if number % 2 else f"file:{self._folder}/planted/{number}"
        return {"TOKEN": {"secret": kept}}

    @staticmethod
    def _end_of(ending: str, kind: str, words: dict[str, Any], is_skipped: bool, needs: tuple[str, ...]) -> Planned:
        if is_skipped:
            return Planned("skipped")
        if ending == "late":
            return Planned("failed", "timeout", needs=needs)
        if ending == "badly":
            return Planned("failed", "exception" if kind == "python" else "exit_code", needs=needs)
        return Planned("completed", "", words["bytes"], bool(words["has_secret"]), words["value"], needs)


def environment_name(number: int) -> str:
    """The variable of the program that holds a secret."""
    return f"SOAK_PLANTED_{number}"
