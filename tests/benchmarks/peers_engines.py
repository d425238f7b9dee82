"""Other engines beside ours on A, B and C: each in a process of its own, installed into an environment of their own."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import venv
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.benchmarks.measuring import number, say
from tests.benchmarks.peers_child import SETTINGS
from tests.benchmarks.workloads import FULL, TINY, Sizes, plans

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tests.benchmarks.peers_child import Parents

CHILD: Final = Path(__file__).with_name("peers_child.py")
LIMIT: Final = 240.0
"""Seconds one engine may take with one of its settings."""
ROUNDS: Final = 3
NOTE: Final = "Tasks do nothing but note that they ran. Of each engine the fastest round of its best setting counts."
INSTALLING: Final = 900.0
"""Seconds the installation of one engine may take."""


@dataclass(frozen=True, slots=True)
class Peer:
    """An engine to measure.

    Attributes:
        packages: what pip is asked for; none: it is ours, and runs in our environment.
        share: the part of the workloads that a slow one gets: A, C in tasks, B in length.
    """

    name: str
    packages: tuple[str, ...] = ()
    share: float = 1.0

    def graphs(self, sizes: Sizes) -> dict[str, Parents]:
        """A, B and C in its size; of each task the parents, which come before it."""
        own = replace(
            sizes,
            independent=max(4, round(sizes.independent * self.share)),
            chain=max(4, round(sizes.chain * self.share)),
            layers=max(2, round(sizes.layers * self.share)),
        )
        return {
            letter: [sorted(parents) for parents in plan.index.parents] for letter, plan in plans(own, growth=1).items()
        }


OURS: Final = Peer("starloom")
PEERS: Final = (
    Peer("starloom, 3 observers"),
    Peer("dask threaded", ("dask", "distributed")),
    Peer("parsl", ("parsl",)),
    Peer("dask.distributed", ("dask", "distributed"), share=0.2),
    Peer("ray", ("ray",), share=0.1),
    # The server of prefect 3.8 does not start with a newer fastapi: it passes on an argument that is gone there.
    Peer("prefect", ("prefect", "fastapi<0.141"), share=0.05),
)


class NotMeasured(Exception):  # noqa: N818 - it is reported, like any other figure
    """Why there is no figure of a peer."""


# ---- installing


def make_environment(folder: Path) -> Path:
    """The Python of the peers' environment, which is made if need be."""
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not python.exists():
        say(f"making {folder.name} …")
        venv.create(folder, with_pip=True)
    return python


def install(python: Path, peer: Peer) -> None:
    """Install a peer unless what it needs is there.

    Raises:
        NotMeasured: it cannot be.
    """
    done = _pip(python, "install", "--quiet", "--dry-run", "--no-index", *peer.packages)
    if done.returncode == 0:  # nothing has to be fetched
        return
    say(f"installing {' and '.join(peer.packages)} …")
    done = _pip(python, "install", "--quiet", *peer.packages)
    if done.returncode != 0:
        raise NotMeasured(f"cannot be installed: {_last_line(done.stderr)}")


def _pip(python: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(python), "-m", "pip", "--disable-pip-version-check", *arguments]
    try:
        return subprocess.run(
            command, capture_output=True, text=True, encoding="utf-8", timeout=INSTALLING, check=False
        )
    except subprocess.TimeoutExpired:
        raise NotMeasured(f"could not be installed within {INSTALLING:.0f} s") from None


# ---- running


def run_peer(
    python: Path, command: Sequence[str], graphs: Mapping[str, Parents], limit: float = LIMIT, child: Path = CHILD
) -> dict[str, Any]:
    """What a child with these arguments found out about an engine.

    Raises:
        NotMeasured: it failed or took too long; nothing of it is left running.
    """
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors:
        process = subprocess.Popen(
            [str(python), str(child), *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            encoding="utf-8",
            start_new_session=True,
        )
        try:
            out, _ = process.communicate(json.dumps(graphs), timeout=limit)
        except BaseException as error:
            _kill(process)
            if isinstance(error, subprocess.TimeoutExpired):
                raise NotMeasured(f"took longer than {limit:.0f} s") from None
            raise
        if process.returncode != 0:
            errors.seek(0)
            raise NotMeasured(f"failed: {_last_line(errors.read())}")
    found: dict[str, Any] = json.loads(out.strip().splitlines()[-1])
    return found


def _kill(process: subprocess.Popen[str]) -> None:
    """End a child with all that it has started, as far as the system knows of groups."""
    if sys.platform == "win32":
        process.kill()
    else:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:300] if lines else "it did not say why"


# ---- reporting


def report(environment: Path, *, tiny: bool = False, peers: Sequence[Peer] = PEERS) -> tuple[str, list[dict[str, Any]]]:
    """The table of all engines, and their figures."""
    sizes, rounds = (TINY, 1) if tiny else (FULL, ROUNDS)
    return compared(environment, peers, lambda python, peer: best_of_settings(python, peer, sizes, rounds), NOTE)


def compared(
    environment: Path, peers: Sequence[Peer], run: Callable[[Path, Peer], Mapping[str, Any]], note: str
) -> tuple[str, list[dict[str, Any]]]:
    """The table of all peers, and their figures; ours is measured before, between and after the others.

    Args:
        environment: the folder that the peers' packages are installed into.
        peers: what ours is compared with.
        run: measures one with a Python that has its packages; raises `NotMeasured`.
        note: what stands below the table.
    """
    here = Path(sys.executable)
    ours = [run(here, OURS)]
    found: list[dict[str, Any]] = []
    for peer in peers:
        say(f"{peer.name} …")
        found.append(_measured(peer, environment, run))
        ours.append(run(here, OURS))
    found.insert(0, {"name": OURS.name, **middle(ours)})
    return table(found, note), found


def best_of_settings(python: Path, peer: Peer, sizes: Sizes, rounds: int) -> dict[str, Any]:
    """Of each graph the figures of the setting with the fastest round; each setting runs in a process of its own.

    Raises:
        NotMeasured: it failed or took too long with every one of them.
    """
    best: dict[str, Any] = {"graphs": {}}
    lacks: dict[str, str] = {}
    graphs = peer.graphs(sizes)
    for setting in SETTINGS[peer.name]:
        try:
            found = run_peer(python, [peer.name, setting, str(rounds)], graphs)
        except NotMeasured as lack:
            lacks[setting] = str(lack)
            continue
        best["version"] = found["version"]
        for letter, graph in found["graphs"].items():
            if letter not in best["graphs"] or rate(graph) > rate(best["graphs"][letter]):
                best["graphs"][letter] = graph
    if not best["graphs"]:
        raise NotMeasured("; ".join(f"{setting}: {lack}" for setting, lack in lacks.items()))
    return {**best, "settings_not_measured": lacks}


def _measured(peer: Peer, environment: Path, run: Callable[[Path, Peer], Mapping[str, Any]]) -> dict[str, Any]:
    try:
        python = Path(sys.executable)
        if peer.packages:
            python = make_environment(environment)
            install(python, peer)
        return {"name": peer.name, **run(python, peer)}
    except NotMeasured as lack:
        return {"name": peer.name, "not_measured": str(lack)}


def middle(runs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Of each graph the run of middling rate, the slower of two: as many rounds as the others have, and no luckier."""
    graphs = {
        letter: sorted((run["graphs"][letter] for run in runs), key=rate)[(len(runs) - 1) // 2]
        for letter in runs[0]["graphs"]
    }
    return {**runs[0], "graphs": graphs}


def rate(graph: Mapping[str, Any]) -> float:
    """Tasks a second in the fastest round; in that the machine has disturbed everybody least."""
    return float(graph["tasks"]) / float(min(graph["seconds"]))


def table(found: Sequence[Mapping[str, Any]], note: str) -> str:
    """The table of what was found of engines, ours first, with a note below it."""
    ours = found[0]["graphs"]
    lines = [("engine", "", "tasks", "tasks/s", "ours over it", "slowest round", "its best setting")]
    for entry in found:
        if "not_measured" in entry:
            lines.append((entry["name"], *[""] * 5, f"NOT MEASURED: {entry['not_measured']}"))
            continue
        for place, (letter, graph) in enumerate(entry["graphs"].items()):
            ratio = number(rate(ours[letter]) / rate(graph))
            name = f"{entry['name']} {entry['version']}" if not place else ""
            slowest = number(max(graph["seconds"]) / min(graph["seconds"]))
            figures = (f"{graph['tasks']:,}", f"{rate(graph):,.0f}", f"{ratio}x", f"{slowest}x")
            lines.append((name, letter, *figures, graph["setting"]))
    widths = [max(len(line[column]) for line in lines) for column in range(6)]
    rows = [
        f"{line[0]:<{widths[0]}}  {line[1]:<{widths[1]}}  {line[2]:>{widths[2]}}  {line[3]:>{widths[3]}}  "
        f"{line[4]:>{widths[4]}}  {line[5]:>{widths[5]}}  {line[6]}".rstrip()
        for line in lines
    ]
    return "\n".join([*rows, note])
