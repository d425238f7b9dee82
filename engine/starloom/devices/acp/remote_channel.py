"""The channel to an agent on another machine: the script at its far end, and what is heard of it here."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import asyncssh
from typing_extensions import override

from starloom.devices.environment import export_lines, quoted, split
from starloom.devices.marker import SCRIPT
from starloom.devices.process import DRAIN_SECONDS
from starloom.devices.ssh.scripts import FIND, NOT_EXPORTED, AttemptPlace, script_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starloom.devices.process import OnOutput

_CLOSED: Final = b"\0starloom: closed\n"
"""What comes after all that an agent has printed; no message has a byte 0."""
# A login without a terminal leads a session of its own already. The wrapper's descriptors are as marker.py says. SSH
# does not tell that one of the agent's streams was closed while the wrapper or its stderr has the channel open: so they
# are pipes that nobody but the agent holds. What it has said before it closed its input has a second to go first.
_TALK: Final = """\
case $1 in -*) shift; set -- "$path" "$@" ;; esac
for shell in SHELLS; do if [ -x "$shell" ]; then break; fi; done
mkfifo -m 600 "$folder/in" "$folder/out" || exit 1
exec 3<&0
{ cat <&3 >"$folder/in" || { sleep 1; printf 'CLOSED'; }; } 2>/dev/null &
{ cat <"$folder/out"; printf 'CLOSED'; } 2>/dev/null 3<&- &
set -- "$shell" -c 'exec <"$1" >"$2"; shift 2; exec "$@"' sh "$folder/in" "$folder/out" "$@"
exec 0>&2 2</dev/null 3<&-
exec "$shell" -c "$wrapper" sh "$folder/marker" "$@"
""".replace("CLOSED", _CLOSED.decode().replace("\0", "\\000").replace("\n", "\\n"))


class AgentSession(asyncssh.SSHClientSession[bytes]):
    """What a channel of ours is told.

    Args:
        heard: told of what the agent prints; of an empty output where either end of the connection is closed.
    """

    def __init__(self, heard: OnOutput) -> None:
        self.code: int | None = None
        self.has_exited = False
        self.over = asyncio.get_running_loop().create_future()
        self._heard = heard
        self._kept = b""

    @override
    def data_received(self, data: bytes, datatype: int | None) -> None:
        if datatype is not None:
            self._heard("stderr", data)
            return
        data, self._kept = self._kept + data, b""
        place = data.rfind(_CLOSED[:1])
        if place >= 0 and _CLOSED.startswith(data[place:]):
            data, self._kept = data[:place], data[place:]
        if data:
            self._heard("stdout", data)
        if self._kept == _CLOSED:
            self._kept = b""
            self._heard("stdout", b"")

    @override
    def exit_status_received(self, status: int) -> None:
        self._exit(status)

    @override
    def exit_signal_received(self, signal: str, core_dumped: bool, msg: str, lang: str) -> None:
        self._exit(None)

    def _exit(self, code: int | None) -> None:
        self.code, self.has_exited = code, True
        # What it has left in the background may hold the channel open for ever.
        asyncio.get_running_loop().call_later(DRAIN_SECONDS, self._end)

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._end()

    def _end(self) -> None:
        if not self.over.done():
            self.over.set_result(None)


def talk(place: AttemptPlace, command: Sequence[str], cwd: str, env: Mapping[str, str]) -> bytes:
    """A script that becomes the wrapper of an agent, which speaks through the script's own standard streams.

    Raises:
        ValueError: something of it cannot be said to a shell.
    """
    passed, is_packed = split(env, NOT_EXPORTED)
    if is_packed:
        odd = ", ".join(repr(name) for name in env if name not in passed)
        raise ValueError(f"the variables {odd} have names that are a shell's own or none to it; choose others.")
    head = [*export_lines(passed), f"set -- {' '.join(map(quoted, command))}"]
    values = {"folder": place.folder, "cwd": cwd, "program": command[0], "wrapper": SCRIPT.replace("RESTORE", "")}
    return script_of(FIND + _TALK, values, head)
