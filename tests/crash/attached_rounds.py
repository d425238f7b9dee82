"""Rounds of three consoles over one server, at which somebody acts at random while links and programs are killed.

One console is attached through a real sshd. In each round a run is submitted, all three steer it, and some of this
happens: a console is killed and another takes its place, a console stands still, a link breaks, the server is killed
and another resumes what it had. Then all rest, and every picture is compared with the journal; the run is let go, and
compared again once it has ended.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from contextlib import ExitStack, suppress
from random import Random
from typing import TYPE_CHECKING, Final, Self
from urllib.parse import quote

import psutil
from tests.crash.attached_acts import DEVICES, KEEPER, script_task
from tests.crash.attached_console import Wanted
from tests.crash.attached_judge import check_commands, check_effects, check_ended, check_picture, notes_in, read
from tests.crash.attached_programs import PATIENCE, ROOT, ConsoleProgram, ServerProgram
from tests.ssh_servers import OpensshServer

from starloom import Plan, Task
from starloom.formats import dump_plan
from starloom.model.dependency import Dependency
from starloom.model.device import DeviceSpec

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from types import TracebackType

ACTS: Final = 25
"""Commands that are given at least before the first thing goes wrong, and after the last."""
FAULTS: Final = ("link", "link", "server", "server", "console", "standstill")
SCRIPT: Final = """\
effects=$1; task=$2; seconds=$3; code=$4
for pid in $(sed -n "s/^begin $task [0-9]* \\([0-9]*\\)$/\\1/p" "$effects"); do
  if tr '\\0' ' ' 2>/dev/null < "/proc/$pid/cmdline" | grep -q " $task $seconds "; then
    echo "overlap $task $pid" >> "$effects"
  fi
done
echo "begin $task $STARLOOM_ATTEMPT $$" >> "$effects"
sleep "$seconds"
echo "end $task $STARLOOM_ATTEMPT $$" >> "$effects"
exit "$code"
"""
KEEPING: Final = 'echo "begin keeper $STARLOOM_ATTEMPT $$" >> "$1"; until test -e "$2"; do sleep 0.05; done'


class Session:
    """A server and three consoles, for some rounds; a context in which they run.

    Args:
        seed: of all that is drawn at random.
        folder: for all files; a new one.
        short: a folder for sockets, whose path is short.
        defect: what is planted into the consoles; empty: nothing.
        server_defect: what is planted into the servers that resume runs.

    Attributes:
        folder: likewise.
        story: what has been done so far.
    """

    def __init__(self, seed: int, folder: Path, short: Path, defect: str = "", server_defect: str = "") -> None:
        self._seed, self.folder, self._defect = seed, folder, defect
        self._dice = Random(f"{seed} session")
        self._journals, self._script, self._effects = folder / "journal", folder / "script.sh", folder / "effects"
        self._environment = {
            **{name: text for name, text in os.environ.items() if not name.startswith("STARLOOM_")},
            "STARLOOM_SETTINGS": os.devnull,
            "STARLOOM_JOURNAL": str(self._journals),
            "XDG_RUNTIME_DIR": str(short),
            "HOME": str(folder),
            "PYTHONPATH": str(ROOT),
            "QT_QPA_PLATFORM": "offscreen",
            "LANG": "C",
        }
        self._consoles: list[ConsoleProgram] = []
        self._made = self._rounds = 0
        self._run_id = ""
        self._server = ServerProgram(folder, self._environment, server_defect)
        self._stack = ExitStack()
        self.story: list[str] = []
        self._begun = time.monotonic()

    def __enter__(self) -> Self:
        self.folder.mkdir(parents=True)
        self._script.write_text(SCRIPT)
        self._effects.touch()
        with ExitStack() as stack:
            self._sshd = stack.enter_context(self._new_sshd())
            stack.callback(self._end_all)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        with self._stack:
            if error is None:
                for console in self._consoles:
                    console.close()

    # ---- programs

    def _new_sshd(self) -> OpensshServer:
        """An sshd in whose logins `starloom` is found; and an `ssh` that knows its keys, for a console's path."""
        there, here = self.folder / "there", self.folder / "here"
        for place in (there, here):
            place.mkdir()
        program = there / "starloom"
        program.write_text(f'#!/bin/sh\nexec {sys.executable} -m starloom.cli "$@"\n')
        path = f"{there}:/usr/bin:/bin"
        names = ("STARLOOM_SETTINGS", "XDG_RUNTIME_DIR")
        given = " ".join([f"PATH={path}", *(f"{name}={self._environment[name]}" for name in names)])
        sshd = OpensshServer(self.folder / "ssh", SetEnv=given)
        own = f"-F none -o UserKnownHostsFile={sshd.known_hosts} -o BatchMode=yes -i {sshd.key_file}"
        login = here / "ssh"
        login.write_text(f'#!/bin/sh\nexec {shutil.which("ssh")} {own} "$@"\n')
        for script in (program, login):
            script.chmod(0o755)
        return sshd

    def _new_console(self, place: int) -> ConsoleProgram:
        """A console; that in the first place is attached through the sshd."""
        self._made += 1
        is_away = place == 0
        away = f"ssh://{self._sshd.user}@127.0.0.1:{self._sshd.port}{quote(str(self._journals))}"
        name = f"{('ada', 'ben', 'cleo')[place]}{self._made}"
        wanted = Wanted(
            away if is_away else str(self._journals),
            name,
            f"{self._seed} {name}",
            str(self.folder),
            str(self._script),
            self._defect,
        )
        path = f"{self.folder / 'here'}:{os.environ['PATH']}" if is_away else os.environ["PATH"]
        return ConsoleProgram(wanted, {**self._environment, "PATH": path})

    def _end_all(self) -> None:
        for console in self._consoles:
            if console.process.poll() is None:
                console.kill()
        self._server.kill()
        for line in self._effects.read_text().splitlines():
            if line.startswith("begin "):
                _end_attempt(int(line.split()[3]), str(self._effects))

    # ---- a round

    def round(self, faults: Sequence[str] = FAULTS) -> None:
        """Play a round, and fail if anything is not as it has to be.

        Args:
            faults: what may go wrong; empty: nothing does.
        """
        self._rounds += 1
        self._tell(f"round {self._rounds}")
        self._begin()
        for console in self._consoles:
            console.tell("act")
        self._wait_for_acts(ACTS)
        for _ in range(self._dice.randint(2, 4)):
            if self._dice.random() < 0.5:  # else the next comes before all goes on again
                self._wait_for_acts(self._dice.randint(1, ACTS))
            time.sleep(self._dice.uniform(0.0, 0.5))
            if faults:
                fault = self._dice.choice(faults)
                self._tell(fault)
                getattr(self, f"_fault_{fault}")()
        self._wait_for_acts(ACTS)
        self._tell("at rest")
        self._check_sockets()
        for console in self._consoles:
            console.tell("rest")
        for console in self._consoles:
            console.answer()
        self._check_pictures()
        self._tell("let go")
        self._end()
        self._check_pictures()
        self._check_all()
        self._tell("all as it should be")

    def _wait_for_acts(self, count: int) -> None:
        """Wait until so many more commands have been given."""
        wanted, deadline = self._acts() + count, time.monotonic() + PATIENCE
        while self._acts() < wanted:
            assert time.monotonic() < deadline, "nobody gives commands any more"
            time.sleep(0.02)

    def _acts(self) -> int:
        """How many lines there are in all notes, with those of answers."""
        return sum(path.read_bytes().count(b"\n") for path in self.folder.glob("*.notes")) // 2

    def _tell(self, what: str) -> None:
        self.story.append(f"{time.monotonic() - self._begun:.1f} s {what}")

    def _begin(self) -> None:
        """Have a run begin, and show it in each console."""
        name = f"r{self._rounds}"
        plan = self._plan(name)
        if not self._consoles:
            self._run_id = self._first_run(plan)
            self._consoles = [self._new_console(place) for place in range(3)]
        elif self._dice.random() < 0.3:
            self._run_id = self._server.starloom("submit", str(plan))
        else:
            console, self._run_id = self._dice.choice(self._consoles), f"seed{self._seed}-{name}"
            console.tell("submit", str(plan), self._run_id)
            console.answer()
        for console in self._consoles:
            console.tell("show", self._run_id)
        for console in self._consoles:
            console.answer()

    def _first_run(self, plan: Path) -> str:
        if self._dice.random() < 0.5:
            return self._server.starloom("run", "--detach", str(plan))
        self._server.serve()
        self._server.wait_until_it_listens()
        return self._server.starloom("submit", str(plan))

    def _plan(self, name: str) -> Path:
        dice = self._dice
        tasks = [script_task(dice, f"{name}t{number}", self._script) for number in range(dice.randint(4, 10))]
        edges = [
            Dependency(parent=one.id, child=other.id)
            for place, one in enumerate(tasks)
            for other in tasks[place + 1 :]
            if dice.random() < 0.2
        ]
        keeper = Task(id=KEEPER, command=("/bin/sh", "-c", KEEPING, KEEPER, str(self._effects), str(self._go(name))))
        devices = tuple(DeviceSpec(id=device_id, slots=3) for device_id in DEVICES)
        path = self.folder / f"{name}.json"
        made = Plan(name=name, devices=devices, tasks=(keeper, *tasks), dependencies=tuple(edges))
        path.write_text(dump_plan(made, "json"))
        return path

    def _go(self, name: str) -> Path:
        return self.folder / f"{name}.go"

    def _end(self) -> None:
        """Let the run go to its end."""
        self._go(f"r{self._rounds}").touch()
        self._consoles[-1].tell("free")
        for console in self._consoles:
            console.tell("ended")
            console.tell("rest")
        for console in self._consoles:
            console.answer()

    # ---- faults

    def _fault_link(self) -> None:
        place = self._dice.randrange(3)
        if place:
            self._consoles[place].tell("break", self._dice.choice(("asking", "following")))
            return
        how = self._dice.choice(("ssh", "sshd", "own"))
        if how == "sshd":
            self._sshd.cut()
        elif how == "own":
            self._consoles[0].tell("break", self._dice.choice(("asking", "following")))
        else:
            ways = psutil.Process(self._consoles[0].process.pid).children()
            if ways:
                with suppress(psutil.NoSuchProcess):
                    self._dice.choice(ways).kill()

    def _fault_server(self) -> None:
        self._server.kill()
        time.sleep(self._dice.choice((0.0, self._dice.uniform(0.0, 1.0))))
        self._server.serve("--resume")
        if self._dice.random() < 0.25:  # as it takes up what there is
            time.sleep(self._dice.uniform(0.2, 1.5))
            self._server.kill()
            self._server.serve("--resume")

    def _fault_console(self) -> None:
        place = self._dice.randrange(3)
        self._consoles[place].kill()
        self._consoles[place] = console = self._new_console(place)
        console.tell("show", self._run_id)
        console.tell("act")

    def _fault_standstill(self) -> None:
        stands = psutil.Process(self._dice.choice(self._consoles).process.pid)
        stands.suspend()
        try:
            if self._dice.random() < 0.3:
                self._fault_server()
            time.sleep(self._dice.uniform(0.2, 1.5))
        finally:
            stands.resume()

    # ---- what has to be true

    def _check_sockets(self) -> None:
        """No process of ours has a TCP socket; those of ssh and sshd are not ours."""
        pids = [console.process.pid for console in self._consoles]
        server = self._server.pid
        assert server is not None
        for process in (*map(psutil.Process, (*pids, server)), *self._logins()):
            with suppress(psutil.NoSuchProcess):
                found = process.net_connections(kind="tcp")
                assert not found, f"{process} has a TCP socket: {found}"

    def _logins(self) -> list[psutil.Process]:
        """The processes of `starloom` to which the sshd leads."""
        found = []
        for process in psutil.Process(self._sshd.pid).children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                if "starloom.cli" in process.cmdline():
                    found.append(process)
        return found

    def _check_pictures(self) -> None:
        paths = [self.folder / f"{console.wanted.name}.picture" for console in self._consoles]
        for console, path in zip(self._consoles, paths, strict=True):
            console.tell("picture", str(path))
        for console in self._consoles:
            console.answer()
        journals = read(self._journals, self._run_id)
        for path in paths:
            check_picture(path, journals, self._run_id)

    def _check_all(self) -> None:
        journals = read(self._journals, self._run_id)
        given = notes_in(sorted(self.folder.glob("*.notes")))
        check_commands(given, journals, self._run_id)
        lines = self._effects.read_text().splitlines()
        check_effects(lines, journals)
        check_ended(journals, self._run_id)
        self._effects.write_text("")


def _end_attempt(pid: int, effects: str) -> None:
    """End the process group of an attempt that still runs, if it is still one of ours."""
    with suppress(psutil.Error):
        attempt = psutil.Process(pid)
        if effects in attempt.cmdline():
            for each in (*attempt.children(recursive=True), attempt):
                each.kill()
