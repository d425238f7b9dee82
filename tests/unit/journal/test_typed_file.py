"""What is typed and not set is read as it was written, and nothing is read of what cannot be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from starloom.journal.names import TYPED
from starloom.journal.typed_file import MOST_BYTES, TypedFields, TypedText, read_typed, write_typed

if TYPE_CHECKING:
    from pathlib import Path

KEPT = (TypedFields({"a": "A"}, {"timeout": "5m"}, {"a": 1}), TypedText("New task “b”", "b"))


def test_it_is_read_as_it_was_written_and_goes_with_the_last_text(tmp_path: Path) -> None:
    assert read_typed(tmp_path / TYPED) == ()
    write_typed(tmp_path / TYPED, KEPT)
    assert read_typed(tmp_path / TYPED) == KEPT
    write_typed(tmp_path / TYPED, ())
    write_typed(tmp_path / TYPED, ())
    assert not (tmp_path / TYPED).exists()


@pytest.mark.expects_log
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xc1",
        b"\x93\x01\x02\x03",
        b"\x91" * 5_000 + b"\xc0",
        b"\x91\x81\xa4type\xa5other",
        b"x" * (MOST_BYTES + 1),
    ],
    ids=["empty", "garbage", "numbers", "deep", "another kind", "large"],
)
def test_what_cannot_be_read_is_left_alone_and_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, data: bytes
) -> None:
    (tmp_path / TYPED).write_bytes(data)
    assert read_typed(tmp_path / TYPED) == ()
    assert f"{tmp_path / TYPED} was left alone: " in caplog.text
    assert (tmp_path / TYPED).read_bytes() == data
