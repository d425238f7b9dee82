"""What the documents for maintainers name is there: files, folders, make targets, kinds of tests, limits of size."""

from __future__ import annotations

import fnmatch
import functools
import re
from pathlib import Path

import pytest
from tests.architecture import test_size

ROOT = Path(__file__).parents[2]
RECORDS = ROOT / "docs" / "decisions"
DOCUMENTS = [ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", *sorted(RECORDS.glob("*.md"))]
BASES = (ROOT, ROOT / "engine" / "starloom", ROOT / "gui" / "starloom_gui")
FOLDERS = ("engine", "gui", "resources", "tests", "packaging", "docs")
PATH = re.compile(r"[\w./*-]+(?:/|\.(?:py|md|toml|txt|svg|html))")
ELSEWHERE = re.compile(r"\b(?:DESIGN|VISUAL|house)\.md\b|\b(?:DESIGN|VISUAL),? [A-Z]|\.\./shared\b")
"""Ways to name a document that is not in the repository."""
LINK = re.compile(r"\]\(([^)#:]+)\)")


def named_paths(text: str) -> list[str]:
    """What stands between backticks and is written as a path."""
    return [name for name in re.findall(r"`([^`\n]+)`", text) if PATH.fullmatch(name)]


@functools.cache
def known() -> frozenset[str]:
    """Every file and folder by each path and name that documents may give it."""
    paths = [*ROOT.iterdir(), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*"))]
    found = {path.name for path in paths if path.is_file()}
    return frozenset(
        found.union(
            *({path.relative_to(base).as_posix() for path in paths if path.is_relative_to(base)} for base in BASES)
        )
    )


def exists(name: str) -> bool:
    """Whether there is such a file or folder in the repository, in the engine or in the console; `*` is any name.

    A file that is named without its folder may be anywhere.
    """
    wanted = name.rstrip("/")
    return wanted in known() or any(fnmatch.fnmatchcase(one, wanted) for one in known() if "*" in wanted)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_what_a_document_names_is_there(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    assert [name for name in named_paths(text) if not exists(name)] == []
    assert [name for name in LINK.findall(text) if not (document.parent / name).exists()] == []


def test_every_decision_is_listed_once_under_its_title() -> None:
    listed = re.findall(r"^\| \[(\d{4})\]\((.+?)\) \| (.+) \|$", (RECORDS / "README.md").read_text(), re.MULTILINE)
    records = sorted(path for path in RECORDS.glob("*.md") if path.name != "README.md")
    assert [name for _, name, _ in listed] == [path.name for path in records]
    assert [number for number, _, _ in listed] == [f"{number:04}" for number in range(1, len(records) + 1)]
    for (number, name, _), path in zip(listed, records, strict=True):
        assert name.startswith(number)
        assert path.read_text(encoding="utf-8").startswith(f"# {number}: ")


def test_every_room_stands_in_the_architecture() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    for base, following in zip(BASES[1:], ("## Rooms of the console", "## Journey 1"), strict=True):
        before, _, text = text.partition(following)
        rooms = {path for path in base.iterdir() if (path / "__init__.py").exists() or path.suffix == ".py"}
        names = {f"{path.name}/" if path.is_dir() else path.name for path in rooms} - {"__init__.py"}
        assert names - set(named_paths(before)) == set()


def test_every_make_target_that_is_named_is_there_and_phony() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        named = set(re.findall(r"(?:^|`|; )make ([a-z-]+)", text, re.MULTILINE))
        assert named <= targets, document.name
    assert targets == set(re.findall(r"^\.PHONY: (.+)$", makefile, re.MULTILINE)[0].split())


def test_contributing_lists_every_kind_of_test() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Tests")[2]
    folders = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and any(path.rglob("*.py"))}
    assert set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)) == folders


def test_contributing_has_the_limits_that_are_tested() -> None:
    text = " ".join((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split())
    assert f"{test_size.LONGEST_FUNCTION} is the limit" in text
    assert f"at most {test_size.LONGEST_MODULE} lines" in text
    assert f"nobody gets past {test_size.LONGEST_MODULE_EVER}" in text


def test_nothing_refers_to_a_document_that_is_not_in_the_repository() -> None:
    files = [*ROOT.glob("*.md"), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.*"))]
    texts = [path for path in files if path.suffix in (".py", ".md", ".toml", ".sh") and path != Path(__file__)]
    assert [str(path) for path in texts if ELSEWHERE.search(path.read_text(encoding="utf-8"))] == []


# ---- each rule can be broken


def test_a_path_that_is_not_there_is_found() -> None:
    text = (
        "`scheduling/scheduler.py` `engine/starloom/scheduling/fold/*.py` `gone/` `apply.py` `nowhere.py` `x/y` `make`"
    )
    assert [name for name in named_paths(text) if not exists(name)] == ["gone/", "nowhere.py"]


@pytest.mark.parametrize("text", ["see DESIGN.md", "the table of DESIGN, Dependencies", "../shared/reference"])
def test_a_reference_elsewhere_is_found(text: str) -> None:
    assert ELSEWHERE.search(text)
