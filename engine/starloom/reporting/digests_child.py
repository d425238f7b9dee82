"""The process that reads the last runs of a plan for the console, so that no frame waits for it.

`python -m starloom.reporting.digests_child REQUEST`: on stdout a `RunDigest` a line as JSON, the newest
first; on stderr how many were found so far, and what is wrong.
"""

from __future__ import annotations

import sys
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from starloom.decodable import decodable
from starloom.errors import StarloomError
from starloom.journal import child

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from starloom.journal.stream_file import StreamFile
    from starloom.reporting.run_digest import RunDigest

GOOD: Final = 0
REFUSED: Final = 2
MOST: Final = 20
"""Runs of a plan that are read."""


class DigestsRequest(msgspec.Struct, frozen=True):
    """What is to be read.

    Attributes:
        directory: of the journals.
        plan: the name of the plan whose runs are wanted.
        most: how many are wanted.
    """

    directory: str
    plan: str
    most: int = MOST


def command_line(request: DigestsRequest) -> tuple[str, ...]:
    """Its command line."""
    return child.command_line(__name__, __file__, msgspec.json.encode(request).decode())


def main(arguments: Sequence[str]) -> int:
    """Read runs; returns the exit code.

    Args:
        arguments: a `DigestsRequest` as JSON.
    """
    try:
        request = msgspec.json.decode(arguments[0], type=decodable(DigestsRequest))
        for digest in digests(request, child.stages_to(sys.stderr)):
            sys.stdout.write(msgspec.json.encode(digest).decode() + "\n")
            sys.stdout.flush()
    except (StarloomError, msgspec.MsgspecError, IndexError) as error:
        print(error, file=sys.stderr)  # noqa: T201 - whoever waits reads it
        return REFUSED
    except (KeyboardInterrupt, BrokenPipeError):  # whoever has asked does not want it any more
        return REFUSED
    return GOOD


def digests(request: DigestsRequest, tell: Callable[[str, float], None]) -> Iterator[RunDigest]:
    """The digests of a plan's runs, those written last first; also of runs of which nobody knows what plan they are of.

    Args:
        request: what is wanted.
        tell: is told how many were found so far, and what share of the journals was looked at.

    Raises:
        JournalError: the directory cannot be looked into.
    """
    from starloom.journal.records import run_folders  # here, as whoever only starts the process needs none of it

    folders = run_folders(Path(request.directory))
    found = 0
    for looked_at, folder in enumerate(folders):
        tell(str(found), max(found / request.most, looked_at / len(folders)))
        if found >= request.most:
            return
        digest = _digest_in(folder, request.plan)
        if digest is not None:
            found += bool(digest.plan)
            yield digest


def _digest_in(folder: Path, plan: str) -> RunDigest | None:
    """The digest of the run in a folder; None: it is another plan's."""
    from starloom.journal.base import JournalError
    from starloom.journal.lock import holder_of
    from starloom.journal.names import JOURNAL
    from starloom.journal.records import state_of
    from starloom.journal.stream_file import StreamFile
    from starloom.reporting.run_digest import RunDigest, digest_of

    path = folder / JOURNAL
    try:
        with StreamFile(path, read_only=True) as file:
            if not file.last or _plan_of(file) != plan:
                return None
            run = file.view().view.run
            return digest_of(run, state_of(run.state, holder_of(path)), folder=str(folder))
    except JournalError as error:
        trouble = str(error)
        if (digest := _as_far_as_it_goes(folder, trouble)) is not None:
            return digest if digest.plan == plan else None
    except OSError as error:
        trouble = f"The journal {path} cannot be read ({error.strerror or error}). Make it and its folder readable."
    except Exception as error:  # noqa: BLE001 - bytes from anywhere may raise anything, and other runs are to be seen
        trouble = f"The journal {path} cannot be read ({type(error).__name__}: {error}). Salvage what can be."
    written = 0.0
    with suppress(OSError):
        written = path.stat().st_mtime
    return RunDigest(run_id=folder.name, folder=str(folder), state="unreadable", since=written, trouble=trouble)


def _plan_of(file: StreamFile) -> str:
    """The name of the plan of a run, without its tasks where a checkpoint or the first turn tells."""
    from starloom.events import RunCreated

    known = file.view_without_graph()
    if known is not None:
        return known.view.run.name
    first = next(iter(file.turns()))
    return next((event.name for event in first.events if isinstance(event, RunCreated)), "")


def _as_far_as_it_goes(folder: Path, trouble: str) -> RunDigest | None:
    """The digest of a damaged run up to the damage; None: nothing of it can be read, so nobody knows its plan."""
    from starloom.journal.names import JOURNAL
    from starloom.journal.recording import Recording
    from starloom.reporting.run_digest import digest_of

    try:
        with closing(Recording(folder / JOURNAL)) as recording:
            while not (part := recording.read()).is_last:
                recording.take(part)
            recording.take(part)
            run = recording.moment(len(recording)).view.run if len(recording) else None
    except Exception:  # noqa: BLE001 - as above: it is told why it cannot be read already
        return None
    return digest_of(run, "unreadable", folder=str(folder), trouble=trouble) if run is not None else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
