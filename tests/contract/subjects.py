"""The devices that the contract suite is run on."""

from __future__ import annotations

import asyncio
import sys
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.aip_server import UfoServer
from tests.dask_clusters import ONE_WORKER
from tests.integration.chat_server import InThread
from tests.ssh_servers import Served

from starloom.devices.acp import AcpDevice
from starloom.devices.aip import AipDevice
from starloom.devices.dask import DaskDevice
from starloom.devices.dask.link import DaskLink
from starloom.devices.inprocess import InProcessDevice
from starloom.devices.llm import LlmDevice
from starloom.devices.local import LocalDevice
from starloom.devices.simulated import SimulatedDevice
from starloom.devices.ssh import SshDevice
from starloom.devices.wrapped import WrappedDevice
from starloom.model.task import Simulate, Task

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager

    from starloom.devices.base import Device, TaskContext

LONG = 3600.0
_WAIT = f"print('waiting'); import time; time.sleep({LONG})"
"""A statement that prints something, then waits."""


@dataclass(frozen=True)
class Subject:
    """A device under test, and what a task must look like there to behave in a certain way."""

    make: Callable[[], Device]
    good: Task
    """Completes at once and prints something."""
    bad: Task
    """Fails."""
    long: Task
    """Goes on until it is stopped, and prints something first."""
    unsupported: Task | None
    """What the device cannot do; None: it can do everything."""
    other: Callable[[], Device]
    """A device of the same id that is not equal."""
    keeps: bool = False
    """Whether its attempts are told to keep their files."""
    around: Callable[[Path], AbstractContextManager[None]] = lambda _folder: nullcontext()
    """What has to be there while it is tested."""
    standing: Callable[[], AbstractContextManager[None]] = nullcontext
    """What has to be there while all of its tests run, as it takes long to come."""
    options: Callable[[], Mapping[str, Any]] = dict
    """What a spec has to say for an equal device."""


async def _greet(_task: Task, context: TaskContext) -> str:
    context.emit("hello\n")
    return "hello"


async def _fail(_task: Task, _context: TaskContext) -> None:
    raise ValueError("this is meant to fail")


async def _wait(_task: Task, context: TaskContext) -> None:
    context.emit("waiting\n")
    await asyncio.sleep(LONG)


def _inprocess(slots: int | None = 4) -> Device:
    return InProcessDevice("dev", slots=slots, handlers={"greet": _greet, "fail": _fail, "wait": _wait})


def _python(id: str, text: str) -> Task:
    return Task(id=id, command=(sys.executable, "-u", "-c", text))


def _ssh(slots: int = 4, **options: Any) -> Device:
    return SshDevice("dev", slots=slots, **Served.options(), **options)


def _dask(slots: int = 4) -> Device:
    return DaskDevice("dev", slots=slots, link=DaskLink(ONE_WORKER.address), worker="0")


_LOCAL = Subject(
    make=lambda: LocalDevice("dev", slots=4),
    other=lambda: LocalDevice("dev", slots=5),
    good=_python("good", "print('hello')"),
    bad=_python("bad", "raise SystemExit(3)"),
    long=_python("long", _WAIT),
    unsupported=Task(id="unsupported", call="greet"),
)
_SSH = replace(_LOCAL, make=_ssh, other=lambda: _ssh(5), options=Served.options)


class _Ufo:
    """The server of the present tests."""

    url = ""

    @classmethod
    @contextmanager
    def stands(cls) -> Iterator[None]:
        with UfoServer() as server:
            cls.url = server.url
            yield


_AGENT = [sys.executable, "-I", "-S", "-u", str(Path(__file__).parents[1] / "acp_agent.py")]
_MODEL = InThread()
SUBJECTS: Mapping[str, Subject] = {
    "acp": Subject(
        make=lambda: AcpDevice("dev", slots=4, command=_AGENT),
        other=lambda: AcpDevice("dev", slots=4, command=_AGENT, permissions="reject"),
        good=Task(id="good", prompt="hello"),
        bad=Task(id="bad", prompt="fail"),
        long=Task(id="long", prompt="wait"),
        unsupported=Task(id="unsupported", command=("true",)),
        options=lambda: {"command": _AGENT},
    ),
    "aip": Subject(
        make=lambda: AipDevice("dev", slots=4, url=_Ufo.url),
        other=lambda: AipDevice("dev", slots=4, url=_Ufo.url, target="other"),
        good=Task(id="good", prompt="hello"),
        bad=Task(id="bad", prompt="fail"),
        long=Task(id="long", prompt="wait"),
        unsupported=Task(id="unsupported", command=("true",)),
        standing=_Ufo.stands,
        options=lambda: {"url": _Ufo.url},
    ),
    "dask": replace(
        _LOCAL,
        make=_dask,
        other=lambda: _dask(5),
        standing=ONE_WORKER.stands,
        options=lambda: {"scheduler": ONE_WORKER.address, "worker": "0"},
    ),
    "inprocess": Subject(
        make=_inprocess,
        other=lambda: _inprocess(slots=5),
        good=Task(id="good", call="greet"),
        bad=Task(id="bad", call="fail"),
        long=Task(id="long", call="wait"),
        unsupported=Task(id="unsupported", command=("true",)),
    ),
    "llm": Subject(
        make=lambda: LlmDevice("dev", slots=4, model="m", url=_MODEL.url),
        other=lambda: LlmDevice("dev", slots=4, model="m", url=_MODEL.url, system="Be brief."),
        good=Task(id="good", prompt="hello"),
        bad=Task(id="bad", prompt="fail"),
        long=Task(id="long", prompt="wait"),
        unsupported=Task(id="unsupported", command=("true",)),
        standing=_MODEL.stands,
        options=lambda: {"model": "m", "url": _MODEL.url},
    ),
    "local": _LOCAL,
    "local, kept": replace(_LOCAL, keeps=True),
    "ssh, asyncssh": replace(_SSH, around=Served.by("asyncssh")),
    "ssh, OpenSSH, kept": replace(_SSH, around=Served.by("OpenSSH"), keeps=True),
    "ssh, python": replace(
        _SSH,
        around=Served.by("asyncssh"),
        make=lambda: _ssh(python=sys.executable),
        options=lambda: {**Served.options(), "python": sys.executable},
        other=lambda: _ssh(python="python3"),
        good=Task(id="good", python="pprint:pprint", inputs={"object": "hello"}),
        bad=Task(id="bad", python="json:loads", inputs={"s": "{"}),
        long=Task(id="long", python="timeit:main", inputs={"args": ["-n1", "-r1", _WAIT]}),
    ),
    "wrapped, kept": replace(
        _LOCAL,
        make=lambda: WrappedDevice("dev", slots=4, wrapper=["env"]),
        other=lambda: WrappedDevice("dev", slots=4, wrapper=["env", "A=1"]),
        keeps=True,
        options=lambda: {"wrapper": ["env"]},
    ),
    "simulated": Subject(
        make=lambda: SimulatedDevice("dev", slots=4),
        other=lambda: SimulatedDevice("dev", slots=5),
        good=Task(id="good", simulate=Simulate(value="hello")),
        bad=Task(id="bad", simulate=Simulate(outcome="failed")),
        long=Task(id="long", simulate=Simulate(duration=LONG)),
        unsupported=None,
    ),
}
