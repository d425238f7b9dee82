"""What processes of the local device print: told as it comes, kept whole in a file, its end in the result."""

from __future__ import annotations

import psutil
from tests.integration.local_harness import (
    COMPLETED,
    FOREVER,
    Attempt,
    error_of,
    on_device,
    outcome_of,
    posix_only,
    python,
    shell,
)

from starloom.devices.base import TaskContext

# What it prints


def test_output_is_told_in_whole_lines_with_its_stream(door):
    code = """
import sys
for stream, text in ((sys.stdout, "one\\ntw"), (sys.stdout, "o\\n"), (sys.stderr, "err\\n"), (sys.stdout, "end")):
    stream.buffer.write(text.encode()); stream.flush()
"""

    async def scenario(device):
        attempt = Attempt(device, python(code))
        await attempt.run()
        return attempt.said

    said = on_device(scenario)
    streams = {name: "".join(text for stream, text in said if stream == name) for name in ("stdout", "stderr")}
    assert streams == {"stdout": "one\ntwo\nend", "stderr": "err\n"}
    assert all(text.endswith("\n") or text == "end" for _, text in said)


def test_output_is_told_while_the_process_runs(door):
    async def scenario(device):
        attempt = Attempt(device, python(f"import time; print('ready'); time.sleep({FOREVER})"))
        running = await attempt.started("ready")
        assert not running.done()
        running.cancel()
        return await running

    assert on_device(scenario).result.output.strip() == "ready"


def test_the_whole_output_is_in_the_file_when_the_outcome_is_there(tmp_path, door):
    path = tmp_path / "logs" / "t.log"
    code = (
        "import sys; sys.stdout.buffer.write(b'a\\xff' * 100000); sys.stdout.flush(); sys.stderr.buffer.write(b'end')"
    )
    outcome = outcome_of(python(code), {"tail_bytes": 10}, output_path=path)
    data = path.read_bytes()
    assert data.replace(b"end", b"") == b"a\xff" * 100_000
    assert len(data) == outcome.result.output_length == 200_003
    assert outcome.result.output_file == path.name


def test_an_output_file_that_cannot_be_written_loses_no_result(tmp_path):
    outcome = outcome_of(python("print('[1]')"), output_path=tmp_path)
    assert (outcome.status, outcome.result.value) == (COMPLETED, [1])
    assert outcome.result.error is not None
    assert outcome.result.error.code == "output_lost"
    assert str(tmp_path) in outcome.result.error.message
    failed = outcome_of(python("print(1); raise SystemExit(2)"), output_path=tmp_path)
    assert error_of(failed).message == "exit code 2"
    assert str(tmp_path) in error_of(failed).detail


@posix_only
def test_fifty_megabytes_of_output_pass_in_bounded_memory(tmp_path, door):
    path = tmp_path / "out"
    task = shell("head -c 50000000 /dev/zero | tr '\\0' x; echo; echo '[1]'")
    before = psutil.Process().memory_info().rss
    outcome = on_device(lambda device: device.run(task, TaskContext("run 1", "t", 1, "here", 0, output_path=path)))
    assert psutil.Process().memory_info().rss - before < 20_000_000
    assert outcome.result.output_length == path.stat().st_size == 50_000_005
    assert outcome.result.value == [1]
    assert len(outcome.result.output) == 16 * 1024
    assert outcome.result.output.endswith("xxx\n[1]\n")


def test_bytes_that_are_no_text_and_split_characters_are_told_as_text(door):
    code = """
import sys, time
for byte in "für 🌟".encode() + b"\\xff\\n":
    sys.stdout.buffer.write(bytes([byte])); sys.stdout.flush()
"""
    outcome = outcome_of(python(code), {"tail_bytes": 8})
    assert outcome.result.output == "🌟\ufffd\n"
    assert outcome_of(python(code), {"tail_bytes": 7}).result.output == "\ufffd\n"
