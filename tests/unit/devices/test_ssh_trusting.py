"""Writing down that a host key is trusted, in a file that holds other people's lines too."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
from typing import TYPE_CHECKING

import pytest

from starloom.devices.ssh.address import Address
from starloom.devices.ssh.trusting import HostKey, write_key
from starloom.errors import DeviceError

if TYPE_CHECKING:
    from pathlib import Path

BOX = Address("box", 2222)
KEY = HostKey("ssh-ed25519", "SHA256:x", "[box]:2222 ssh-ed25519 NEW", is_trusted=False, others=())


def hashed(name: str) -> str:
    salt = b"0123456789abcdefghij"
    digest = hmac.new(salt, name.encode(), hashlib.sha1).digest()
    return f"|1|{base64.b64encode(salt).decode()}|{base64.b64encode(digest).decode()}"


def test_other_lines_stay_as_they_are_and_without_replacing_nothing_goes(tmp_path: Path) -> None:
    path = tmp_path / "ssh" / "known_hosts"
    write_key(KEY, BOX, path, replace=False)
    path.write_text(f"# mine\n\n[box]:2222 ssh-rsa OLD\n{path.read_text().strip()}")
    write_key(KEY, BOX, path, replace=False)
    assert path.read_text() == f"# mine\n\n[box]:2222 ssh-rsa OLD\n{KEY.line}\n{KEY.line}\n"
    assert path.stat().st_mode & 0o777 == 0o600


def test_replacing_takes_the_machine_out_of_every_line_that_names_it(tmp_path: Path) -> None:
    path = tmp_path / "known_hosts"
    others = [
        "box ssh-rsa OF-THE-USUAL-PORT",
        "@revoked [box]:2222 ssh-rsa NEVER",
        "#[box]:2222 ssh-rsa NOTE",
        f"{hashed('[other]:2222')} ssh-rsa HASHED-OTHER",
    ]
    ours = [f"{hashed('[box]:2222')} ssh-rsa HASHED", "[box]:2222 ssh-rsa OLD", "alias,[box]:2222 ssh-rsa OLD comment"]
    path.write_text("\n".join([*others, *ours]) + "\n")
    path.chmod(0o644)
    write_key(KEY, BOX, path, replace=True)
    assert path.read_text().splitlines() == [*others, "alias ssh-rsa OLD comment", KEY.line]
    assert path.stat().st_mode & 0o777 == 0o644


def test_a_file_that_cannot_be_written_is_named_and_nothing_is_left(tmp_path: Path) -> None:
    path = tmp_path / "known_hosts"
    path.mkdir()
    with pytest.raises(DeviceError, match="known_hosts"):
        write_key(KEY, BOX, path, replace=True)
    assert os.listdir(tmp_path) == ["known_hosts"]
