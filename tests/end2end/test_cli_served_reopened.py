"""`starloom do` about a run that an earlier server has brought to its end: what failed of it runs again."""

from __future__ import annotations

import socket

import pytest
from tests.end2end.shell import Shell, until
from tests.end2end.test_cli_served import do, effects, listed, served, serving

pytestmark = pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED"), reason="no Unix sockets that tell who connects")

__all__ = ["served"]

FAILS = """
starloom: 1
name: fails
tasks:
  first: {shell: 'echo first >> effects'}
  second: {shell: 'echo second >> effects; test -e good', needs: [first]}
"""


def test_a_run_of_an_earlier_server_is_retried(served: Shell) -> None:
    with serving(served):
        named = served.run("submit", served.plan(FAILS)).stdout.strip()
        until(lambda: listed(served)[0]["state"] == "partially_failed", "it has ended")
        assert served.run("stop").returncode == 0
    (served.folder / "good").touch()
    with serving(served):
        assert not listed(served)
        refused = served.run("do", named, "hold", "first")
        assert refused.returncode != 0
        assert "has no run" in refused.stderr
        do(served, named, "retry", "second")
        until(lambda: listed(served)[0]["state"] == "completed", "it has ended again")
        assert effects(served) == ["first", "second", "second"]
        unknown = served.run("do", "nobody", "retry", "second")
        assert "There is no run 'nobody' here" in unknown.stderr
