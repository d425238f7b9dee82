"""What an event loop does with threads, file descriptors, processes and signals, as lists of what was observed."""

from __future__ import annotations

import asyncio
import contextvars
import os
import signal
import socket
import sys
import threading
from typing import TYPE_CHECKING, Any

from tests.waiting import until

from starloom.devices.process import can_watch, start_process

if TYPE_CHECKING:
    from tests.gui.event_loop.loops import Scenario

mark: contextvars.ContextVar[str] = contextvars.ContextVar("mark", default="none")


def _loop() -> asyncio.AbstractEventLoop:
    return asyncio.get_running_loop()


async def threads_call_in_their_order() -> list[Any]:
    seen: dict[str, list[int]] = {name: [] for name in "abc"}
    names: set[str] = set()
    done = asyncio.Event()

    def note(name: str, number: int) -> None:
        seen[name].append(number)
        names.add(threading.current_thread().name)
        if sum(map(len, seen.values())) == 3000:
            done.set()

    def call(name: str, loop: asyncio.AbstractEventLoop) -> None:
        for number in range(1000):
            loop.call_soon_threadsafe(note, name, number)

    threads = [threading.Thread(target=call, args=(name, _loop())) for name in seen]
    for thread in threads:
        thread.start()
    await done.wait()
    for thread in threads:
        thread.join()
    return [all(numbers == list(range(1000)) for numbers in seen.values()), names]


async def executors_and_their_context() -> list[Any]:
    def fail() -> None:
        raise ValueError("in a thread")

    mark.set("given")
    seen: list[Any] = [await _loop().run_in_executor(None, divmod, 7, 2), await asyncio.to_thread(mark.get)]
    try:
        await asyncio.to_thread(fail)
    except ValueError as error:
        seen.append(repr(error))
    name = await asyncio.to_thread(lambda: threading.current_thread().name)
    return [*seen, name.rpartition("_")[0]]


async def context_variables_are_those_of_who_asked() -> list[Any]:
    seen: list[Any] = []
    ours, theirs = socket.socketpair()
    other = contextvars.copy_context()
    other.run(mark.set, "other")
    mark.set("asked")

    def note(what: str) -> None:
        seen.append((what, mark.get()))
        mark.set("spoilt")

    def read() -> None:
        note("reader")
        _loop().remove_reader(ours)

    def write() -> None:
        note("writer")
        _loop().remove_writer(theirs)

    _loop().call_soon(note, "soon")
    _loop().call_soon(note, "soon, other", context=other)
    _loop().call_later(0.001, note, "later")
    _loop().call_soon_threadsafe(note, "threadsafe")
    await asyncio.sleep(0.01)
    _loop().add_reader(ours, read)
    mark.set("changed")
    theirs.send(b"x")
    await until(lambda: len(seen) == 5)
    _loop().add_writer(theirs, write)
    mark.set("changed again")
    await until(lambda: len(seen) == 6)
    ours.close()
    theirs.close()
    return [*seen, mark.get()]


async def readers_and_writers() -> list[Any]:
    seen: list[Any] = []
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    end = _loop().create_future()

    def read() -> None:
        data = ours.recv(3)
        seen.append(data)
        if not data:
            seen.append(_loop().remove_reader(ours))
            end.set_result(None)

    def write() -> None:
        seen.append(("writable", _loop().remove_writer(theirs)))
        theirs.send(b"abcde")
        theirs.close()

    _loop().add_reader(ours, seen.append, "never: replaced")
    _loop().add_reader(ours.fileno(), read)
    _loop().add_writer(theirs, write)
    await end
    seen.append((_loop().remove_reader(ours), _loop().remove_writer(ours)))
    ours.close()
    return seen


async def a_reader_runs_once_for_each_time_it_is_told() -> list[Any]:
    """Although many callbacks, of more than one turn, stand between being ready and being read."""
    seen: list[Any] = []
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    end = _loop().create_future()

    def read() -> None:
        try:
            seen.append(ours.recv(100))
        except BlockingIOError:
            seen.append("called although there is nothing")
        if seen[-1] == b"last":
            _loop().remove_reader(ours)
            end.set_result(None)
        else:
            theirs.send(b"last" if len(seen) == 5 else b"more")
            burden()

    def burden() -> None:
        for _ in range(300 if _loop().get_debug() else 6_000):
            _loop().call_soon(int)

    _loop().add_reader(ours, read)
    theirs.send(b"first")
    burden()
    await end
    ours.close()
    theirs.close()
    return seen


async def local_processes() -> list[Any]:
    said = {"stdout": bytearray(), "stderr": bytearray()}
    code = "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"
    process = await start_process(
        [sys.executable, "-c", code],
        cwd=None,
        env=dict(os.environ),
        on_output=lambda stream, data: said[stream].extend(data),
    )
    return [can_watch(_loop()), await process.wait(), said]


async def many_local_processes() -> list[Any]:
    async def one(number: int) -> tuple[int, bytes]:
        said = bytearray()
        process = await start_process(
            ["/bin/sh", "-c", f"echo {number}; exit {number}"],
            cwd=None,
            env={},
            on_output=lambda _stream, data: said.extend(data),
        )
        return await process.wait(), bytes(said)

    return list(await asyncio.gather(*(one(number) for number in range(40))))


async def processes_of_asyncio_itself() -> list[Any]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        "print(input() * 2)",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    out, _ = await process.communicate(b"ab\n")
    return [out.split(), process.returncode]


async def a_server_and_its_clients() -> list[Any]:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            writer.write(line.upper())
            await writer.drain()
        writer.close()
        await writer.wait_closed()
        ended.release()

    async def ask(text: str) -> bytes:
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
        writer.write(text.encode() + b"\n")
        answer = await reader.readline()
        writer.close()
        await writer.wait_closed()
        return answer

    ended = asyncio.Semaphore(0)
    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    async with server:
        answers = await asyncio.gather(*(ask(name) for name in "abc"))
        for _ in answers:
            await ended.acquire()
    return list(answers)


async def signal_handlers() -> list[Any]:
    seen: list[Any] = []
    told = asyncio.Event()

    def note(text: str) -> None:
        seen.append((text, asyncio.current_task() is None))
        told.set()

    _loop().add_signal_handler(signal.SIGUSR1, note, "told")
    os.kill(os.getpid(), signal.SIGUSR1)
    await told.wait()
    return [*seen, _loop().remove_signal_handler(signal.SIGUSR1), _loop().remove_signal_handler(signal.SIGUSR1)]


ALL: list[Scenario] = [
    threads_call_in_their_order,
    executors_and_their_context,
    context_variables_are_those_of_who_asked,
    readers_and_writers,
    a_reader_runs_once_for_each_time_it_is_told,
    local_processes,
    many_local_processes,
    processes_of_asyncio_itself,
    a_server_and_its_clients,
    signal_handlers,
]
