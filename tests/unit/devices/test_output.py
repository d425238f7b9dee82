from __future__ import annotations

import os
import tracemalloc

import pytest

from starloom.devices.masking import SecretValues
from starloom.devices.output import LONGEST_PIECE, Output
from starloom.model.result import MAX_VALUE_BYTES


def heard(tail_bytes=100, path=None):
    said = []
    return Output(lambda text, stream: said.append((stream, text)), tail_bytes, path), said


def test_whole_lines_are_told_and_the_partial_last_one_at_the_end():
    output, said = heard()
    output.feed("stdout", b"one\ntw")
    output.feed("stdout", b"o\nthr")
    assert said == [("stdout", "one\n"), ("stdout", "two\n")]
    output.close()
    assert said[-1] == ("stdout", "thr")
    assert output.tail == "one\ntwo\nthr"
    assert output.length == 11


def test_lines_of_both_streams_are_not_mixed_within_a_line():
    output, said = heard()
    output.feed("stdout", b"out ")
    output.feed("stderr", b"err\n")
    output.feed("stdout", b"put\n")
    output.close()
    assert said == [("stderr", "err\n"), ("stdout", "out put\n")]
    assert output.tail == "err\nout put\n"


def test_a_progress_bar_is_told_while_it_moves():
    output, said = heard()
    output.feed("stderr", b"\r10%")
    output.feed("stderr", b"\r20%")
    output.feed("stderr", b"\r\n")
    assert "".join(text for _, text in said) == "\r10%\r20%\r\n"
    assert len(said) > 1


def test_a_long_line_is_told_in_pieces():
    output, said = heard()
    for _ in range(4):
        output.feed("stdout", b"x" * (LONGEST_PIECE - 1))
    assert len(said) == 2
    output.close()
    assert "".join(text for _, text in said) == "x" * (LONGEST_PIECE - 1) * 4


def test_a_character_split_between_two_reads_is_put_together():
    output, said = heard()
    for byte in "für 日本 🌟\n".encode():
        output.feed("stdout", bytes([byte]))
    assert said == [("stdout", "für 日本 🌟\n")]


def test_what_is_not_utf8_is_replaced_and_nothing_is_lost():
    output, _ = heard()
    output.feed("stdout", b"a\xffb\n\xf0\x9f")
    output.close()
    assert output.tail == "a\ufffdb\n\ufffd"


@pytest.mark.parametrize("limit", range(20))
def test_the_tail_is_bounded_in_bytes_and_not_cut_inside_a_character(limit):
    output, _ = heard(tail_bytes=limit)
    for text in ("abc\n", "日本\n", "🌟é\n"):
        output.feed("stdout", text.encode())
    output.close()
    whole = "abc\n日本\n🌟é\n"
    assert whole.endswith(output.tail)
    size = len(output.tail.encode())
    assert size <= limit
    assert size > limit - 4 or size == len(whole.encode())


def test_memory_stays_bounded_whatever_is_printed():
    output, _ = heard(tail_bytes=16 * 1024)
    output._emit = lambda text, stream: None
    tracemalloc.start()
    try:
        for chunk in (b"x" * 65536, b"line\n" * 13107, b"y" * 7):
            for _ in range(300):
                output.feed("stdout", chunk)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4 * MAX_VALUE_BYTES
    assert output.length == 300 * (65536 + 5 * 13107 + 7)


@pytest.mark.parametrize(
    ("pieces", "last"),
    [
        ([b"one\ntwo\n"], "two"),
        ([b"one\ntwo"], "two"),
        ([b"one\n", b"two\n", b"\n  \n", b"\t\n"], "two"),
        ([b"one\nt", b"wo"], "two"),
        ([b"one", b"\n"], "one"),
        ([b"one\r\n"], "one"),
        ([b"one\n", b"two\n", b"three\n"], "three"),
        ([b"\n", b" "], None),
        ([], None),
    ],
)
def test_the_last_line_of_stdout_that_is_not_blank_is_kept(pieces, last):
    output, _ = heard(tail_bytes=0)
    for piece in pieces:
        output.feed("stdout", piece)
        output.feed("stderr", b"other\n")
    output.close()
    assert output.last_line == last


def test_a_long_last_line_is_kept_whole_up_to_the_size_of_a_value():
    output, _ = heard(tail_bytes=10)
    output.feed("stdout", b"first\n")
    for _ in range(100):
        output.feed("stdout", b"x" * 10_000 + b" " * 100)
    output.close()
    assert output.last_line is not None
    assert len(output.last_line) == 100 * 10_100 - 100


def test_a_last_line_longer_than_a_value_is_none_and_the_next_one_counts_again():
    output, _ = heard(tail_bytes=10)
    output.feed("stdout", b"first\n" + b"x" * (MAX_VALUE_BYTES + 1) + b"\n")
    assert output.last_line is None
    output.feed("stdout", b"last\n")
    assert output.last_line == "last"


def test_the_file_gets_every_byte_raw_and_is_made_at_the_first_one(tmp_path):
    path = tmp_path / "output" / "out.log"
    output, _ = heard(path=path)
    assert not path.parent.exists()
    output.feed("stdout", b"a\xff\n")
    output.feed("stderr", b"b\0\r\n")
    output.close()
    assert path.read_bytes() == b"a\xff\nb\0\r\n"
    assert output.trouble == ""


def test_no_line_of_one_stream_stands_in_the_middle_of_one_of_the_other(tmp_path):
    path = tmp_path / "out.log"
    output, said = heard(path=path)
    output.feed("stdout", b"4553\n45")
    output.feed("stderr", b"needle\nno e")
    output.feed("stdout", b"54\n4555\n")
    assert path.read_bytes() == b"4553\nneedle\n4554\n4555\n"
    output.feed("stderr", b"nd")
    output.close()
    assert path.read_text() == "".join(text for _, text in said) == "4553\nneedle\n4554\n4555\nno end"


def test_without_output_there_is_no_file(tmp_path):
    output, _ = heard(path=tmp_path / "out.log")
    output.close()
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written_is_told_in_a_sentence_and_stops_nothing(tmp_path):
    output, said = heard(path=tmp_path)
    output.feed("stdout", b"one\n")
    output.feed("stdout", b"two\n")
    output.close()
    assert output.trouble == f"The output file {str(tmp_path)!r} is not complete: Is a directory."
    assert output.tail == "one\ntwo\n"
    assert len(said) == 2


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_full_disk_is_told_in_a_sentence():
    from pathlib import Path

    output, _ = heard(path=Path("/dev/full"))
    output.feed("stdout", b"one\n")
    output.close()
    assert output.trouble == "The output file '/dev/full' is not complete: No space left on device."


def test_what_is_skipped_is_said_and_telling_goes_on_with_a_whole_line(tmp_path):
    told = []
    output = Output(lambda text, stream: told.append((stream, text)), 1000, tmp_path / "log")
    output.feed("stdout", b"first\nhal")
    output.skip("stdout", 5000)
    output.feed("stdout", b"f a line")
    output.feed("stdout", b" and its end\nlast\n")
    output.feed("stderr", b"other\n")
    output.close()
    whole = "first\nhal\n[5000 bytes of stdout were not brought over]\nlast\nother\n"
    assert (tmp_path / "log").read_text() == output.tail == "".join(text for _, text in told) == whole


def test_no_half_of_a_secret_is_told_where_output_is_skipped(tmp_path):
    output = Output(lambda text, stream: None, 1000, masks=SecretValues(["password1234"]))
    output.feed("stdout", b"begin passwo")
    output.skip("stdout", 50)
    output.feed("stdout", b"rd1234 and more\npassword1234\n")
    output.close()
    assert output.tail == "begin \n[50 bytes of stdout were not brought over]\n***\n"
