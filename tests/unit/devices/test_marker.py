"""The marker of a kept attempt: what counts as an end, and who may begin."""

from __future__ import annotations

import pytest

from starloom.devices.marker import Keeping, Marker, read_marker, revoke, take_back

BEGIN = b"begin 12 abc-1 .\n"


def read(tmp_path, data):
    path = tmp_path / "t.marker"
    path.write_bytes(data)
    return read_marker(str(path))


@pytest.mark.parametrize(
    ("rest", "code"),
    [
        (b"end 0 .\n", 0),
        (b"end 3 .\n", 3),
        (b"end 137 .\n", 137),
        (b"Killed\nend 137 .\n", -9),
        (b"sh: line 1: 7 Killed    ( exec )\nend 137 .\n", -9),
        (b"Terminated\nend 143 .\n", -15),
        (b"a warning\nend 3 .\n", 3),
    ],
)
def test_an_end_has_a_code_and_a_word_of_the_shell_makes_a_signal_of_it(tmp_path, rest, code):
    marker = read(tmp_path, BEGIN + rest)
    assert marker is not None
    assert (marker.pid, marker.token, marker.code) == (12, "abc-1", code)


@pytest.mark.parametrize("end", [b"end 137 .\n"[:length] for length in range(10)])
def test_a_torn_end_is_no_end(tmp_path, end):
    marker = read(tmp_path, BEGIN + end)
    assert marker is not None
    assert marker.code is None


@pytest.mark.parametrize("data", [BEGIN[:length] for length in range(len(BEGIN) - 1)])
def test_a_torn_beginning_tells_nothing(tmp_path, data):
    assert read(tmp_path, data) is None


@pytest.mark.parametrize("data", [b"\0" * 30, b"\xff\n\xfe\n", b"end 0 .\n", b"begin x y .\nend 0 .\n", b"x" * 100_000])
def test_garbage_tells_nothing(tmp_path, data):
    assert read(tmp_path, data) is None


def test_what_follows_an_end_undoes_it(tmp_path):
    assert read(tmp_path, BEGIN + b"end 0 .\nmore\n") == Marker(12, "abc-1", None, "end 0 .\nmore")


def test_an_attempt_without_a_marker_can_be_taken_back_again_and_again(tmp_path):
    path = str(tmp_path / "t.marker")
    assert take_back(path)
    assert take_back(path)
    assert read_marker(path) is None


def test_an_attempt_that_has_begun_cannot_be_taken_back(tmp_path):
    path = tmp_path / "t.marker"
    path.write_bytes(b"")
    assert not take_back(str(path))
    assert path.is_file()


def test_a_marker_whose_folder_is_not_there_cannot_be_taken_back(tmp_path):
    with pytest.raises(FileNotFoundError):
        take_back(str(tmp_path / "no" / "t.marker"))


@pytest.mark.parametrize(
    ("data", "took"),
    [
        (b"begin 12 abc-1 100.25 .\nend 0 101.50 .\n", 1.25),
        (b"begin 12 abc-1 100.25 .\nTerminated\nend 143 100.25 .\n", 0.0),
        (b"begin 12 abc-1 100.25 .\nend 0  .\n", None),
        (b"begin 12 abc-1  .\nend 0 101.50 .\n", None),
        (b"begin 12 abc-1  .\nend 0  .\n", None),
        (b"begin 12 abc-1 .\nend 0 .\n", None),
        (b"begin 12 abc-1 soon .\nend 0 later .\n", None),
        (b"begin 12 abc-1 100.25 .\nend 0 99.00 .\n", None),
        (b"begin 12 abc-1 100.25 .\n", None),
    ],
)
def test_how_long_the_command_ran_is_what_the_machine_measured(tmp_path, data, took):
    marker = read(tmp_path, data)
    assert (marker.pid, marker.token, marker.took) == (12, "abc-1", took)
    assert (marker.code is None) == (b"end" not in data)


KEPT = b"kept 7 keeper-1 abc-1 .\n"
STARTED = KEPT + b"begin 12 abc-1 100.250000 100.252000-boot .\n"


def test_a_keeper_says_first_that_it_is_about_to_start_a_command(tmp_path):
    assert read(tmp_path, KEPT) == Marker(0, "abc-1", None, keeper=Keeping(7, "keeper-1"))
    assert read(tmp_path, KEPT[:-1]) is None


def test_then_whom_it_has_started_and_when(tmp_path):
    marker = read(tmp_path, STARTED)
    assert (marker.pid, marker.began, marker.start, marker.code) == (12, "100.250000", "100.252000-boot", None)
    assert read(tmp_path, STARTED[:-3]).pid == 0


@pytest.mark.parametrize(
    ("rest", "code"),
    [(b"end 0 101.5 .\n", 0), (b"end 137 101.5 .\n", 137), (b"killed by signal 9\nend 137 101.5 .\n", -9)],
)
def test_then_how_it_has_ended(tmp_path, rest, code):
    marker = read(tmp_path, STARTED + rest)
    assert (marker.code, marker.took, marker.is_revoked) == (code, 1.25, False)


def test_of_an_end_and_its_being_revoked_the_first_counts(tmp_path):
    path, end = tmp_path / "t.marker", b"end 0 101.5 .\n"
    for data, code in ((STARTED + end, 0), (STARTED, None), (KEPT, None), (STARTED + end[:-1], None)):
        path.write_bytes(data)
        revoke(str(path))
        with path.open("ab") as file:
            file.write(end)
        marker = read_marker(str(path))
        assert (marker.code, marker.is_revoked) == (code, code is None)
