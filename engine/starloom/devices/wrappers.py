"""Programs that run a command in another system, as `docker exec` does, and their command lines.

A wrapper is a list of arguments, never shell text; `{target}` in it stands for the container, phone, pod or system.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from starloom.devices import environment_child
from starloom.devices.environment import SHELLS_OWN, export_lines, split

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

TARGET: Final = "{target}"

MARK: Final = "STARLOOM_MARK"
"""The environment variable over there by which an attempt's processes are known."""

# Reads lines up to the mark, goes to the directory, has the lines take effect, and becomes the command.
_RECEIVE: Final = """\
starloom_mark=$1 starloom_cwd=$2 starloom_text=
shift 2
while IFS= read -r starloom_line; do
  if [ "$starloom_line" = "$starloom_mark" ]; then
    cd "$starloom_cwd" || exit
    eval "$starloom_text"
    exec "$@" </dev/null
  fi
  starloom_text="$starloom_text$starloom_line
"
done
echo "starloom: standard input is not passed on; docker exec, podman exec and kubectl exec need -i" >&2
exit 126
"""
_UNPACK: Final = "set -- " + shlex.join(("python3", "-c", Path(environment_child.__file__).read_text())) + ' "$@"'

# Whoever has the token in his environment is one of the attempt's. Asks, waits for so many tenths of a second, kills.
# All are stopped before the first is signalled: a shell whose child ends before it has its own signal would go on
# with its next command. What runs this has no token there. Prints whom even KILL has not ended.
_END: Final = """
ours() {
  for entry in /proc/[0-9]*; do
    grep -aqs "$1" "$entry/environ" && ! grep -qs '^State:.Z' "$entry/status" && echo "${entry#/proc/}"
  done
}
strike() {
  numbers=$(ours "$2")
  for name in STOP "$1" CONT; do
    for number in $numbers; do kill -s "$name" "$number" 2>/dev/null; done
  done
}
strike TERM "$1"
tenths=$2
while [ -n "$(ours "$1")" ] && [ "$tenths" -gt 0 ]; do tenths=$((tenths - 1)); sleep 0.1; done
strike KILL "$1"
tenths=20
while [ -n "$(ours "$1")" ] && [ "$tenths" -gt 0 ]; do tenths=$((tenths - 1)); strike KILL "$1"; sleep 0.1; done
ours "$1"
exit 0
"""


class Wrapper(NamedTuple):
    """A program that runs commands in another system.

    Attributes:
        before: what stands before the command.
        capabilities: what tasks may require to run there.
        is_line: whether the command has to be one argument that a shell over there reads; it is quoted for that.
    """

    before: tuple[str, ...]
    capabilities: frozenset[str] = frozenset()
    is_line: bool = False

    def at(self, target: str) -> Wrapper:
        """The wrapper for one target."""
        return self._replace(before=tuple(part.replace(TARGET, target) for part in self.before))

    def around(self, command: Sequence[str]) -> tuple[str, ...]:
        """The command line here that runs a command there."""
        said = (shlex.join(command),) if self.is_line else tuple(command)
        return (*self.before, *said)


WRAPPERS: Final[Mapping[str, Wrapper]] = {
    "docker exec": Wrapper(("docker", "exec", "-i", TARGET), frozenset({"docker", "container"})),
    "adb shell": Wrapper(("adb", "-s", TARGET, "shell"), frozenset({"adb", "android"}), is_line=True),
    "kubectl exec": Wrapper(("kubectl", "exec", "-i", TARGET, "--"), frozenset({"kubernetes", "container"})),
    "wsl": Wrapper(("wsl.exe", "-d", TARGET, "--exec"), frozenset({"wsl"})),
}
"""Those that have names."""


def receiving(command: Sequence[str], mark: str, cwd: str | None) -> tuple[str, ...]:
    """The command line there that reads its environment, as `environment_text` writes it, from standard input.

    Args:
        command: the program and its arguments.
        mark: by which it and all it starts are known there, in the variable MARK; it also ends the text.
        cwd: where it runs; None: where it is put.
    """
    return ("env", f"{MARK}={mark}", "sh", "-c", _RECEIVE, "sh", mark, "." if cwd is None else cwd, *command)


def environment_text(env: Mapping[str, str], mark: str) -> bytes:
    """The environment as text for `receiving`.

    Args:
        env: the variables, of any names.
        mark: the command's.

    Raises:
        ValueError: a value cannot be that of a variable.
    """
    passed, is_packed = split(env, SHELLS_OWN)
    lines = [*export_lines(passed), *((_UNPACK,) if is_packed else ()), mark, ""]
    return "\n".join(lines).encode("utf-8", "surrogateescape")


def ending(mark: str, grace: float) -> tuple[str, ...]:
    """A command that ends all processes there with this mark in their environment, and prints those it cannot end."""
    return ("sh", "-c", _END, "sh", mark, str(max(0, round(grace * 10))))
