"""Bundles: what goes in comes out elsewhere, and whatever somebody else has made of one harms nothing."""

from __future__ import annotations

import io
import json
import sqlite3
import zipfile
from contextlib import closing
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.reporting.story import steered

from starloom.journal import bundle as bundles
from starloom.journal.bundle import MANIFEST, BundleError, pack, unpack
from starloom.journal.lock import JournalLock
from starloom.journal.names import IMPORTED, JOURNAL
from starloom.journal.records import record, records
from starloom.journal.stream_file import StreamFile
from starloom.journal.taking_in import LOCK, AlreadyHere, take_in
from starloom.reporting.folding import build

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


LEFT = {"runs", "importing.lock"}


def a_run(directory: Path, events: int | None = None) -> Path:
    folder = directory / "runs" / "r"
    (folder / "output").mkdir(parents=True)
    with StreamFile(folder / JOURNAL, "r") as file:
        for event in steered()[:events]:
            file.commit([event])
    (folder / "output" / "link-ab12-1.log").write_text("linked\n" * 1_000, encoding="utf-8")
    (folder / "output" / ".hidden-ab12-1.log").write_text("seen", encoding="utf-8")
    return folder


def packed(folder: Path, name: str = "run.starloom") -> Path:
    path = folder.parent.parent.parent / name
    with path.open("w+b") as file:
        pack(folder, file)
    return path


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return packed(a_run(tmp_path / "here"))


def parts(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


def remade(path: Path, changed: dict[str, bytes | None], *, honest: bool = True) -> Path:
    """The bundle with other parts, its manifest telling of them as they are, or as it did before."""
    all_parts = {name: data for name, data in (parts(path) | changed).items() if data is not None}
    if honest:
        manifest = json.loads(all_parts[MANIFEST])
        for name, data in all_parts.items():
            if name != MANIFEST:
                manifest["parts"][name] = {"size": len(data), "sha256": sha256(data).hexdigest()}
        all_parts[MANIFEST] = json.dumps(manifest).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in all_parts.items():
            file.writestr(name, data)
    return path


def told(path: Path, **changed: Any) -> Path:
    """The bundle with other words in its manifest."""
    manifest = json.loads(parts(path)[MANIFEST]) | changed
    return remade(path, {MANIFEST: json.dumps(manifest).encode()}, honest=False)


# ---- there and back


def test_a_run_is_the_same_elsewhere(bundle: Path, tmp_path: Path) -> None:
    folder = take_in(bundle, tmp_path / "there")
    with StreamFile(folder / JOURNAL, read_only=True) as file:
        assert build("r", file.committed()) == build("r", steered())
    for one in (tmp_path / "here" / "runs" / "r" / "output").iterdir():
        assert (folder / "output" / one.name).read_bytes() == one.read_bytes()
    (known,) = records(tmp_path / "there")
    assert (known.run_id, known.state, known.is_imported) == ("r", "partially_failed", True)
    assert {path.name for path in (tmp_path / "there").iterdir()} == LEFT, "nothing else is left"


def test_a_run_that_goes_on_is_packed_as_it_stands_and_its_bundle_is_not_gone_on_with(tmp_path: Path) -> None:
    folder = tmp_path / "here" / "runs" / "r"
    folder.mkdir(parents=True)
    events = steered()
    with StreamFile(folder / JOURNAL, "r") as file:
        for event in events[:20]:
            file.commit([event])
        bundle = packed(folder)
        for event in events[20:]:
            file.commit([event])
    known = record(take_in(bundle, tmp_path / "there"))
    assert (known.state, known.can_resume) == ("interrupted", False)
    assert record(folder).is_imported is False


def test_a_bundle_is_the_journal_the_output_and_a_manifest_with_their_checksums(bundle: Path) -> None:
    held = parts(bundle)
    assert set(held) == {MANIFEST, JOURNAL, "output/link-ab12-1.log", "output/.hidden-ab12-1.log"}
    manifest = json.loads(held.pop(MANIFEST))
    assert (manifest["format"], manifest["version"], manifest["run_id"]) == ("starloom-run", 1, "r")
    for name, data in held.items():
        assert manifest["parts"][name] == {"size": len(data), "sha256": sha256(data).hexdigest()}


def test_links_among_the_output_are_not_followed(tmp_path: Path) -> None:
    folder = a_run(tmp_path / "here")
    (tmp_path / "secret").write_text("mine", encoding="utf-8")
    (folder / "output" / "link-1.log").symlink_to(tmp_path / "secret")
    assert "output/link-1.log" not in parts(packed(folder))


def test_a_run_that_has_not_begun_is_not_packed(tmp_path: Path) -> None:
    folder = a_run(tmp_path / "here", 0)
    with pytest.raises(BundleError, match="has not begun"):
        pack(folder, io.BytesIO())


def test_a_run_that_is_there_already_stays_as_it_is(bundle: Path, tmp_path: Path) -> None:
    before = sorted(path.name for path in (tmp_path / "here").rglob("*"))
    with pytest.raises(BundleError, match=r"'r' .* is there already, in "):
        take_in(bundle, tmp_path / "here")
    assert sorted(path.name for path in (tmp_path / "here").rglob("*")) == before


def test_whether_what_is_there_came_in_the_same_bundle_is_known(bundle: Path, tmp_path: Path) -> None:
    with pytest.raises(AlreadyHere) as own:
        take_in(bundle, tmp_path / "here")
    assert not own.value.is_same, "it has run there, and may have gone on since"
    folder = take_in(bundle, tmp_path / "there")
    with pytest.raises(AlreadyHere) as again:
        take_in(bundle, tmp_path / "there")
    assert (again.value.folder, again.value.is_same) == (folder, True)
    (folder / IMPORTED).write_bytes(b"spoilt")
    with pytest.raises(AlreadyHere) as other:
        take_in(bundle, tmp_path / "there")
    assert not other.value.is_same


def test_what_a_killed_import_left_goes_with_the_next_and_that_of_a_living_one_stays(
    bundle: Path, tmp_path: Path
) -> None:
    left = tmp_path / "there" / ".importing-x"
    left.mkdir(parents=True)
    (left / "part").write_text("half", encoding="utf-8")
    living = JournalLock(tmp_path / "there" / LOCK)
    with pytest.raises(
        BundleError, match=r"Another run is being put into .* by this program itself, since .*try again"
    ):
        take_in(bundle, tmp_path / "there")
    assert (left / "part").exists()
    living.release()
    take_in(bundle, tmp_path / "there")
    assert {path.name for path in (tmp_path / "there").iterdir()} == LEFT


def test_an_import_that_is_broken_off_leaves_nothing_and_the_next_one_goes(bundle: Path, tmp_path: Path) -> None:
    def stop(_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        take_in(bundle, tmp_path / "there", stop)
    assert {path.name for path in (tmp_path / "there").iterdir()} == LEFT
    assert list((tmp_path / "there" / "runs").iterdir()) == []
    take_in(bundle, tmp_path / "there")


def test_packing_and_taking_in_tell_how_far_they_are(bundle: Path, tmp_path: Path) -> None:
    packing: list[float] = []
    pack(tmp_path / "here" / "runs" / "r", io.BytesIO(), packing.append)
    unpacking: list[float] = []
    take_in(bundle, tmp_path / "there", unpacking.append)
    for shares in (packing, unpacking):
        assert len(shares) > 1
        assert shares == sorted(shares)
        assert shares[-1] == 1.0


# ---- what others make of them


def cut(path: Path, by: float) -> Path:
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * by)])
    return path


def flipped(path: Path) -> Path:
    """One bit of the packed journal is another one."""
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 4
    path.write_bytes(data)
    return path


def journal_with(sql: str) -> Callable[[Path], Path]:
    """A bundle whose journal somebody has worked on."""

    def spoil(path: Path) -> Path:
        copy = path.with_name("other.db")
        copy.write_bytes(parts(path)[JOURNAL])
        with closing(sqlite3.connect(copy)) as connection, connection:
            connection.executescript(sql)
        return remade(path, {JOURNAL: copy.read_bytes()})

    return spoil


def climbing(name: str) -> Callable[[Path], Path]:
    return lambda path: remade(path, {name: b"gotcha"})


def another_method(path: Path) -> Path:
    held = parts(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as file:
        for name, data in held.items():
            file.writestr(name, data)
    return path


def lying_bomb(path: Path) -> Path:
    """A part says it is small, and unpacks to a hundred million bytes."""
    remade(path, {"output/bomb.log": bytes(100_000_000)})
    manifest = json.loads(parts(path)[MANIFEST])
    manifest["parts"]["output/bomb.log"]["size"] = 10
    return remade(path, {MANIFEST: json.dumps(manifest).encode()}, honest=False)


HOSTILE: dict[str, tuple[Callable[[Path], object], str]] = {
    "garbage": (lambda path: path.write_bytes(b"\x00garbage" * 100) and path, "not a zip file"),
    "empty": (lambda path: path.write_bytes(b"") or path, "not a zip file"),
    "cut": (lambda path: cut(path, 0.6), "not a zip file"),
    "flipped": (flipped, "."),
    "no manifest": (lambda path: remade(path, {MANIFEST: None}, honest=False), "there is no bundle.json"),
    "mad manifest": (lambda path: remade(path, {MANIFEST: b"[1, 2"}, honest=False), "makes no sense"),
    "other manifest": (lambda path: remade(path, {MANIFEST: b'{"parts": 3}'}, honest=False), "makes no sense"),
    "other format": (lambda path: told(path, format="tarball"), "not made of a run"),
    "newer": (
        lambda path: told(path, version=9, engine="7.0"),
        "by Starloom 7.0 in format 9; this version reads up to 1",
    ),
    "no journal": (lambda path: remade(path, {JOURNAL: None}, honest=False), "journal.db is missing"),
    "no output": (
        lambda path: remade(path, {"output/link-ab12-1.log": None}, honest=False),
        "output/link-ab12-1.log is missing",
    ),
    "other output": (
        lambda path: remade(path, {"output/link-ab12-1.log": b"linked\n" * 999 + b"forged\n"}, honest=False),
        "is not what was packed",
    ),
    "climbs": (climbing("output/../../../evil.log"), "has no part 'output/../../../evil.log'"),
    "climbs at once": (climbing("../evil.log"), "has no part"),
    "is absolute": (climbing("/elsewhere/evil.log"), "has no part"),
    "is of Windows": (climbing("output/C:evil.log"), "has no part"),
    "is a device": (climbing("output/con.log"), "has no part"),
    "climbs backwards": (climbing("output/..\\evil.log"), "has no part"),
    "its own marker": (climbing("imported.json"), "has no part"),
    "another method": (another_method, "cannot be read|packed as no part is"),
    "bomb": (lying_bomb, "packed as no part is"),
    "another run": (lambda path: told(path, run_id="q"), "that of another run"),
    "a run that climbs": (lambda path: told(path, run_id="../../x"), "that of another run"),
    "view": (journal_with("CREATE VIEW v AS SELECT 1"), "holds what no journal does"),
    "trigger": (
        journal_with("CREATE TRIGGER t AFTER INSERT ON turns BEGIN DELETE FROM turns; END"),
        "holds what no journal does",
    ),
    "another program's": (journal_with("PRAGMA application_id = 1"), "holds what no journal does"),
    "no turns": (journal_with("DELETE FROM turns"), "that of another run"),
    "a gap": (journal_with("DELETE FROM turns WHERE number = 7"), "journal cannot be read"),
    "no SQLite": (lambda path: remade(path, {JOURNAL: b"x" * 5_000}), "journal cannot be read"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_bundle_is_refused_in_a_sentence_and_nothing_is_left(name: str, bundle: Path, tmp_path: Path) -> None:
    spoil, sentence = HOSTILE[name]
    spoil(bundle)
    before = sorted(str(path) for path in tmp_path.rglob("*"))
    with pytest.raises(BundleError, match=sentence) as refused:
        take_in(bundle, tmp_path / "there")
    assert str(refused.value).endswith((".", "one."))
    after = [path for path in sorted(str(path) for path in tmp_path.rglob("*")) if path not in before]
    assert set(after) <= {str(tmp_path / "there"), *(str(tmp_path / "there" / name) for name in LEFT)}


@pytest.mark.parametrize(("limit", "most"), [("MOST_BYTES", 5_000), ("MOST_PARTS", 2)])
def test_more_than_may_be_is_refused(bundle: Path, tmp_path: Path, limit: str, most: int, monkeypatch: Any) -> None:
    monkeypatch.setattr(bundles, limit, most)
    with pytest.raises(BundleError, match=r"is the most|which is more than"):
        take_in(bundle, tmp_path / "there")


def test_what_the_disk_has_no_room_for_is_not_begun(bundle: Path, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(bundles, "_SPARE", 2**60)
    with pytest.raises(BundleError, match="there is room for 0 in"):
        take_in(bundle, tmp_path / "there")


def test_one_part_can_be_had_alone(bundle: Path, tmp_path: Path) -> None:
    (tmp_path / "scratch").mkdir()
    unpack(bundle, tmp_path / "scratch", only=JOURNAL)
    assert [path.name for path in (tmp_path / "scratch").iterdir()] == [JOURNAL]


def test_two_parts_of_one_name_are_refused(bundle: Path, tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate name"), zipfile.ZipFile(bundle, "a") as file:
        file.writestr(JOURNAL, b"another")
    with pytest.raises(BundleError, match="have the same name"):
        take_in(bundle, tmp_path / "there")
