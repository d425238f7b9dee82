"""Several people at one served engine: who is there, what somebody has reserved, and what outlives the server."""

from __future__ import annotations

import json
import signal
import socket
from typing import TYPE_CHECKING, Any

import pytest
from tests.end2end.shell import until
from tests.end2end.test_cli_served import do, listed, served, serving, submitted

if TYPE_CHECKING:
    from tests.end2end.shell import Shell

pytestmark = pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED"), reason="no Unix sockets that tell who connects")

__all__ = ["served"]


def refusal(shell: Shell, *words: str) -> str:
    done = shell.run("do", *words)
    assert done.returncode == 2, done.stdout
    return " ".join(done.stderr.split())


def people(shell: Shell) -> dict[str, dict[str, Any]]:
    """Those who are connected, by name."""
    done = shell.run("who", "--as", "asking", "--json")
    assert done.returncode == 0, done.stderr
    return {one["name"]: one for one in json.loads(done.stdout)}


def test_who_is_there_is_told_with_what_each_does(served: Shell) -> None:
    with serving(served):
        run_id = submitted(served)
        with served.started("watch", run_id) as watching:
            other = until(
                lambda: next((one for one in people(served).values() if one["follows"]), None), "somebody watches"
            )
            assert (other["host"], other["follows"]) == (socket.gethostname(), [run_id])
            text = served.run("who", "--as", "asking").stdout
            assert f"on {socket.gethostname()}, since " in text
            assert f", follows {run_id}" in text
            watching.kill()
        until(lambda: set(people(served)) == {"asking"}, "nobody else is there")
        (served.folder / "go").touch()


def test_what_ada_reserves_is_refused_to_bob_also_by_the_server_after_a_kill(served: Shell) -> None:
    with serving(served) as server:
        run_id = submitted(served)
        do(served, run_id, "reserve", "--for", "2h", "--reason", "we look at it", "--as", "ada")
        do(served, "fleet", "reserve", "local", "--for", "90m", "--reason", "centrifuge under repair", "--as", "ada")
        refused = refusal(served, "fleet", "drain-device", "local", "--as", "bob")
        assert "Device 'local' is reserved by ada for another 1h" in refused
        assert "centrifuge under repair. Ask ada, wait until then, or break the reservation." in refused
        assert "reserved by ada" in served.run("stop", "--cancel", "--as", "bob").stderr
        listing = served.run("ps")
        assert "reserved by ada for another" in listing.stdout
        assert "Device local is reserved by ada" in listing.stderr
        devices = served.run("devices").stdout
        assert "local  reserved" in devices
        assert "reserved by ada until" in devices
        server.send_signal(signal.SIGKILL)
        server.wait()
    with serving(served, "--resume"):
        assert "centrifuge" in refusal(served, "fleet", "release-reservation", "local", "--as", "bob")
        assert "The run" in refusal(served, run_id, "cancel", "--as", "bob")
        do(served, run_id, "break-reservation", "--reason", "it floods the lab", "--as", "bob")
        assert listed(served)[0]["reservation"] is None
        do(served, run_id, "set-limit", "1", "--as", "bob")
        do(served, "fleet", "release-reservation", "local", "--as", "ada")
        (served.folder / "go").touch()
        assert served.run("watch", run_id).returncode == 0
    report = served.folder / "report.json"
    assert served.run("report", run_id, "-o", str(report)).returncode == 0
    told = [one["what"] for one in json.loads(report.read_text())["interventions"]]
    assert {"reserved the run for 2h", "broke the reservation of the run by ada"} <= set(told)
