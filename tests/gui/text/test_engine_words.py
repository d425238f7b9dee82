"""What the engine refuses with is said in the console's language, and none of its sentences is forgotten."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QTranslator
from typing_extensions import override

import starloom
import starloom_gui
from starloom.errors import CommandRefused, PlanError, Problem
from starloom.formats.files import read_file
from starloom.journal.base import JournalInUse
from starloom.journal.library import Library
from starloom.journal.lock import Holder, JournalLock
from starloom.model.result import ErrorCode, ErrorInfo
from starloom_gui.editing.words import problem_words
from starloom_gui.text import translations
from starloom_gui.text.engine_sentences import SENTENCES
from starloom_gui.text.engine_words import error_sentence, known, problem_line, said, why_not

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication

ENGINE = Path(starloom.__file__).parent
CONSOLE = Path(starloom_gui.__file__).parent
ERRORS = frozenset({"StarloomError", "DeviceError", "AgentError", "JournalError", "PlanError", "SettingsError"})
TOLD = re.compile(r" as (\w+):.*?str\(\1\)", re.DOTALL)
SAID_LATER = frozenset({f"{name}.py" for name in ("documents/unsaved", "dialogs/add_device", "gateway/commands")})
"""Where the text of an error is searched, or becomes another error, of which the sentence is said."""
ATTEMPTS = (
    *(
        f"devices/{name}.py"
        for name in ("ended", "local", "program", "inprocess", "simulated", "secret_sources", "kept")
    ),
    *(
        "devices/attempt_files.py",
        "devices/ssh/work.py",
        "devices/acp/attempt.py",
        "devices/prompting.py",
        "devices/schema_check.py",
        "model/templates.py",
    ),
    *(f"devices/aip/{name}.py" for name in ("address", "attempt", "link", "request")),
    *(f"devices/llm/{name}.py" for name in ("chat", "device", "failures", "unreachable")),
    *("model/simulation.py", "orchestration/json_results.py", "orchestration/awaited.py"),
)
FILES = tuple(f"formats/{name}.py" for name in ("checks", "source", "limits", "needs", "yaml_text", "json_text"))
ROOMS = ("constellation", "scheduling", *FILES, *ATTEMPTS)
"""Where commands, edits and plans are refused, reasons given, and attempts fail."""
NOT_SAID = frozenset({"invariants", "networkx_graphs", "cycle_invariants", "stop_invariants"})
"""Modules that find defects of the program, which nobody meets."""
REFUSES = frozenset(
    {
        "CommandRefused",
        "LinkBroken",
        "NotUnderstood",
        "NotSent",
        "MaterialMissing",
        "Problem",
        "Reason",
        "_refuse",
        "_require",
        "_problem",
    }
)
FAILS = frozenset(
    {
        "ErrorInfo",
        "TemplateError",
        "SecretError",
        "StartFailed",
        "failed",
        "_failed",
        "_bad_value",
        "AnswerFailed",
        "NotChecked",
        "LinkGone",
        "LinkLost",
    }
)
"""What says why an attempt failed; with a device's own sentences, `DeviceError`, these are the errors of tasks."""
SAYS = frozenset({"reason", "hint", "message", "nothing", "text", "remedy", "note", "sentence"})
RETURNS = frozenset({"endings", "late_facts", "unreachable"})
"""Modules whose functions return sentences: why a run stalls, why an attempt may still run."""
IN_PARTS = frozenset(
    {
        "Device 'x' still runs 'x' task'x'.",
        "Device 'x' still has what 'x' task'x' left, which is being brought here.",
        "No task of the run can start now.'x'",
        "It was rejected'x''x'",
        "'x' is 'x'",
        "'x' is 'x'.",
        "'x' is not reserved.",
        "'x''x' until it is reached",
        "It 'x''x'",
        "'x' 'x'",
        "It waits for a person to answer 'x'.'x'",
        "It waits for 'x' more tasks; 'x' must say yes.",
        "It waits for agent 'x' to answer to 'x', since 'x'.",
        "'x' So 'x' is not known.",
        "'x': 'x'",  # what foreign code raises, which is no sentence of ours
        "(its text cannot be read)",
    }
)
"""Put together of parts; the whole ones are tried below."""


def sources() -> Iterator[Path]:
    for room in ROOMS:
        path = ENGINE / room
        yield from [path] if path.is_file() else sorted(path.rglob("*.py"))


def literal(node: ast.expr) -> Iterator[str]:
    """The sentences an expression can be, with something in quotes for what the engine puts into them."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else "'x'" for part in node.values)
    elif isinstance(node, ast.IfExp):
        yield from literal(node.body)
        yield from literal(node.orelse)


def sentences(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            function = node.func
            name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
            if name in REFUSES | FAILS:
                for each in (*node.args, *(word.value for word in node.keywords)):
                    yield from literal(each)
        elif isinstance(node, ast.Return) and node.value is not None and path.stem in RETURNS:
            yield from literal(node.value)
        elif isinstance(node, ast.ListComp) and path.stem in RETURNS:
            yield from literal(node.elt)
        elif isinstance(node, ast.Assign) and isinstance(at := node.targets[0], ast.Name) and at.id in SAYS:
            yield from literal(node.value)


def test_every_refusal_of_the_engine_is_known() -> None:
    found = {
        (path.relative_to(ENGINE).as_posix(), sentence)
        for path in sources()
        if path.stem not in NOT_SAID
        for sentence in sentences(path)
        if " " in sentence and sentence not in IN_PARTS
    }
    missing = [f"{path}: {sentence}" for path, sentence in sorted(found) if known(sentence) is None]
    assert not missing, "add them to engine_sentences:\n" + "\n".join(missing)
    assert len(found) > 80, "they are still looked for where they are"


@pytest.mark.parametrize("sentence", SENTENCES)
def test_each_is_known_by_its_own_form(sentence: str) -> None:
    filled = re.sub(r"%([1-9])", r"'value \1'", sentence)
    assert said(filled) == filled, "the console's own language says the same"
    assert known(filled) == (sentence, tuple(f"'value {one}'" for one in re.findall(r"%([1-9])", sentence)))


class Turned(QTranslator):
    """A language in which the engine's sentences are said otherwise."""

    @override
    def translate(self, context: str, source: str, disambiguation: str | None = None, n: int = -1) -> str:
        return f"<{source}>" if context == "Engine" and source != "%1: %2." else source

    @override
    def isEmpty(self) -> bool:
        return False


def test_refusals_are_said_in_the_language_with_their_values(app: QApplication) -> None:
    assert said("There is no task 'a'.") == "There is no task 'a'."
    assert said("The run is partially_failed already.") == "The run is partially failed already."
    spoken = Turned()
    app.installTranslator(spoken)
    try:
        assert said("There is no task 'a'.") == "<There is no task 'a'.>"
        assert said("'a' cannot be held: it is completed.") == "<'a' cannot be held: it is done.>"
        assert said("The run is partially_failed already.") == "<The run is partially failed already.>"
        assert said("No task of the run can start now. Not held.") == "<No task of the run can start now. <Not held.>>"
        assert said("Device 'd' still runs 2 tasks.") == "<Device 'd' still runs 2 tasks.>"
        left = "Device 'd' still has what 1 task left, which is being brought here."
        assert said(left) == f"<{left}>"
        assert said("'a' cannot change: it has ended (completed).").startswith(
            "<'a' cannot change: it <has ended (done)"
        )
        assert said("'check' failed") == "<'check' failed>", "why a task was skipped"
        assert said("'completed' failed") == "<'completed' failed>", "a task may be named so"
        placed = Problem(message="the file is empty.", where="tasks", line=3)
        assert problem_line(placed) == "<line 3: tasks: <the file is empty.>>"
        missing = Problem(code="file", message="the file or its folder does not exist.", hint="Check the path.")
        assert problem_line(missing) == "<the file or its folder does not exist.> <Check the path.>"
        assert said("stopped while it ran") == "<stopped while it ran>"
        assert said("Timeout: 'x' is not a duration; write seconds (90) or 90s, 10m, 1h30m.") == (
            "Timeout: <'x' is not a duration; write seconds (90) or 90s, 10m, 1h30m>."
        ), "its own form is the same in that language"
        by_itself = "'x' is not a duration; write seconds (90) or 90s, 10m, 1h30m"
        assert said(f"{by_itself}.") == f"<{by_itself}>."
        assert said("nobody has listed this.") == "nobody has listed this."
        assert said("nobody has listed this") == "nobody has listed this"
        refused = CommandRefused("no_tasks", "No task was named.", "Name at least one task id.")
        assert why_not(refused) == "<No task was named.> <Name at least one task id.>"
        problem = Problem(code="x", message="there is no task 'b'.", hint="Did you mean 'a'?")
        assert problem_words(problem) == "<there is no task 'b'.> <Did you mean 'a'?>"
    finally:
        app.removeTranslator(spoken)


def test_why_a_file_cannot_be_read_is_known(tmp_path: Path) -> None:
    (tmp_path / "file.yaml").touch()
    for path in (tmp_path / "missing.yaml", tmp_path, tmp_path / "file.yaml" / "plan.yaml"):
        with pytest.raises(PlanError) as raised:
            read_file(path)
        for problem in raised.value.problems:
            assert known(problem.message) is not None
            assert known(problem.hint) is not None


def test_who_holds_a_journal_is_said_in_german(spoken: QApplication, tmp_path: Path) -> None:
    translations.install(spoken, "de")
    held = JournalLock(tmp_path / "journal")
    try:
        with pytest.raises(JournalInUse) as raised:
            JournalLock(tmp_path / "journal")
    finally:
        held.release()
    words = why_not(raised.value)
    assert words.startswith(f"Das Journal {tmp_path / 'journal'} ist in Gebrauch: dieses Programm selbst, seit ")
    other = str(raised.value).replace("this program itself", "process 7 on box")
    assert "in Gebrauch: Prozess 7 auf box, seit " in said(other)
    with Library(tmp_path / "lib"), Library(tmp_path / "lib") as second:
        assert said(second.notice).startswith(
            f"Ein anderes Starloom ist mit demselben Ordner {tmp_path / 'lib'} geöffnet"
        )
        assert ": dieses Programm selbst, seit " in said(second.notice)
    unknown = f"The journal j is in use by {Holder()}. Wait until it ends; meanwhile it can be read."
    assert "in Gebrauch: ein anderes Programm." in said(unknown)


def test_reasons_of_errors_and_stalls_are_said_in_german_and_what_foreign_code_raised_is_left_alone(
    spoken: QApplication,
) -> None:
    translations.install(spoken, "de")
    assert said("the gate 'ship' is not answered") == "die Freigabe 'ship' ist nicht beantwortet"
    assert said("no device takes 'a': d1 is draining, d2 is disabled") == (
        "kein Gerät nimmt 'a': d1 läuft leer, d2 ist abgeschaltet"
    ), "each of a list is said, as a whole it would be taken for one of the last kind"
    assert said("It was skipped: 'a' failed") == "Sie wurde übersprungen: „a“ ist fehlgeschlagen"
    assert said("It failed: exit code 2") == "Sie ist fehlgeschlagen: Exit-Code 2"
    assert said("'a' completed, and the dependency is of kind failure").endswith("von der Art „Fehler“")
    lost = ErrorInfo(code=ErrorCode.DEVICE_LOST, message="Device 'd' was lost while it ran.")
    assert error_sentence(lost) == "Das Gerät 'd' ging verloren, während sie lief."
    raised = ErrorInfo(code=ErrorCode.EXCEPTION, message="the valve is draining")
    assert error_sentence(raised) == raised.message, "a handler's own words only look like ours"
    stopped = ErrorInfo(code=ErrorCode.EXCEPTION, message="The attempt was stopped from outside.")
    assert error_sentence(stopped) == "Der Versuch wurde von außen gestoppt."


def raw_texts() -> Iterator[str]:
    """Where the console would show a text of the engine as it was written: errors of attempts, and caught errors."""
    for path in sorted(CONSOLE.rglob("*.py")):
        where = path.relative_to(CONSOLE).as_posix()
        text = path.read_text(encoding="utf-8")
        if ".error.message" in text:
            yield f"{where}: .error.message"
        for node in ast.walk(ast.parse(text)) if TOLD.search(text) else ():  # parsing all of them would take long
            if isinstance(node, ast.ExceptHandler) and node.type is not None and ERRORS & {*names(node.type)}:
                calls = [one for one in ast.walk(node) if isinstance(one, ast.Call) and len(one.args) == 1]
                texts = [one for one in calls if getattr(one.func, "id", "") == "str"]
                yield from (f"{where}:{one.lineno}" for one in texts if getattr(one.args[0], "id", "") == node.name)


def names(node: ast.expr) -> Iterator[str]:
    return (one.id for one in ast.walk(node) if isinstance(one, ast.Name))


def test_the_console_shows_no_text_of_the_engine_without_saying_it_in_its_language() -> None:
    found = [one for one in raw_texts() if one.partition(":")[0] not in {"text/engine_words.py", *SAID_LATER}]
    assert not found, "use error_sentence, said or why_not"
