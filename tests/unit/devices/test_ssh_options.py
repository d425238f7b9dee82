"""What an SSH device is told about the way to its machine, and what it makes of a machine's answers."""

from __future__ import annotations

import builtins
import sys

import pytest

from starloom.devices.base import Metrics
from starloom.devices.environment import quoted
from starloom.devices.kinds import device_kinds, make_device
from starloom.devices.ssh import SshDevice
from starloom.devices.ssh.address import Address, parse_address
from starloom.devices.ssh.following import FIRST_POLL, LONGEST_POLL, pause_after
from starloom.devices.ssh.probing import Gauge, capabilities_of
from starloom.errors import DeviceError
from starloom.model.device import DeviceSpec


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("there", Address("there")),
        ("me@there.example:2222", Address("there.example", 2222, "me")),
        ("me@[fe80::1]:2222", Address("fe80::1", 2222, "me")),
        ("10.0.0.1", Address("10.0.0.1")),
    ],
)
def test_an_address_is_read_and_written_as_people_do(text, address):
    assert parse_address(text) == address
    assert str(address) == text


@pytest.mark.parametrize("text", ["", "a b", "@a", "a:", "a:0", "a:99999", "a:b", "-oProxyCommand=x", "me@", "a@b@c"])
def test_what_is_no_address_is_refused(text):
    with pytest.raises(ValueError, match="user@host:port"):
        parse_address(text)


def test_a_machine_with_a_port_of_its_own_has_a_name_of_its_own_in_known_hosts():
    assert (Address("a").known_as, Address("a", 2222).known_as) == ("a", "[a]:2222")


def test_a_device_of_a_plan_has_the_same_way_as_one_made_by_hand():
    options = {"host": "a", "user": "me", "jump": ["b", "me@c:23"], "keys": "~/.ssh/k", "grace": "3s"}
    device = make_device(DeviceSpec(id="d", kind="ssh", slots=3, options=options))
    assert isinstance(device, SshDevice)
    assert device.describe() == SshDevice("d", slots=3, **options).describe()
    assert device.route.jumps == (Address("b"), Address("c", 23, "me"))
    assert (device.slots, device.grace) == (3, 3.0)


def test_without_a_host_there_is_no_device():
    with pytest.raises(DeviceError, match="host"):
        make_device(DeviceSpec(id="d", kind="ssh"))


def test_without_its_package_the_kind_says_what_to_install(monkeypatch):
    for name in [name for name in sys.modules if name.startswith(("starloom.devices.ssh", "asyncssh"))]:
        monkeypatch.delitem(sys.modules, name)
    imported = builtins.__import__

    def without(name, *rest):
        if name.split(".")[0] == "asyncssh":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return imported(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(DeviceError, match=r"pip install 'starloom\[ssh\]'"):
        device_kinds()["ssh"]


def test_the_pause_between_two_looks_grows_with_the_silence_and_is_bounded():
    assert pause_after(0.0) == FIRST_POLL
    assert pause_after(5.0) == 0.5
    assert pause_after(1e6) == LONGEST_POLL


def test_a_value_with_a_nul_character_cannot_be_said():
    assert quoted("it's") == "'it'\"'\"'s'"
    with pytest.raises(ValueError, match="null"):
        quoted("a\0b")


def test_capabilities_are_what_the_machine_answers_in_lower_case():
    answers = [["system", "Linux"], ["machine", "x86_64"], ["program", "git"], ["program"], []]
    assert capabilities_of(answers) == {"linux", "x86_64", "git"}


def test_the_processors_share_is_that_since_the_reading_before():
    gauge = Gauge()
    gauge.read([["cpu", "100", "0", "100", "800", "0", "0", "0", "0"]])
    assert gauge.read([["cpu", "130", "0", "120", "850", "0", "0", "0", "0"]]).cpu == 0.5


def test_memory_and_disk_are_told_in_bytes_and_shares():
    answers = [["MemTotal", "1000"], ["MemAvailable", "250"], ["load", "1.5"], ["disk", "900", "600", "200"]]
    metrics = Gauge().read(answers)
    assert (metrics.memory, metrics.memory_used, metrics.memory_total) == (0.75, 750 * 1024, 1000 * 1024)
    assert (metrics.load, metrics.disk, metrics.disk_free) == (1.5, 0.75, 200 * 1024)


@pytest.mark.parametrize("answers", [[], [["cpu"]], [["disk", "a", "b", "c"]], [["load", "x"]], [["MemTotal", "x"]]])
def test_what_a_machine_does_not_tell_is_none(answers):
    assert Gauge().read(answers) == Metrics()
