"""Whoever asks for what is not kept, or sends what no run has, is told so in a sentence, and nothing comes of it."""

from __future__ import annotations

import asyncio
import socket
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from tests.integration.served import ended, greeted, runtime, served
from tests.integration.test_resume import Gated, abc
from tests.integration.test_server_kept import kept, large, nobody

from starloom.errors import CommandRefused
from starloom.events import FORMAT_VERSION
from starloom.journal.base import JournalError
from starloom.journal.names import JOURNAL
from starloom.server import kept_messages, listening
from starloom.server.kept_client import KeptRunsClient
from starloom.server.kept_messages import (
    MOST_RECORDS,
    FilePiece,
    KeptFiles,
    KeptRows,
    ListKeptRuns,
    ReadKeptFiles,
    ReadKeptRecords,
    ReadKeptRows,
)
from starloom.server.messages import RequestAnswer, RequestRefusal
from starloom.server.wire import REPLIES, frame, read_message

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED"), reason="no Unix sockets that tell who connects")

__all__ = ["kept", "large", "runtime"]


def test_a_server_of_an_earlier_version_is_not_asked(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        async with served(kept, Gated()) as engine, engine.client() as ada:
            monkeypatch.setattr(type(ada.welcome), "sends_kept", False)
            asked = KeptRunsClient(ada)
            assert "does not send what it has kept" in asked.missing
            for asking in (asked.names(), asked.records(["r1"]), asked.copy_journal("r1", tmp_path / "r1", nobody)):
                with pytest.raises(CommandRefused, match="does not send what it has kept"):
                    await asking

    asyncio.run(main())


def test_who_may_not_command_may_read_what_is_kept(kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "may_command", lambda _pid: False)

    async def main() -> None:
        async with served(kept, Gated()) as engine, engine.client() as ada:
            with pytest.raises(CommandRefused, match="no commands"):
                await ada.submit(abc())
            await KeptRunsClient(ada).copy_journal("r1", tmp_path / "r1", nobody)

    asyncio.run(main())


@pytest.mark.parametrize(
    "request_of",
    [
        *(partial(ReadKeptRows, name=name) for name in ("", ".", "..", "../runs/r1", "/etc", "r1\0", "x" * 5000, "r3")),
        *(partial(ReadKeptRows, name="r1", after=after) for after in (-1, 10**6, 2**63, 2**64 - 1)),
        *(partial(ReadKeptRows, name="r1", after=after, last=2**64 - 1) for after in (-1, 2**64 - 1)),
        *(partial(ReadKeptFiles, name=name) for name in ("..", "r3", "../..")),
        partial(ReadKeptRecords, names=("r1",) * (MOST_RECORDS + 1)),
        partial(ReadKeptRecords, names=("../../etc",)),
    ],
)
def test_what_cannot_be_asked_for_is_refused_and_the_connection_stays(
    kept: Path, request_of: Callable[[int], Any]
) -> None:
    async def main() -> None:
        async with served(kept, Gated()) as engine, engine.raw() as (reader, writer):
            await greeted(reader, writer)
            writer.write(frame(request_of(1)))
            assert isinstance(await read_message(reader, REPLIES), RequestRefusal)
            writer.write(frame(ListKeptRuns(2)))
            assert set((await read_message(reader, REPLIES)).names) == {"r1", "r2"}

    asyncio.run(main())


@pytest.mark.parametrize("offset", [-5, 2**63, 2**64 - 1])
def test_an_odd_place_in_a_file_is_refused_or_empty(large: Path, offset: int) -> None:
    async def main() -> None:
        async with served(large, Gated()) as engine, engine.raw(limit=2**22) as (reader, writer):
            await greeted(reader, writer)
            writer.write(frame(ReadKeptFiles(1, "large", True, "output/a-1.log", offset, only=True)))
            answer = await read_message(reader, REPLIES)
            assert isinstance(answer, RequestRefusal) or not answer.pieces[0].data
            writer.write(frame(ListKeptRuns(2)))
            assert await read_message(reader, REPLIES) is not None

    asyncio.run(main())


@pytest.mark.expects_log
def test_a_request_that_is_none_closes_the_connection(kept: Path) -> None:
    async def main() -> None:
        async with served(kept, Gated()) as engine, engine.raw() as (reader, writer):
            await greeted(reader, writer)
            writer.write(frame(ReadKeptRows(1, 5)))  # type: ignore[arg-type]
            assert await ended(reader) == b""

    asyncio.run(main())


def test_who_reads_only_earlier_formats_is_sent_lists_but_no_rows(kept: Path) -> None:
    async def main() -> None:
        async with served(kept, Gated()) as engine, engine.raw() as (reader, writer):
            await greeted(reader, writer, format=FORMAT_VERSION - 1)
            writer.write(frame(ReadKeptRecords(1, ("r1",))))
            assert isinstance(await read_message(reader, REPLIES), kept_messages.KeptRecords)
            writer.write(frame(ReadKeptRows(2, "r1")))
            refused = await read_message(reader, REPLIES)
            assert refused.code == "older_format"

    asyncio.run(main())


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (KeptRows(0, 5, (), {"stream": "r1"}), "and no more"),
        (KeptRows(0, 5, (b"x",), {}), "it does not say of which"),
    ],
)
def test_a_server_that_sends_no_rows_is_told_of(
    kept: Path, tmp_path: Path, told: KeptRows, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def answer(_asked: KeptRunsClient, _request: Any) -> KeptRows:
        return told

    monkeypatch.setattr(KeptRunsClient, "_read", answer)

    async def main() -> None:
        async with served(kept, Gated()) as engine, engine.client() as ada:
            with pytest.raises(JournalError, match=said):
                await KeptRunsClient(ada).copy_journal("r1", tmp_path / "r1", nobody)

    asyncio.run(main())


@pytest.mark.parametrize("name", ["../x", "/x", JOURNAL, "output/../../x", "output/.."])
def test_a_file_that_no_run_has_is_not_written(
    kept: Path, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def answer(_asked: KeptRunsClient, _request: Any) -> KeptFiles:
        return KeptFiles(0, (FilePiece(name, 0, b"x"),))

    monkeypatch.setattr(KeptRunsClient, "_read", answer)

    async def main() -> None:
        async with served(kept, Gated()) as engine, engine.client() as ada:
            with pytest.raises(JournalError, match="a part that no run has"):
                await KeptRunsClient(ada).copy_files("r1", tmp_path / "r1", nobody, outputs=True)
        assert not (tmp_path / "r1").exists()

    asyncio.run(main())


def test_records_that_are_none_are_told_of(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def answer(_asked: KeptRunsClient, _request: Any) -> kept_messages.KeptRecords:
        return kept_messages.KeptRecords(0, ({"run_id": 5},))

    monkeypatch.setattr(KeptRunsClient, "_read", answer)

    async def main() -> None:
        async with served(kept, Gated()) as engine, engine.client() as ada:
            with pytest.raises(JournalError, match="makes no sense"):
                await KeptRunsClient(ada).records(["r1"])

    asyncio.run(main())


def test_folders_that_lead_elsewhere_are_not_listed(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def answer(_asked: KeptRunsClient, _request: Any) -> kept_messages.KeptRunNames:
        return kept_messages.KeptRunNames(0, "/srv", ("..", "r1", "../r2", "/etc", "", "a\0b"))

    monkeypatch.setattr(KeptRunsClient, "_read", answer)

    async def main() -> None:
        async with served(kept, Gated()) as engine, engine.client() as ada:
            assert (await KeptRunsClient(ada).names()).names == ("r1",)

    asyncio.run(main())


def test_durations_that_are_none_are_told_of(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def answer(_asked: KeptRunsClient, _request: Any) -> RequestAnswer:
        return RequestAnswer(0, "long")

    monkeypatch.setattr(KeptRunsClient, "_read", answer)

    async def main() -> None:
        async with served(kept, Gated()) as engine, engine.client() as ada:
            with pytest.raises(JournalError, match="makes no sense"):
                await KeptRunsClient(ada).durations("nightly")

    asyncio.run(main())
