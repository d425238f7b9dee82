"""Gathers the console's texts, fills in the English plurals, makes what Qt reads. `make translations` runs it.

English is written in the sources; `starloom_en.ts` holds only its plurals. A translator edits the `.ts` file of another
language, by hand or with Qt Linguist, and runs this again, which lists what is not translated yet.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT: Final = Path(__file__).parents[1]
SOURCES: Final = ROOT / "gui" / "starloom_gui"
FOLDER: Final = ROOT / "resources" / "starloom_resources" / "translations"
ENGLISH: Final = "en"
LANGUAGES: Final = (ENGLISH, "de")
_OF_ONE: Final = {"are": "is", "were": "was", "have": "has"}
_OF_MANY: Final = re.compile(rf"\b({'|'.join(_OF_ONE)})\b")
_ENDING: Final = re.compile(r"\(([a-z]+)(?:\|([a-z]*))?\)")


@dataclass(frozen=True, slots=True)
class Message:
    """One text of a `.ts` file.

    Attributes:
        context: where it is used, mostly the name of a class.
        source: the text in the sources.
        forms: its translations; several where it has plurals, empty ones where they are missing.
    """

    context: str
    source: str
    forms: tuple[str, ...]

    @property
    def is_finished(self) -> bool:
        """Whether every form is translated."""
        return all(self.forms)


def messages(path: Path) -> Iterator[Message]:
    """The texts of a `.ts` file in the order they have there."""
    for context in ElementTree.parse(path).getroot().iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            assert translation is not None, f"{path}: a message has no translation element"
            forms = translation.findall("numerusform") or [translation]
            texts = tuple(form.text or "" for form in forms)
            yield Message(context.findtext("name", ""), message.findtext("source", ""), texts)


def english_forms(source: str) -> tuple[str, str]:
    """One and many of a text with a count: `%n task(s)`, `%n dependenc(y|ies)`, `%n fit(s|)`, `and %n more`.

    What stands in brackets is an ending for many, or one for one and one for many. A verb goes with it: of `%n task(s)
    are` one is.
    """
    one = _ENDING.sub(lambda found: found[1] if found[2] is not None else "", source)
    one = _OF_MANY.sub(lambda found: _OF_ONE[found[0]], one, count=1)
    many = _ENDING.sub(lambda found: found[1] if found[2] is None else found[2], source)
    return one, many


def unfinished(path: Path) -> list[Message]:
    """What of a `.ts` file is not translated yet."""
    return [message for message in messages(path) if not message.is_finished]


def update(folder: Path, language: str, sources: Path = SOURCES) -> Path:
    """Bring the `.ts` file of a language up to the sources; what is translated stays so.

    Raises:
        RuntimeError: the tool could not read the sources.
    """
    path = folder / f"starloom_{language}.ts"
    _gather(sources, path, language)
    if language == ENGLISH:
        _fill_english(path)
        _gather(sources, path, language)  # writes it in Qt's own manner
    return path


def release(path: Path) -> Path:
    """Make the `.qm` file, which is what the console reads, of a `.ts` file; both lie in the same folder.

    Raises:
        RuntimeError: the tool refuses the file.
    """
    target, part = path.with_suffix(".qm"), path.with_suffix(".qm.part")
    _run("pyside6-lrelease", "-silent", str(path), "-qm", str(part))
    part.replace(target)  # a console has the old one mapped into its memory, and would die if that became shorter
    return target


def make_anew(folder: Path, fresh: Path, sources: Path = SOURCES) -> list[Path]:
    """Make the files of all languages in another folder as they would be made now from the sources."""
    for path in folder.glob("*.ts"):
        shutil.copy(path, fresh)
    return [path for language in LANGUAGES for path in _made(fresh, language, sources)]


def stale(made: Sequence[Path], folder: Path = FOLDER) -> list[str]:
    """The names of the files in a folder that are not as they were made anew."""
    return [path.name for path in made if not _is_same(path, folder / path.name)]


def _made(folder: Path, language: str, sources: Path = SOURCES) -> tuple[Path, Path]:
    path = update(folder, language, sources)
    return path, release(path)


def _is_same(path: Path, other: Path) -> bool:
    return other.exists() and path.read_bytes() == other.read_bytes()


def _fill_english(path: Path) -> None:
    tree = ElementTree.parse(path)
    for message in tree.getroot().iter("message"):
        translation = message.find("translation")
        assert translation is not None, f"{path}: a message has no translation element"
        forms = english_forms(message.findtext("source", ""))
        translation.attrib.pop("type", None)
        for element, text in zip(translation.findall("numerusform"), forms, strict=True):
            element.text = text
    tree.write(path, encoding="utf-8", xml_declaration=True)


# ---- Qt's tools


def _gather(sources: Path, path: Path, language: str) -> None:
    options = ["-extensions", "py", "-locations", "none", "-no-obsolete", "-sort-messages", "-silent"]
    if language == ENGLISH:
        options.append("-pluralonly")
    languages = ("-source-language", ENGLISH, "-target-language", language)
    _run("pyside6-lupdate", *options, *languages, str(sources), "-ts", str(path))


def _run(program: str, *arguments: str) -> None:
    """Run one of the tools that PySide6 brings; what they say of a mistake ends all of it."""
    command = [str(Path(sysconfig.get_path("scripts")) / program), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    said = (done.stdout + done.stderr).strip()
    if done.returncode or said:  # they are told to be silent, so that whatever they say is a warning
        raise RuntimeError(f"{program} ended with {done.returncode} and said: {said}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Bring all files up to the sources, or with --check only say which are not; 1 if there are any."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; say what is not up to date")
    if parser.parse_args(arguments).check:
        with tempfile.TemporaryDirectory() as fresh:
            names = stale(make_anew(FOLDER, Path(fresh)))
        if names:
            _say(f"Not up to date: {', '.join(names)}. Run `make translations`.")
        return 1 if names else 0
    for language in LANGUAGES:
        path, _ = _made(FOLDER, language)
        missing = unfinished(path)
        for message in missing:
            _say(f"{path.name}: not translated: {message.context}: {message.source!r}")
        _say(f"{path.name}: {sum(1 for _ in messages(path))} texts, {len(missing)} of them not translated")
    return 0


def _say(text: str) -> None:
    print(text)  # noqa: T201 - what a tool for developers has to say


if __name__ == "__main__":
    sys.exit(main())
