"""The program of a soak: started, killed at random moments, taken up again, until the run has ended."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
import time
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from tests.crash.harness import journal_of
from tests.soak.judge import files_that_tell, read_marks
from tests.soak.plans import MARK, Soak, environment_name, secrets_of
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.soak.machines import Machines
    from tests.soak.watch import Watch

_LOOK: Final = 2.0
_EARLY: Final = 4.0
"""Seconds after the start of a program in which it takes the run up."""


class Kill(NamedTuple):
    """When a program is killed: once so many tasks have ended and so many seconds later, or so soon after its start."""

    ended: int
    seconds: float
    is_early: bool


def kills_of(soak: Soak) -> list[Kill]:
    """The moments, in order; a third are while the run is being taken up."""
    dice = Random(f"{soak.seed} kills")
    ended = sorted(int(dice.uniform(0.02, 0.9) * soak.tasks) for _ in range(soak.kills))
    early = [number % 3 == 2 for number in range(soak.kills)]
    return [
        Kill(count, dice.uniform(0.0, _EARLY if is_early else 3.0), is_early)
        for count, is_early in zip(ended, early, strict=True)
    ]


class Programs:
    """All programs that go on with the run, one after another.

    Attributes:
        killed: how many were.
        trouble: sentences on what was wrong with them while they ran.
    """

    def __init__(self, soak: Soak, folder: Path, machines: Machines, watch: Watch, mark: tuple[str, str]) -> None:
        self.killed = 0
        self.trouble: list[str] = []
        self._soak = soak
        self._folder = folder
        self._machines = machines
        self._watch = watch
        self._number = 0
        self._longest = 60 * (2.5 * soak.minutes + 10)
        planted = {environment_name(n): value for n, value in enumerate(secrets_of(soak.seed))}
        own = {"STARLOOM_SETTINGS": os.devnull, "TMPDIR": str(folder / "tmp"), "HOME": str(folder / "home")}
        self._environment = {**os.environ, **machines.environment, **planted, **own, mark[0]: mark[1]}

    async def carry_out(self) -> None:
        """Have the run carried out, with all kills there are to be."""
        deadline = time.monotonic() + self._longest
        for kill in [*kills_of(self._soak), None]:
            code = await self._one(kill, deadline)
            if code >= 0:
                break
            self.killed += 1
            told = await asyncio.to_thread(files_that_tell, self._folder / "journal", MARK)
            self.trouble += [f"A secret stands in {path}." for path in told]
        if time.monotonic() > deadline:
            self.trouble.append(f"The run has not ended in {self._longest / 60:.0f} minutes.")
        elif code not in (0, 1):
            self.trouble.append(f"A program ended with {code}; see {self._log(self._number)}.")

    async def _one(self, kill: Kill | None, deadline: float) -> int:
        """The exit code of a program that goes on with the run, or is killed when it is due."""
        program = self._start()
        try:
            await self._until_due(kill, program, deadline)
        finally:
            self._watch.pid = 0
            program.kill()
            code = await asyncio.to_thread(program.wait)
        return code

    async def _until_due(self, kill: Kill | None, program: subprocess.Popen[bytes], deadline: float) -> None:
        """Return when the program is to be killed, or has ended, or it is too late for anything."""

        def is_due() -> bool:
            is_late = kill is not None and (kill.is_early or self.ended() >= kill.ended)
            return is_late or program.poll() is not None

        with contextlib.suppress(AssertionError):
            await until(is_due, within=deadline - time.monotonic(), every=_LOOK)
        if kill is not None:
            await asyncio.sleep(kill.seconds)

    def ended(self) -> int:
        """How many tasks have written down an end."""
        marks = (mark for text in self._machines.ledgers().values() for mark in read_marks(text))
        return len({mark.task for mark in marks if mark.what == "end"})

    def _start(self) -> subprocess.Popen[bytes]:
        journal = journal_of(self._folder)
        what = ["run", str(self._folder / "plan.json")] if journal is None else ["resume", journal.parent.name]
        self._number += 1
        with open(self._log(self._number), "wb") as log:
            program = subprocess.Popen(
                self._command(*what), stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self._environment
            )
        self._watch.pid = program.pid
        return program

    def _log(self, number: int) -> Path:
        return self._folder / "logs" / f"program{number}"

    def logs(self) -> Mapping[str, int]:
        """The sizes of what each program has said, in bytes."""
        return {path.name: path.stat().st_size for path in (self._folder / "logs").iterdir()}

    def _command(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "starloom.cli", *words, "--journal", str(self._folder / "journal")]

    async def ask(self, *words: str) -> str:
        """What another program with this journal prints when it is asked for something; that it refuses is trouble."""
        program = await asyncio.create_subprocess_exec(
            *self._command(*words),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self._environment,
        )
        out, err = await program.communicate()
        with contextlib.suppress(OSError):
            (self._folder / "logs" / f"asked-{words[0]}").write_bytes(out + err)
        if program.returncode != 0:
            self.trouble.append(f"starloom {' '.join(words)}: {err.decode(errors='replace')}")
        return out.decode()
