"""An engine outlives its windows: three consoles, one over SSH, steer what its server runs while all that can die does.

A seed draws the same plans, acts and faults again, though not at the same moments.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.crash.attached_defects import DEFECTS
from tests.crash.attached_programs import ROOT
from tests.crash.attached_rounds import FAULTS, Session

from starloom.server.server_lock import can_serve

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FEW = 1
ROUNDS = int(os.environ.get("STARLOOM_ATTACHED_ROUNDS", FEW))
IN_A_ROW = 10
"""Rounds of the same programs, but for those that are killed."""
FIRST = int(os.environ.get("STARLOOM_ATTACHED_SEED", "1"))
MOST = 8
"""Rounds in which a planted defect has to be found."""
KEPT = ROOT / "build" / "attached-rounds"
pytestmark = [
    pytest.mark.skipif(not can_serve(), reason="no Unix sockets that tell who connects"),
    pytest.mark.skipif(shutil.which("ssh") is None, reason="there is no ssh"),
    pytest.mark.timeout(1800),  # each starts many programs one after another
]


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder in whose path sockets have room."""
    with tempfile.TemporaryDirectory(prefix="sl") as folder:
        yield Path(folder)


@pytest.mark.parametrize("seed", range(FIRST, FIRST + -(-ROUNDS // IN_A_ROW)))
def test_every_picture_is_the_journal_and_what_was_acknowledged_happened_once(
    tmp_path: Path, short: Path, seed: int
) -> None:
    session = Session(seed, tmp_path / "session", short)
    try:
        play(session, min(ROUNDS, IN_A_ROW))
    except BaseException as error:
        kept = KEPT / f"seed-{seed}"
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(session.folder, kept)
        error.add_note("\n".join([f"Seed {seed}; its files are in {kept}. What was done:", *session.story]))
        raise


def play(session: Session, rounds: int, faults: Sequence[str] = FAULTS) -> None:
    with session:
        for _ in range(rounds):
            session.round(faults)


@pytest.mark.skipif(ROUNDS <= FEW, reason="make test-attached-rounds looks for them")
@pytest.mark.parametrize("name", DEFECTS)
def test_a_planted_defect_is_found(tmp_path: Path, short: Path, name: str) -> None:
    defect = DEFECTS[name]
    planted = {"server_defect" if defect.is_of_server else "defect": name}
    session = Session(1, tmp_path / "session", short, **planted)
    with pytest.raises(AssertionError, match=defect.found):
        play(session, MOST, defect.faults)
