"""The files that a task needs before it begins, and those it gives back once it has completed.

This side is where the orchestrator runs. What a plan says of it stays in one folder, whoever wrote the plan; on the
other side a path may be any that a command of the task could open there.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import BeforeValidator, ConfigDict, ValidationError
from pydantic.dataclasses import dataclass as validated
from typing_extensions import override

LONGEST_PATH: Final = 4_096
MOST_FILES: Final = 10_000
"""How many files a task may have sent, and fetched."""
LEGACY: Final = "ssh"
"""Where tasks of earlier versions say which files they want: `metadata: {ssh: {upload: […], fetch: […]}}`."""
_NOT_NAMES: Final = ("*", "?", "${")
_ENDS: Final = frozenset({"from", "to"})


@dataclass(frozen=True, slots=True)
class FileCopy:
    """One file that is copied from one side to the other: in a plan a path, the same on both, or `{from: …, to: …}`.

    Attributes:
        source: where it is.
        target: where it is put; the folders above it are made.
    """

    source: str
    target: str

    def to_plain(self) -> str | dict[str, str]:
        """The plain value of a file in a plan."""
        return self.source if self.source == self.target else {"from": self.source, "to": self.target}

    @override
    def __str__(self) -> str:
        """The path, or both."""
        return self.source if self.source == self.target else f"{self.source} → {self.target}"


def _copies(given: Any) -> tuple[FileCopy, ...]:
    """The copies that a list of paths and pairs of paths stands for."""
    items = [given] if isinstance(given, str | FileCopy | Mapping) else given
    if not isinstance(items, Sequence):
        raise ValueError("must be a list of paths, or of mappings with from and to")  # noqa: TRY004 - for pydantic
    if len(items) > MOST_FILES:
        raise ValueError(f"has {len(items)} files, and {MOST_FILES} are the most; pack them into one, say with tar")
    copies = tuple(map(_copy, items))
    targets = [posixpath.normpath(copy.target) for copy in copies]
    if len(set(targets)) < len(targets):
        twice = next(target for number, target in enumerate(targets) if target in targets[:number])
        raise ValueError(f"puts two files at {twice!r}; give each a place of its own")
    return copies


def _copy(item: Any) -> FileCopy:
    if isinstance(item, FileCopy):
        return FileCopy(_path(item.source), _path(item.target))
    if isinstance(item, Mapping):
        if item.keys() != _ENDS:
            raise ValueError("a file is a path, or a mapping with from and to, and nothing else")
        return FileCopy(_path(item["from"]), _path(item["to"]))
    path = _path(item)
    return FileCopy(path, path)


def _path(value: Any) -> str:
    if not isinstance(value, str) or not value or any(ord(mark) < 32 for mark in value):
        raise ValueError(f"{value!r:.60} is not a path")
    if len(value) > LONGEST_PATH:
        raise ValueError(f"a path has {len(value)} characters, and {LONGEST_PATH} are the most")
    if value.endswith(("/", "/.", "/..")) or value in {".", ".."}:
        raise ValueError(f"{value!r} is a folder, and only files are copied; pack it into one, say with tar")
    if any(mark in value for mark in _NOT_NAMES):
        raise ValueError(f"{value!r} is no name of one file; neither patterns nor results are filled in here")
    return value


def _inside(path: str) -> None:
    if path.startswith("/") or ".." in path.split("/"):
        raise ValueError(f"{path!r} lies outside the folder of the files on this side; give a path in that folder")


def _sent(given: Any) -> tuple[FileCopy, ...]:
    copies = _copies(given)
    for copy in copies:
        _inside(copy.source)
    return copies


def _fetched(given: Any) -> tuple[FileCopy, ...]:
    copies = _copies(given)
    for copy in copies:
        _inside(copy.target)
    return copies


@validated(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class Files:
    """The files of a task. Each is one file, no folder and no pattern; it appears whole in its place, or not at all."""

    send: Annotated[tuple[FileCopy, ...], BeforeValidator(_sent)] = ()
    """What is there before the task begins: from, in the folder of the files here; to, as seen from where it runs."""
    fetch: Annotated[tuple[FileCopy, ...], BeforeValidator(_fetched)] = ()
    """What is brought here once it has completed: from, as seen from where it ran; to, in the folder here."""

    def to_plain(self) -> dict[str, list[Any]]:
        """The plain value of the files in a plan; empty: there are none."""
        plain = {"send": [copy.to_plain() for copy in self.send], "fetch": [copy.to_plain() for copy in self.fetch]}
        return {name: copies for name, copies in plain.items() if copies}

    @override
    def __str__(self) -> str:
        """Both lists on one line."""
        parts = (("send", self.send), ("fetch", self.fetch))
        return "; ".join(f"{name} {', '.join(map(str, copies))}" for name, copies in parts if copies)


NO_FILES: Final = Files()


def legacy_files(given: Any) -> Files:
    """The files that the metadata of earlier versions say.

    Raises:
        ValueError: they cannot be used.
    """
    if not isinstance(given, Mapping):
        raise ValueError(f"metadata.{LEGACY} must be a mapping with upload and fetch.")  # noqa: TRY004 - as all else
    try:
        return Files(send=given.get("upload", ()), fetch=given.get("fetch", ()))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise ValueError(f"metadata.{LEGACY}: {first['msg'].removeprefix('Value error, ')}.") from None
