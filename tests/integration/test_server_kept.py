"""The runs that a server has kept: listed, and their journals and files copied by whoever is connected."""

from __future__ import annotations

import asyncio
import socket
import threading
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace
from tests.integration.served import check_replica, journal, runtime, served, talker
from tests.integration.test_resume import Gated, abc
from tests.unit.journal.test_library import keep, two_runs
from tests.waiting import until

from starloom.errors import CommandRefused, StarloomError
from starloom.journal.base import JournalError
from starloom.journal.library import Library
from starloom.journal.names import JOURNAL, LAYOUT
from starloom.journal.records import record
from starloom.journal.row_copy import RowCopy, end_of_copy
from starloom.journal.sent_rows import BATCH_BYTES, RowReader, RunReplica
from starloom.journal.stream_file import StreamFile
from starloom.server.client import EngineClient
from starloom.server.kept_client import KeptRunsClient
from starloom.server.kept_messages import (
    KeptRows,
    ReadKeptRows,
)
from starloom.server.sessions import ClientSession
from starloom.server.socket_path import ServerError
from starloom.server.wire import frame
from starloom.testing import independent

if TYPE_CHECKING:
    from pathlib import Path


pytestmark = pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED"), reason="no Unix sockets that tell who connects")

__all__ = ["runtime"]


def nobody(_share: float) -> None:
    """Nobody waits."""


def same(path: Path, other: Path) -> bool:
    with StreamFile(path, read_only=True) as one, StreamFile(other, read_only=True) as two:
        told = [{name: value for name, value in file.meta.items() if name != "seal"} for file in (one, two)]
        return one.sha256() == two.sha256() and told[0] == told[1] and one.last == two.last


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A folder of journals with two runs of an earlier program."""
    folder = tmp_path / "kept"
    with Library(folder) as library:
        keep(library, two_runs())
    return folder


def test_the_runs_of_earlier_programs_are_listed_as_they_stand_there(kept: Path) -> None:
    async def main() -> None:
        async with served(kept, talker(3)) as engine, engine.client() as ada:
            run_id = await ada.submit(abc())
            await ada.finished(run_id)
            asked = KeptRunsClient(ada)
            assert not asked.missing
            found = await asked.names()
            assert found.directory == str(kept)
            assert set(found.names) == {"r1", "r2", run_id}
            records = {one.run_id: one for one in await asked.records(found.names)}
            for name in ("r1", "r2"):
                here = record(kept / "runs" / name)
                assert records[name].size is not None
                assert here.as_of - 60.0 < records[name].as_of <= here.as_of
                assert records[name] == replace(here, size=records[name].size, as_of=records[name].as_of)
            assert records[run_id].state == "completed"
            assert records[run_id].held_by is not None

    asyncio.run(main())


def test_a_copy_of_a_journal_has_its_rows_and_what_it_says_of_itself_and_takes_later_ones(
    kept: Path, tmp_path: Path
) -> None:
    async def main() -> None:
        gated = Gated()
        async with served(kept, gated) as engine, engine.client() as ada:
            asked, here = KeptRunsClient(ada), tmp_path / "copies" / "runs"
            await asked.copy_journal("r1", here / "r1", nobody)
            assert same(here / "r1" / JOURNAL, journal(kept, "r1"))
            run_id = await ada.submit(abc())
            await until(lambda: gated.began == ["a"])
            await asked.copy_journal(run_id, here / run_id, nobody)
            assert record(here / run_id).counts["running"] == 1
            row, _ = end_of_copy(here / run_id / JOURNAL)
            gated.open("a", "b", "c")
            await ada.finished(run_id)
            sent = _rows_sent(asked)
            await asked.copy_journal(run_id, here / run_id, nobody)
            assert same(here / run_id / JOURNAL, journal(kept, run_id))
            assert sent == [(row - 1, 0)], "what was here is not sent again"
            with StreamFile(here / run_id / JOURNAL, read_only=True) as file:
                replica = RunReplica(run_id)
                replica.view = file.view().view
                check_replica(replica, journal(kept, run_id))

    asyncio.run(main())


def _rows_sent(asked: KeptRunsClient) -> list[tuple[int, int]]:
    """What is asked for from now on: the row after which, and up to which."""
    sent: list[tuple[int, int]] = []
    rows = asked._rows

    async def noted(name: str, after: int, last: int = 0) -> KeptRows:
        sent.append((after, last))
        return await rows(name, after, last)

    asked._rows = noted  # type: ignore[method-assign]
    return sent


def test_a_copy_of_another_journal_of_that_name_or_of_a_longer_one_is_made_anew(kept: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    with Library(other) as library:
        keep(library, two_runs())

    async def main() -> None:
        here = tmp_path / "here" / "r1"
        for folder in (kept, other, kept):
            async with served(folder, Gated()) as engine, engine.client() as ada:
                await KeptRunsClient(ada).copy_journal("r1", here, nobody)
                assert same(here / JOURNAL, journal(folder, "r1"))
        (here / JOURNAL).write_bytes(b"no journal")
        async with served(kept, Gated()) as engine, engine.client() as ada:
            await KeptRunsClient(ada).copy_journal("r1", here, nobody)
            assert same(here / JOURNAL, journal(kept, "r1"))
            copy = RowCopy(here / JOURNAL)
            copy.begin(_about(here / JOURNAL), anew=False)
            copy.add([b"more"])
            copy.commit()
            copy.close()
            with pytest.raises(CommandRefused, match="rows, and none"):
                await KeptRunsClient(ada)._rows("r1", copy.last)
            await KeptRunsClient(ada).copy_journal("r1", here, nobody)
            assert same(here / JOURNAL, journal(kept, "r1"))

    asyncio.run(main())


def _about(path: Path) -> dict[str, str]:
    with StreamFile(path, read_only=True) as file:
        return file.meta


# ---- large ones


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A folder of journals whose one run, `large`, has rows and outputs of several batches."""
    folder = tmp_path / "large"

    async def main() -> None:
        async with served(folder, talker(100_000)) as engine, engine.client() as ada:
            await ada.submit(independent(20), "large")
            await ada.finished("large")

    asyncio.run(main())
    output = folder / "runs" / "large" / "output"
    output.mkdir(exist_ok=True)
    (output / "a-1.log").write_bytes(bytes(range(256)) * (3 * BATCH_BYTES // 256) + b"the end")
    for number in range(1100):
        (output / f"b{number}-1.log").write_bytes(b"%d\n" % number)
    (output / "c-1.log").write_bytes(b"")
    (output / "d-1.log").symlink_to("/etc/hostname")
    (folder / "runs" / "large" / LAYOUT).write_bytes(b"{}")
    return folder


def test_a_large_run_comes_in_bounded_pieces_with_progress(
    large: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    sent = ClientSession._send

    async def measured(session: ClientSession, message: Any) -> None:
        sizes.append(len(frame(message)))
        await sent(session, message)

    monkeypatch.setattr(ClientSession, "_send", measured)

    async def main() -> None:
        async with served(large, talker(1)) as engine, engine.client() as ada:
            asked, here = KeptRunsClient(ada), tmp_path / "here"
            shares: list[float] = []
            await asked.copy_journal("large", here, shares.append)
            assert len(shares) >= 3
            assert shares == sorted(shares)
            assert same(here / JOURNAL, journal(large, "large"))
            await asked.copy_files("large", here, nobody, outputs=False)
            assert sorted(path.name for path in here.iterdir() if "db-" not in path.name) == [JOURNAL, LAYOUT]
            shares.clear()
            await asked.copy_files("large", here, shares.append, outputs=True)
            assert shares == sorted(shares)
            there = {path.name: path.read_bytes() for path in (large / "runs/large/output").iterdir()}
            del there["d-1.log"]
            assert {path.name: path.read_bytes() for path in (here / "output").iterdir()} == there
            assert max(sizes) < 2 * BATCH_BYTES
            (here / "output" / "a-1.log").unlink()
            (here / "output" / "b7-1.log").unlink()
            for name in ("a-1.log", "b7-1.log", "nothing-1.log"):
                await asked.copy_output("large", here / "output" / name)
            assert (here / "output" / "a-1.log").read_bytes() == there["a-1.log"]
            assert (here / "output" / "b7-1.log").read_bytes() == b"7\n"
            assert not (here / "output" / "nothing-1.log").exists()

    asyncio.run(main())


def test_the_engine_goes_on_while_a_journal_is_read(
    large: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = threading.Event(), threading.Event()
    rows_after = RowReader.rows_after

    def slow(reader: RowReader, row: int, last: int) -> list[bytes]:
        begun.set()
        assert go_on.wait(60)
        return rows_after(reader, row, last)

    monkeypatch.setattr("starloom.server.kept_runs.RowReader.rows_after", slow)

    async def main() -> None:
        async with served(large, talker(1)) as engine, engine.client() as ada, engine.client("bob") as bob:
            copying = asyncio.create_task(KeptRunsClient(ada).copy_journal("large", tmp_path / "here", nobody))
            await until(begun.is_set)
            monkeypatch.setattr("starloom.server.kept_runs.RowReader.rows_after", rows_after)
            assert await bob.runs() == ()
            go_on.set()
            await copying

    asyncio.run(main())


# ---- what does not go well


def _note_share(is_there: asyncio.Event, wanted: float, share: float) -> None:
    if share > wanted:
        is_there.set()


def test_who_cancels_a_copy_has_none_and_asks_for_other_things(large: Path, tmp_path: Path) -> None:
    async def main() -> None:
        async with served(large, talker(1)) as engine, engine.client() as ada:
            asked, here = KeptRunsClient(ada), tmp_path / "here"
            for share in (0.0, 0.5):
                is_there = asyncio.Event()
                tell = partial(_note_share, is_there, share)
                copying = asyncio.create_task(asked.copy_journal("large", here, tell))
                await is_there.wait()
                copying.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await copying
                assert await ada.runs() == ()
                with StreamFile(here / JOURNAL, read_only=True) as file:
                    assert not file.last
            await asked.copy_journal("large", here, nobody)
            assert same(here / JOURNAL, journal(large, "large"))

    asyncio.run(main())


def test_who_cancels_a_copy_as_it_begins_is_in_nobody_s_way(
    large: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on, begin = threading.Event(), threading.Event(), RowCopy.begin

    def slow(copy: RowCopy, about: Any, *, anew: bool) -> None:
        begin(copy, about, anew=anew)
        begun.set()
        assert go_on.wait(60)

    async def main() -> None:
        async with served(large, talker(1)) as engine, engine.client() as ada:
            asked, here = KeptRunsClient(ada), tmp_path / "here"
            with monkeypatch.context() as slowly:
                slowly.setattr(RowCopy, "begin", slow)
                copying = asyncio.create_task(asked.copy_journal("large", here, nobody))
                await until(begun.is_set)
            copying.cancel()
            go_on.set()
            with pytest.raises(asyncio.CancelledError):
                await copying
            await asked.copy_journal("large", here, nobody)
            assert same(here / JOURNAL, journal(large, "large"))

    asyncio.run(main())


def test_who_cancels_a_question_gets_no_answer_of_another_one(tmp_path: Path) -> None:
    async def main() -> None:
        async with served(tmp_path, Gated()) as engine, engine.client() as ada:
            for _ in range(20):
                asking = asyncio.create_task(ada.people())
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                asking.cancel()
                assert await ada.runs() == ()
                with pytest.raises(asyncio.CancelledError):
                    await asking

    asyncio.run(main())


def test_a_copy_goes_on_over_a_connection_that_was_lost(
    large: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered = ClientSession._answered
    asked_for: list[int] = []

    async def cut(session: ClientSession, request: Any) -> Any:
        if isinstance(request, ReadKeptRows):
            asked_for.append(request.after)
            if len(asked_for) in (3, 4):
                session.abort()
        return await answered(session, request)

    monkeypatch.setattr(ClientSession, "_answered", cut)

    async def main() -> None:
        async with served(large, talker(1)) as engine, engine.client() as ada:
            await KeptRunsClient(ada).copy_journal("large", tmp_path / "here", nobody)
            assert same(tmp_path / "here" / JOURNAL, journal(large, "large"))
            assert asked_for[2] == asked_for[3] == asked_for[4] > 0, "it goes on where it was"

    asyncio.run(main())


def test_where_the_server_is_gone_a_sentence_says_so_and_nothing_is_there_in_part(large: Path, tmp_path: Path) -> None:
    async def main() -> None:
        here = tmp_path / "here"
        async with EngineGone(large) as engine, EngineClient(large, "ada", patience=0.2) as ada:
            with pytest.raises(ServerError, match=f"The server of {large} is gone"):
                await KeptRunsClient(ada).copy_journal("large", here, lambda _: engine.go())
        with StreamFile(here / JOURNAL, read_only=True) as file:
            assert not file.last

    asyncio.run(main())


class EngineGone:
    """A served engine whose server goes when it is told to, in the middle of what is asked of it."""

    def __init__(self, journals: Path) -> None:
        self._serving = served(journals, talker(1))
        self._ending: asyncio.Task[Any] | None = None

    async def __aenter__(self) -> EngineGone:
        await self._serving.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._ending is not None
        await self._ending

    def go(self) -> None:
        if self._ending is None:
            self._ending = asyncio.create_task(self._serving.__aexit__(None, None, None))


def test_a_damaged_journal_and_one_that_cannot_be_written_here_are_told_in_a_sentence(
    kept: Path, tmp_path: Path
) -> None:
    path = journal(kept, "r1")
    path.write_bytes(path.read_bytes()[:5000])

    async def main() -> None:
        async with served(kept, Gated()) as engine, engine.client() as ada:
            asked = KeptRunsClient(ada)
            with pytest.raises(StarloomError, match=r"The journal .*r1.* is damaged"):
                await asked.copy_journal("r1", tmp_path / "here", nobody)
            (one,) = await asked.records(["r1"])
            assert one.state == "unreadable"
            (tmp_path / "file").write_text("in the way")
            with pytest.raises(JournalError, match="cannot be written"):
                await asked.copy_journal("r2", tmp_path / "file" / "r2", nobody)
            with pytest.raises(CommandRefused, match="There is no run 'r3'"):
                await asked.copy_journal("r3", tmp_path / "r3", nobody)

    asyncio.run(main())
