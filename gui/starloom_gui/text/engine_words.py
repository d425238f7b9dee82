"""Translates sentences of the engine: each is recognised by its template, its values stay as they are.

One that is not among `engine_sentences` is shown as the engine wrote it.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec.structs import replace

from starloom.errors import CommandRefused, PlanError, Problem, StarloomError
from starloom.model.result import ErrorCode
from starloom.model.status import RunState, TaskStatus
from starloom_gui.text.engine_sentences import SENTENCES
from starloom_gui.text.words import fill, lowered, run_word, status_word, translate
from starloom_gui.text.words import translate as _in_language  # of texts that are gathered in `engine_sentences`

if TYPE_CHECKING:
    from starloom.model.result import ErrorInfo

_PLACE: Final = re.compile(r"%[1-9]")


class _Form(NamedTuple):
    """A sentence, and the texts between its places."""

    sentence: str
    parts: tuple[str, ...]

    def values_in(self, text: str) -> tuple[str, ...] | None:
        """The values of a text that is an instance of the sentence; None: it is none.

        What is seen without a regular expression is looked at first: most fail by it, and theirs is never compiled.
        """
        parts = self.parts
        if not text.startswith(parts[0]) or not text.endswith(parts[-1]) or any(part not in text for part in parts):
            return None
        found = _expression(parts).fullmatch(text)
        return None if found is None else found.groups()


@cache
def _expression(parts: tuple[str, ...]) -> re.Pattern[str]:
    """The regular expression of a sentence with values in its places."""
    return re.compile("(.+?)".join(map(re.escape, parts)), re.DOTALL)


_TASKS: Final = {
    "waiting": TaskStatus.WAITING_DEPENDENCY,
    "ready": TaskStatus.PENDING,
    **{one.value.replace("_", " "): one for one in TaskStatus},
}
_RUNS: Final = {one.value: one for one in RunState}


@cache
def _forms() -> tuple[_Form, ...]:
    """The forms of the sentences, made at the first use, so that no start waits for them.

    Those with the most text of their own come first, as the place of another sentence would match the rest of them.
    """
    return tuple(
        _Form(one, tuple(_PLACE.split(one))) for one in sorted(SENTENCES, key=lambda one: -len(_PLACE.sub("", one)))
    )


@lru_cache(maxsize=4096)
def known(text: str) -> tuple[str, tuple[str, ...]] | None:
    """The sentence of which a text is an instance, and its values; None: there is none."""
    for form in _forms():
        values = form.values_in(text)
        if values is not None:
            return form.sentence, values
    return None


def said(text: str) -> str:
    """A sentence of the engine in the language of the console."""
    found = known(text)
    if found is None:
        bare = text.removesuffix(".")  # the full stop of what is mostly a half sentence
        return f"{said(bare)}." if bare != text and known(bare) is not None else text
    sentence, values = found
    translated = _in_language("Engine", sentence)
    if "'%1'" in sentence:  # the name of a task, which may be a word for a state
        return fill(translated, *values)
    about_run = sentence.startswith("The run ")
    return fill(translated, *(_value(one, about_run) for one in values))


def _value(value: str, about_run: bool) -> str:
    """A value within a sentence: the name of a state, a translated sentence or several, or the value itself."""
    if about_run and value in _RUNS:
        return lowered(run_word(_RUNS[value]))
    if value in _TASKS:
        return lowered(status_word(_TASKS[value]))
    several = value.split(", ")
    if len(several) > 1 and all(map(known, several)):  # before one of them is taken for all of it
        return ", ".join(map(said, several))
    is_whole = known(value) is not None or known(f"{value}.") is None
    return said(value) if is_whole else said(f"{value}.").removesuffix(".")  # its full stop is that of all of it


def by_words(origin: str) -> str:
    """The author of a change in words: `by hand`, `by the plan`, `by planner`, which is an agent."""
    words = {
        "engine": translate("Events", "by the engine"),
        "operator": translate("Events", "by hand"),
        "plan": translate("Events", "by the plan"),
        "settings": translate("Events", "by the settings"),
    }
    return words.get(origin) or fill(translate("Events", "by %1"), origin)


def error_sentence(error: ErrorInfo) -> str:
    """The reason why an attempt failed, as a sentence; what foreign code raised is shown as it is.

    Its words could look like one of ours by chance.
    """
    is_foreign = error.code == ErrorCode.EXCEPTION and error.message not in SENTENCES
    return error.message if is_foreign else said(error.message)


def problem_line(problem: Problem) -> str:
    """A problem in one line: the error, its place, and its remedy."""
    words = str(replace(problem, line=None, message=said(problem.message), hint=said(problem.hint)))
    return words if problem.line is None else fill(translate("Engine", "line %1: %2"), problem.line, words)


def why_not(error: StarloomError | OSError) -> str:
    """The text of an error: why an action failed, and the remedy."""
    if isinstance(error, CommandRefused):
        return " ".join(part for part in (said(error.reason), said(error.hint)) if part)
    if isinstance(error, PlanError):
        return " ".join(map(problem_line, error.problems))
    return said(str(error))
