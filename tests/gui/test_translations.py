"""Every text of the console can be translated, English knows its plurals, and the files are as the sources are."""

from __future__ import annotations

import ast
import functools
import importlib.util
import re
import sys
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
from PySide6.QtCore import QObject, QTranslator
from PySide6.QtGui import QFontMetricsF
from tests.gui.conftest import delete_what_is_to_go
from tests.sources import CONSOLE, ROOT, Source, parsed

from starloom.model.status import TaskStatus
from starloom_gui.shell.tool_bar import SearchField
from starloom_gui.text import translations
from starloom_gui.text.words import Plurals, status_word
from starloom_gui.theme.appearance import Appearance, Theme
from starloom_gui.theme.fonts import Role, elided, font
from starloom_gui.viewmodel.keys import KEYS, Scope

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import ModuleType
COUNT = re.compile(r"%L?n")
PLACE = re.compile(r"%L?n|%[1-9]")


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"starloom_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module


tool = load(ROOT / "packaging" / "translations.py")


def calls(source: Source) -> Iterator[tuple[ast.Call, list[ast.expr]]]:
    """The calls that translate, and of each the arguments that must be literals."""
    for node in source.nodes:
        if isinstance(node, ast.Call) and (name := called(node.func)):
            yield node, node.args[: 1 if name == "tr" else 2]


@functools.cache
def all_calls() -> list[tuple[Path, ast.Call, list[ast.expr]]]:
    """The calls that translate in all sources, which are searched once for all tests."""
    return [(path, call, arguments) for path, source in parsed(CONSOLE).items() for call, arguments in calls(source)]


def called(function: ast.expr) -> str:
    """`tr` or `translate`; empty: it is something else, as a painter's `translate` is."""
    if isinstance(function, ast.Name):
        return "translate" if function.id == "translate" else ""
    if not isinstance(function, ast.Attribute):
        return ""
    is_ours = function.attr == "tr" or (function.attr == "translate" and ast.unparse(function.value).startswith("Q"))
    return function.attr if is_ours else ""


def has_count(call: ast.Call) -> bool:
    return called(call.func) == "tr" and len(call.args) == 3


def is_literal(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def texts_of_sources() -> set[tuple[str, bool]]:
    """Each text, and whether it is asked for with a count."""
    return {
        (arguments[-1].value, has_count(call))
        for _, call, arguments in all_calls()
        if isinstance(arguments[-1], ast.Constant) and isinstance(arguments[-1].value, str)
    }


@pytest.fixture(scope="module")
def made(tmp_path_factory: Any) -> list[Path]:
    """What Qt's tools make of the sources as they are, and of what is translated."""
    files: list[Path] = tool.make_anew(tool.FOLDER, tmp_path_factory.mktemp("texts"))
    return files


@pytest.fixture(scope="module")
def gathered(made: list[Path]) -> dict[str, Path]:
    """The texts that Qt's tool finds in the sources as they are, by language."""
    return {path.stem.removeprefix("starloom_"): path for path in made if path.suffix == ".ts"}


def test_only_literals_are_translated():
    """What is put together at run time, an f-string above all, is never found by the tool that gathers texts."""
    wrong = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path, call, arguments in all_calls()
        if not all(is_literal(each) for each in arguments)
    ]
    assert not wrong


def test_what_asks_for_a_count_can_be_told_apart():
    """Qt's tool knows plurals from `self.tr(text, "", count)` alone."""
    wrong = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path, call, arguments in all_calls()
        if isinstance(arguments[-1], ast.Constant) and COUNT.search(str(arguments[-1].value)) and not has_count(call)
    ]
    assert not wrong


def test_texts_are_asked_for_under_the_name_of_their_own_class():
    """Qt's tool takes what stands before `.tr` for the name of the class, and knows only what `self` is."""
    wrong = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path, call, _ in all_calls()
        if isinstance(call.func, ast.Attribute) and call.func.attr == "tr" and ast.unparse(call.func.value) != "self"
    ]
    assert not wrong


def test_what_has_plurals_is_not_inherited():
    """Qt looks for a text with a count under the name of the object's own class, and not of those it is made of."""
    counting: set[str] = set()
    inherited: set[str] = set()
    for source in parsed(CONSOLE).values():
        for node in source.nodes:
            if isinstance(node, ast.ClassDef):
                inherited.update(ast.unparse(base).rpartition(".")[2] for base in node.bases)
                if any(isinstance(each, ast.Call) and has_count(each) for each in ast.walk(node)):
                    counting.add(node.name)
    assert counting
    assert counting & inherited == set()


def test_no_text_of_the_sources_is_overlooked(gathered):
    found = {message.source for message in tool.messages(gathered["de"])}
    assert {text for text, _ in texts_of_sources()} - found == set()


def test_every_count_has_its_english_plural(gathered):
    counted = {message.source for message in tool.messages(gathered["en"])}
    assert {text for text, is_counted in texts_of_sources() if is_counted} - counted == set()
    assert tool.unfinished(gathered["en"]) == []
    for message in tool.messages(gathered["en"]):
        assert all(COUNT.search(form) and "(" not in form for form in message.forms), message
        assert message.forms[0] != message.forms[1] or not re.search(r"n \w+s\b", message.source), message


def test_a_translation_has_room_for_the_same_values():
    """A value without a place is never seen, and a place without a value ends the text with an error."""
    wrong = [
        message
        for language in tool.LANGUAGES
        for message in tool.messages(tool.FOLDER / f"starloom_{language}.ts")
        for form in message.forms
        if form and sorted(PLACE.findall(form)) != sorted(PLACE.findall(message.source))
    ]
    assert not wrong


def test_the_files_are_as_the_sources_are(made):
    assert len(made) == 2 * len(tool.LANGUAGES)
    assert tool.stale(made) == [], "run `make translations`"


def test_what_is_out_of_date_is_found(tmp_path):
    sources, kept, fresh = tmp_path / "sources", tmp_path / "kept", tmp_path / "fresh"
    for folder in (sources, kept, fresh):
        folder.mkdir()
    lines = ("class Counts(QObject):", "    def tasks(self, count):", '        return self.tr("%n task(s)", "", count)')
    (sources / "counts.py").write_text("\n".join(lines), encoding="utf-8")
    for language in tool.LANGUAGES:
        tool.release(tool.update(kept, language, sources))
    text = (kept / "starloom_en.ts").read_text(encoding="utf-8")
    (kept / "starloom_en.ts").write_text(text.replace("%n tasks", "%n taskses"), encoding="utf-8")
    (kept / "starloom_de.qm").unlink()
    (sources / "counts.py").write_text("\n".join([*lines, '        self.tr("new")']), encoding="utf-8")
    stale = tool.stale(tool.make_anew(kept, fresh, sources), kept)
    assert {"starloom_en.ts", "starloom_de.qm", "starloom_de.ts"} <= set(stale)


@pytest.mark.parametrize(
    ("source", "forms"),
    [
        ("%n task(s)", ("%n task", "%n tasks")),
        ("needed by %n task(s)", ("needed by %n task", "needed by %n tasks")),
        ("%n dependenc(y|ies)", ("%n dependency", "%n dependencies")),
        ("%n thing(s) wait(s|)", ("%n thing waits", "%n things wait")),
        ("%n file(s) %n (is|are) gone", ("%n file %n is gone", "%n files %n are gone")),
        (
            "%n line(s) were not kept, as they are",
            ("%n line was not kept, as they are", "%n lines were not kept, as they are"),
        ),
        ("and %n more", ("and %n more", "and %n more")),
    ],
)
def test_english_plurals_are_made_of_what_stands_in_brackets(source, forms):
    assert tool.english_forms(source) == forms


def test_counts_are_spoken_in_english(spoken):
    assert Plurals().tasks(1) == "1 task(s)"
    assert translations.install(spoken, "en") == "en"
    assert [Plurals().tasks(count) for count in (0, 1, 3)] == ["0 tasks", "1 task", "3 tasks"]


def test_german_is_spoken_with_its_own_plurals(spoken):
    assert translations.install(spoken, "de") == "de"
    assert [Plurals().tasks(count) for count in (1, 3)] == ["1 Aufgabe", "3 Aufgaben"]
    assert status_word(TaskStatus.COMPLETED) == "Fertig"


def test_a_text_of_a_class_is_found_by_those_made_of_it(spoken):
    class Narrower(SearchField):
        pass

    translations.install(spoken, "de")
    field = Narrower(Appearance(spoken, Theme.LIGHT), "")
    assert field.placeholderText() == "Aufgabe suchen"
    field.deleteLater()
    delete_what_is_to_go()


def test_a_language_takes_the_place_of_the_one_before(spoken):
    for _ in range(3):
        assert translations.install(spoken, "de") == "de"
    assert translations.install(spoken, "en") == "en"
    delete_what_is_to_go()
    assert len(spoken.findChildren(QTranslator, translations._TRANSLATOR)) == 1
    assert Plurals().tasks(1) == "1 task"


def test_every_language_that_is_offered_is_there(spoken):
    assert set(translations.NAMES) == set(tool.LANGUAGES)
    for code in translations.NAMES:
        assert (tool.FOLDER / f"starloom_{code}.qm").is_file()
        assert translations.install(spoken, code) == code


@pytest.mark.parametrize(
    ("wanted", "found"),
    [(["de-AT", "en"], "de"), (["fr-FR", "de_DE", "en"], "de"), (["fr"], "en"), ([], "en"), (["C"], "en")],
)
def test_of_the_systems_languages_the_first_that_is_there_is_spoken(wanted, found):
    assert translations.best_of(wanted) == found


def test_what_is_no_language_is_the_systems(spoken):
    assert translations.install(spoken, "klingon") in translations.NAMES
    assert QObject().tr("never translated") == "never translated"


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_letter_opens_one_menu_and_is_no_key_of_the_window(language: str) -> None:
    titles = ["&File", "&Edit", "&Run", "&Tasks", "&Devices", "&View", "&Help"]
    if language != "en":
        root = ET.parse(ROOT / f"resources/starloom_resources/translations/starloom_{language}.ts").getroot()
        words = {one.findtext("source"): one.findtext("translation") or "" for one in root.iter("message")}
        titles = [words[title] for title in titles]
    letters = [title[title.index("&") + 1].upper() for title in titles]
    assert len(set(letters)) == len(letters), titles
    taken = {key for keys in KEYS[Scope.WINDOW].values() for key in keys}
    assert not {f"Alt+{letter}" for letter in letters} & taken, titles


def test_german_writes_ellipses_and_limits_in_one_way() -> None:
    told = [form for one in tool.messages(tool.FOLDER / "starloom_de.ts") for form in one.forms]
    assert [text for text in told if text.endswith("…") and len(text) > 1 and text[-2] not in " .%"] == []
    assert [text for text in told if re.search(r"Grenze|grenze\b", text)] == []


@pytest.mark.usefixtures("app")
def test_how_much_an_agent_proposes_is_read_in_german_where_its_name_has_no_room() -> None:
    (german,) = (
        one.forms[0]
        for one in tool.messages(tool.FOLDER / "starloom_de.ts")
        if (one.context, one.source) == ("Agents", "%1 proposes %2")
    )
    said = german.replace("%1", "reviewer-of-the-night").replace("%2", "5 Änderungen")
    assert "5 Änderungen" in elided(said, QFontMetricsF(font(Role.BODY)), 190)
