"""Verification of an untrusted journal in a child process, with limits on memory and time.

What nobody here has written may be made to need gigabytes or hours. The child folds it whole, event for event, with the
checks of `scheduling.fold.stream_check`; only a journal that passes is read by any other process.
"""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from starloom.journal import child
from starloom.journal.foreign import trouble_with

if TYPE_CHECKING:
    from collections.abc import Sequence

MEMORY: Final = 448 * 1024**2
"""Bytes of addresses that the child may take, with an interpreter and its libraries in it."""
MEMORY_PER_BYTE: Final = 40
"""And so many more for each byte of the journal: four times what our own need."""
SECONDS: Final = 30.0
SECONDS_PER_BYTE: Final = 2e-6
"""And so many more for each byte: some twenty times what our own need."""
_NO_MEMORY: Final = 1


def trouble_in_child(journal: Path, run_id: str) -> str:
    """The first problem of an untrusted journal, as `journal.foreign` finds it; empty: none.

    Args:
        journal: the file.
        run_id: whose journal it should be.
    """
    size = journal.stat().st_size
    memory, seconds = MEMORY + MEMORY_PER_BYTE * size, SECONDS + SECONDS_PER_BYTE * size
    command = child.command_line(__name__, __file__, str(journal), run_id, str(memory))
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return f"reading its journal of {size:,} bytes takes longer than {seconds:.0f} s, and was given up"
    except OSError as error:
        return f"the process that looks at its journal cannot be started ({error.strerror or error})"
    except ValueError:  # a null character in the id
        return "its journal is that of another run"
    with suppress(ValueError):
        said = json.loads(done.stdout)
        if not done.returncode and isinstance(said, str):
            return said
    return f"reading its journal of {size:,} bytes takes more than {memory // 1024**2:,} MB of memory, and was given up"


def main(arguments: Sequence[str]) -> int:
    """Verify a journal in this process and print its problem as a JSON string; returns the exit code.

    Args:
        arguments: the file, whose journal it should be, and how many bytes of addresses this process may take from now
            on, where the system can see to that.
    """
    journal, run_id, memory = arguments
    _limit(int(memory))
    trouble = trouble_with(Path(journal), run_id)
    if MemoryError.__name__ in trouble:  # whoever waits knows how much there was
        return _NO_MEMORY
    print(json.dumps(trouble))  # noqa: T201 - its answer
    return 0


def _limit(memory: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limit; that of time holds there, too
        return
    with suppress(ValueError, OSError):  # a lower one is set already
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
