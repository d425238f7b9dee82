"""Scripts for the shell on the other side: POSIX text, which it reads from its standard input.

So no login shell, no length limit and no process list comes in between. The texts are constants; values come in as
assignments before them, quoted here and nowhere else.

Each text is one compound command: what arrives only in part, as the link breaks, does nothing. Answers are lines that
begin with a word of ours, because a login shell's start files may print something as well.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Final, NamedTuple

from starloom.devices.environment import SHELLS_OWN, export_lines, quoted, split
from starloom.devices.family import TOKEN
from starloom.devices.marker import SCRIPT, SHELLS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ANSWER: Final = "starloom:"
"""How a line begins that is meant for us."""

PROC: Final = "/proc"
_PROGRAMS: Final = (
    "adb",
    "docker",
    "ffmpeg",
    "gcc",
    "git",
    "java",
    "kubectl",
    "make",
    "nvidia-smi",
    "podman",
    "python3",
)
"""What is looked for on each machine, and becomes a capability where it is found."""

# What our text uses; like names that are none to a shell, they are set by `environment_child`.
NOT_EXPORTED: Final = SHELLS_OWN | {
    *("folder", "cwd", "program", "wrapper", "setsid", "denied", "rest", "place", "path", "shell", "child"),
    *("unpacker", "unpacking"),
}
UNPACKER: Final = "environment_child.py"
"""What the program that sets those is called in an attempt's folder."""

FIND: Final = """\
refuse() { echo "ANSWERrefused $1"; exit 0; }
find_program() {
  case $1 in
    */*) rest=: ;;
    *) rest=$PATH: ;;
  esac
  denied=
  while [ -n "$rest" ]; do
    place=${rest%%:*}; rest=${rest#*:}
    path=${place:+$place/}$1
    if [ -f "$path" ] && [ -x "$path" ]; then return 0; fi
    if [ -e "$path" ]; then denied=1; fi
  done
  if [ -n "$denied" ]; then refuse denied; else refuse missing; fi
}
cd -- "$cwd" 2>/dev/null || refuse cwd
find_program "$program"
"""
"""Enters the working directory and finds the program there; answers `refused` and why if it cannot."""

# Looks for the program as the system would, because a shell would only say 126 or 127. The wrapper leads a session of
# its own: what ends with the link is not its group. Its descriptors are as marker.py says. Answers when the wrapper has
# written down who it is. Said twice, as the link broke, it may come late and must not harm what runs: so files are made
# by appending nothing.
_START: Final = """\
has_begun() { [ -f "$folder/marker" ] && [ -s "$folder/marker" ]; }
case $1 in -*) shift; set -- "$path" "$@" ;; esac
if [ -n "$unpacker" ]; then
  command -v "$unpacker" >/dev/null 2>&1 || refuse unpacker
  set -- "$unpacker" "$unpacking" "$@"
fi
{ true >>"$folder/stdout" && true >>"$folder/stderr"; } 2>/dev/null || refuse folder
for shell in SHELLS; do if [ -x "$shell" ]; then break; fi; done
set -- "$shell" -c "$wrapper" sh "$folder/marker" "$@"
if [ -n "$setsid" ]; then set -- "$setsid" "$@"; else set -m; fi
"$@" 0>>"$folder/stderr" 1>>"$folder/stdout" 2</dev/null &
child=$!
until has_begun; do
  kill -0 "$child" 2>/dev/null || break
  sleep 0.02 2>/dev/null || sleep 1
done
has_begun || refuse marker
began= now=
{ read -r _ _ _ began _ <"$folder/marker"; read -r now _ <PROC/uptime; } 2>/dev/null
echo "ANSWERstarted $began $now"
"""

# Who belongs to an attempt: who bears its token, who is in the group of its wrapper, and who descends from these.
# Processes once found are remembered with the time they were started, so that a number used again misleads nobody.
_FAMILY: Final = """\
table() {
  if [ -r PROC/self/stat ]; then
    for file in PROC/[0-9]*/stat; do
      { read -r line <"$file"; } 2>/dev/null || continue
      id=${line%% *}
      set -- ${line##*) }
      echo "$id $2 $3 $1 ${20}"
    done
  else
    ps -A -o pid= -o ppid= -o pgid= -o stat= | while read -r id parent group state _; do
      echo "$id $parent $group $state 0"
    done
  fi
}
bearers() {
  for file in $(grep -lsF -e "TOKEN=$token" PROC/[0-9]*/environ 2>/dev/null); do
    id=${file%/environ}; echo "${id##*/}"
  done
}
leads() {
  if [ -z "$leader" ]; then return 1; fi
  if [ -r PROC/self/stat ]; then grep -qsF -e "TOKEN=$token" "PROC/$leader/environ"; return; fi
  case $(ps -ww -o stat= -o args= -p "$leader" 2>/dev/null) in
    Z*) return 1 ;;
    *"$folder/marker"*) return 0 ;;
  esac
  return 1
}
known=" "
look() {
  all=$(table)
  found=" "
  for id in $(bearers); do found="$found$id "; done
  if leads; then found="$found$leader "; fi
  group=none
  while read -r id parent its_group state start; do
    case $known in *" $id:$start "*) found="$found$id " ;; esac
    case $found in *" $id "*) if [ "$its_group" = "$leader" ]; then group=$leader; fi ;; esac
  done <<END
$all
END
  before=
  while [ "$before" != "$found" ]; do
    before=$found
    while read -r id parent its_group state start; do
      case $found in
        *" $id "*) ;;
        *" $parent "*) found="$found$id " ;;
        *) if [ "$its_group" = "$group" ]; then found="$found$id "; fi ;;
      esac
    done <<END
$all
END
  done
  members=" "; known=" "
  while read -r id parent its_group state start; do
    case $state in Z* | X*) continue ;; esac
    case $found in *" $id "*) members="$members$id "; known="$known$id:$start " ;; esac
  done <<END
$all
END
}
now() {
  if [ -r PROC/uptime ]; then read -r up _ <PROC/uptime; echo "${up%.*}${up#*.}"; else echo "$(date +%s)00"; fi
}
"""

# Asks everybody once, also those who appear later; then kills, the wrapper only after its command, as it is to write
# down how that ended. All are stopped before the first is signalled: a shell whose child ends before the shell has its
# own signal would go on with its next command. Goes on if the link breaks.
_END: Final = """\
trap '' HUP PIPE
signal() {
  name=$1; shift
  for id in "$@"; do kill -s STOP "$id" 2>/dev/null; done
  for id in "$@"; do kill -s "$name" "$id" 2>/dev/null; done
  for id in "$@"; do kill -s CONT "$id" 2>/dev/null; done
}
asked=" "; began=$(now); pause=0.02
while look; [ "$members" != " " ] && [ $(($(now) - began)) -lt "$grace" ]; do
  set --
  for id in $members; do
    case $asked in *" $id "*) ;; *) set -- "$@" "$id"; asked="$asked$id " ;; esac
  done
  signal TERM "$@"
  sleep "$pause" 2>/dev/null || sleep 1
  pause=0.1
done
began=$(now)
while look; waited=$(($(now) - began)); [ "$members" != " " ] && [ "$waited" -lt 500 ]; do
  set --
  for id in $members; do
    if [ "$id" != "$leader" ] || [ "$waited" -ge 100 ]; then set -- "$@" "$id"; fi
  done
  signal KILL "$@"
  sleep 0.05 2>/dev/null || sleep 1
done
echo "ANSWERleft$members"
"""

# Kills the wrapper alone; answers when it cannot write any more.
_KILL_WRAPPER: Final = """\
began=$(now)
while leads && [ $(($(now) - began)) -lt 500 ]; do
  kill -s KILL "$leader" 2>/dev/null
  sleep 0.02 2>/dev/null || sleep 1
done
if leads; then echo "ANSWERleft $leader"; else echo "ANSWERleft"; fi
"""

_LIVES: Final = """\
if leads; then echo "ANSWERlives"; else echo "ANSWERgone"; fi
"""

# Moves the folders aside before anything in them is removed: the wrapper of an attempt that was taken back may be late,
# and must find either all that keeps it from beginning or no folder at all. What another one left aside goes as well.
_REMOVE: Final = """\
trap '' HUP PIPE
gone=gone.$$
cd -- "$attempts" 2>/dev/null && mkdir -p -- "$gone" && mv -f -- "$@" "$gone" 2>/dev/null
cd -- "$attempts" 2>/dev/null && for left in gone.*; do
  if [ "$left" = "$gone" ] || ! kill -0 "${left#gone.}" 2>/dev/null; then rm -rf -- "$left" 2>/dev/null; fi
done
for folder in "$@"; do
  if [ ! -e "$attempts/$folder" ] && [ ! -e "$attempts/$gone/$folder" ]; then echo "ANSWERremoved $folder"; fi
done
"""

# The folders of ours in which nothing has changed for so many days, and of which no process lives.
_STILL: Final = """\
cd -- "$attempts" 2>/dev/null || exit 0
for folder in *; do
  case $folder in *[!0-9a-f]*) continue ;; esac
  if [ "${#folder}" -ne 24 ] || [ ! -d "$folder" ] || [ -L "$folder" ]; then continue; fi
  if [ -n "$(find "$folder" ! -mtime "+$days" 2>/dev/null | head -n 1)" ]; then continue; fi
  if grep -qsF -e "TOKEN=$folder" PROC/[0-9]*/environ 2>/dev/null; then continue; fi
  if ps -A -ww -o args= 2>/dev/null | grep -F -e "/$folder/marker" | grep -qvF grep; then continue; fi
  echo "ANSWERstill $folder"
done
"""

_CLOCK: Final = """\
echo "ANSWERclock $(date +%s 2>/dev/null)"
"""

_PROBE: Final = """\
echo "ANSWERsystem $(uname -s 2>/dev/null)"
echo "ANSWERmachine $(uname -m 2>/dev/null)"
for program in PROGRAMS; do
  if command -v "$program" >/dev/null 2>&1; then echo "ANSWERprogram $program"; fi
done
"""

_MEASURE: Final = """\
if [ -r /proc/stat ]; then
  read -r _ times </proc/stat; echo "ANSWERcpu $times"
  while read -r name amount _; do
    case $name in MemTotal: | MemAvailable:) echo "ANSWER${name%:} $amount" ;; esac
  done </proc/meminfo
  read -r load _ </proc/loadavg; echo "ANSWERload $load"
fi
df -Pk -- "$folder" 2>/dev/null | while read -r _ total used free _; do echo "ANSWERdisk $total $used $free"; done
"""


# Each reads the file only if it is there itself.
_DIGEST: Final = """\
sum() {
  sha256sum || shasum -a 256 || sha256 -q || openssl dgst -sha256 -r ||
    "$python" -c 'import hashlib, sys; print(hashlib.sha256(sys.stdin.buffer.read()).hexdigest())'
}
found=$(sum <"$path" 2>/dev/null)
echo "ANSWERdigest ${found%% *}"
"""


class AttemptPlace(NamedTuple):
    """The folder, token and process of an attempt on the other machine."""

    folder: str
    """Its own, as an absolute path."""
    token: str
    """What the environment of everything it starts holds."""
    leader: int | None = None
    """The wrapper's process id, and its group's and session's; None: not known."""


def start(place: AttemptPlace, command: Sequence[str], cwd: str, env: Mapping[str, str], python: str) -> bytes:
    """A script that starts a command under the wrapper; prints `started` and the uptime, or `refused` and why.

    The uptimes, in seconds, are that of the begin and that of the answer; a machine without one tells neither.

    Args:
        place: the attempt's folder is there, and in it no marker.
        command: the program and its arguments.
        cwd: where it runs.
        env: what its environment holds besides what a login there holds.
        python: the Python there, which sets variables of names that no shell can set.

    Raises:
        ValueError: something cannot be said to the other side.
    """
    passed, is_packed = split(env, NOT_EXPORTED)
    # What a variable of the task might hide is looked up before there are any.
    head = ["setsid=$(command -v setsid)", *export_lines(passed), f"set -- {' '.join(map(quoted, command))}"]
    values = {
        "folder": place.folder,
        "cwd": cwd,
        "program": command[0],
        "wrapper": SCRIPT.replace("RESTORE", ""),
        "unpacker": python if is_packed else "",
        "unpacking": f"{place.folder}/{UNPACKER}",
    }
    return script_of(FIND + _START, values, head)


def needs_unpacker(env: Mapping[str, str]) -> bool:
    """Whether a variable has a name that no shell there can set."""
    return split(env, NOT_EXPORTED)[1]


def end(place: AttemptPlace, grace: float) -> bytes:
    """A script that ends all processes of an attempt; prints `left` and the ids of those it could not end."""
    return script_of(_FAMILY + _END, {**_of(place), "grace": str(round(grace * 100))})


def kill_wrapper(place: AttemptPlace) -> bytes:
    """A script that kills the wrapper; prints `left`, and its id if it could not be killed."""
    return script_of(_FAMILY + _KILL_WRAPPER, _of(place))


def lives(place: AttemptPlace) -> bytes:
    """A script that prints `lives` while the wrapper lives, else `gone`."""
    return script_of(_FAMILY + _LIVES, _of(place))


def remove(folders: Sequence[str]) -> bytes:
    """A script that removes folders of attempts, all in one folder; prints `removed` and the name of each removed one.

    Args:
        folders: absolute paths, at least one.
    """
    names = " ".join(quoted(posixpath.basename(folder)) for folder in folders)
    return script_of(_REMOVE, {"attempts": posixpath.dirname(folders[0])}, [f"set -- {names}"])


def still(attempts: str, days: int) -> bytes:
    """A script that prints `still` and the name of each attempt's folder that has not changed for so many days."""
    return script_of(_STILL, {"attempts": attempts, "days": str(days)})


def clock() -> bytes:
    """A script that prints `clock` and seconds since 1970, if the machine can tell."""
    return script_of(_CLOCK, {})


def digest(path: str, python: str) -> bytes:
    """A script that prints `digest` and the SHA-256 of a file, if a program there computes it.

    Args:
        path: of the file.
        python: the Python there.
    """
    return script_of(_DIGEST, {"path": path, "python": python})


def probe() -> bytes:
    """A script that probes the machine: prints `system`, `machine`, and `program` for each one found."""
    return script_of(_PROBE, {})


def measure(folder: str) -> bytes:
    """A script that prints the load of the machine, and of the file system of the folder."""
    return script_of(_MEASURE, {"folder": folder})


def _of(place: AttemptPlace) -> dict[str, str]:
    leader = "" if place.leader is None else str(place.leader)
    return {"folder": place.folder, "token": place.token, "leader": leader}


def script_of(script: str, values: Mapping[str, str], head: Sequence[str] = ()) -> bytes:
    """A script with values for its variables, then lines of its own, then this text; run only if it has come whole.

    Raises:
        ValueError: a value holds a NUL character.
    """
    constants = {
        "ANSWER": ANSWER,
        "PROC": PROC,
        "TOKEN": TOKEN,
        "SHELLS": " ".join(SHELLS),
        "PROGRAMS": " ".join(_PROGRAMS),
    }
    for name, value in constants.items():
        script = script.replace(name, value)
    lines = ["{", *(f"{name}={quoted(value)}" for name, value in values.items()), *head, script, "exit 0", "}", ""]
    return "\n".join(lines).encode("utf-8", "surrogateescape")
