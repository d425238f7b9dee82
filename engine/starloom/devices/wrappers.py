"""Programs that run a command somewhere else, as `docker exec` does: what stands before it, and how it is said.

A wrapper is a list of arguments, never shell text; `{target}` in it stands for the container, phone, pod or system.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

TARGET: Final = "{target}"

_IN_A_DIRECTORY: Final = 'cd "$1" && shift && exec "$@"'

# Whoever has the token in his environment is one of the attempt's. Asks, waits for so many tenths of a second, kills.
# What runs this has no token there. Prints whom even KILL has not ended.
_END: Final = """
ours() {
  for entry in /proc/[0-9]*; do
    grep -aqs "$1" "$entry/environ" && ! grep -qs '^State:.Z' "$entry/status" && echo "${entry#/proc/}"
  done
}
strike() { for number in $(ours "$2"); do kill -s "$1" "$number" 2>/dev/null; done; }
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
    """One way to run a command somewhere else.

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
        """What is to be started here to run a command there."""
        said = (shlex.join(command),) if self.is_line else tuple(command)
        return (*self.before, *said)


WRAPPERS: Final[Mapping[str, Wrapper]] = {
    "docker exec": Wrapper(("docker", "exec", TARGET), frozenset({"docker", "container"})),
    "adb shell": Wrapper(("adb", "-s", TARGET, "shell"), frozenset({"adb", "android"}), is_line=True),
    "kubectl exec": Wrapper(("kubectl", "exec", TARGET, "--"), frozenset({"kubernetes", "container"})),
    "wsl": Wrapper(("wsl.exe", "-d", TARGET, "--exec"), frozenset({"wsl"})),
}
"""Those that have names."""


def placed(command: Sequence[str], env: Mapping[str, str], cwd: str | None) -> tuple[str, ...]:
    """A command with its environment and directory, by programs that are there wherever there is a shell."""
    variables = tuple(f"{name}={value}" for name, value in env.items())
    there = () if cwd is None else ("sh", "-c", _IN_A_DIRECTORY, "sh", cwd)
    return ("env", *variables, *there, *command)


def ending(mark: str, grace: float) -> tuple[str, ...]:
    """A command that ends everything there that has this mark in its environment, and prints what it cannot end."""
    return ("sh", "-c", _END, "sh", mark, str(max(0, round(grace * 10))))
