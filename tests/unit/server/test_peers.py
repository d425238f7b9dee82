"""Who may command an engine: not what its own attempts have started, whatever that has become of."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import psutil
import pytest

from starloom.devices.family import TOKEN
from starloom.server import peers

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED"), reason="nobody tells who connects")
WAITING = "import sys; print(flush=True); sys.stdin.read()"


@contextmanager
def process(*, child: str = WAITING, **env: str) -> Iterator[int]:
    """A process that runs until this is left."""
    with subprocess.Popen(
        [sys.executable, "-c", child], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, **env}
    ) as started:
        assert started.stdout is not None
        assert started.stdin is not None
        started.stdout.readline()  # so that it is no copy of us any more
        yield started.pid
        started.stdin.close()


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine is another process, which has started none of these."""
    monkeypatch.setattr(os, "getpid", lambda: 2**30)


def test_the_credentials_are_those_of_the_other_end() -> None:
    left, right = socket.socketpair()
    with left, right:
        assert peers.credentials(left) == (os.getpid(), os.getuid())


def test_a_descendant_of_the_engine_may_not() -> None:
    with process() as pid:
        assert not peers.may_command(pid)


def test_a_grandchild_may_not() -> None:
    child = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {WAITING!r}])"
    with process(child=child) as pid:
        (grandchild,) = psutil.Process(pid).children()
        assert not peers.may_command(grandchild.pid)


@pytest.mark.usefixtures("elsewhere")
def test_any_other_process_may() -> None:
    with process() as pid:
        assert peers.may_command(pid)


@pytest.mark.usefixtures("elsewhere")
def test_one_with_the_token_of_an_attempt_may_not_though_nothing_else_leads_to_it() -> None:
    with process(**{TOKEN: "of an attempt"}) as pid:
        assert not peers.may_command(pid)


@pytest.mark.usefixtures("elsewhere")
def test_what_started_an_engine_within_an_attempt_of_another_one_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TOKEN, "of the engine above")
    with process() as pid:
        assert peers.may_command(pid)


def test_a_process_that_has_gone_or_is_unknown_may_not() -> None:
    with process() as pid:
        pass
    assert not peers.may_command(pid)
    assert not peers.may_command(0)


@pytest.mark.usefixtures("elsewhere")
def test_an_ancestor_that_nobody_may_look_into_keeps_nobody_from_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with process() as pid:
        look = psutil.Process.environ

        def environ(one: psutil.Process) -> dict[str, str]:
            if one.pid == pid:
                return look(one)
            raise psutil.AccessDenied(one.pid)

        monkeypatch.setattr(psutil.Process, "environ", environ)
        assert peers.may_command(pid)
