"""Translates sentences of the engine: each is recognised by its template, its values stay as they are.

One that is not among `engine_sentences` is shown as the engine wrote it.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final

from msgspec.structs import replace

from starloom.errors import CommandRefused, Problem, StarloomError
from starloom.model.status import RunState, TaskStatus
from starloom_gui.text.engine_sentences import SENTENCES
from starloom_gui.text.words import fill, lowered, run_word, status_word
from starloom_gui.text.words import translate as _in_language  # of texts that are gathered in `engine_sentences`

_PLACE: Final = re.compile(r"%[1-9]")


def _form(sentence: str) -> re.Pattern[str]:
    """The regular expression of a sentence with values in its places."""
    return re.compile("(.+?)".join(map(re.escape, _PLACE.split(sentence))), re.DOTALL)


_TASKS: Final = {
    "waiting": TaskStatus.WAITING_DEPENDENCY,
    "ready": TaskStatus.PENDING,
    **{one.value.replace("_", " "): one for one in TaskStatus},
}
_RUNS: Final = {one.value: one for one in RunState}


@cache
def _forms() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The sentences with their regular expressions, compiled at the first use, so that no start waits for them.

    Those with the most text of their own come first, as the place of another sentence would match the rest of them.
    """
    return tuple((one, _form(one)) for one in sorted(SENTENCES, key=lambda one: -len(_PLACE.sub("", one))))


@lru_cache(maxsize=4096)
def known(text: str) -> tuple[str, tuple[str, ...]] | None:
    """The sentence of which a text is an instance, and its values; None: there is none."""
    for sentence, form in _forms():
        found = form.fullmatch(text)
        if found is not None:
            return sentence, found.groups()
    return None


def said(text: str) -> str:
    """A sentence of the engine in the language of the console."""
    found = known(text)
    if found is None:
        return text
    sentence, values = found
    translated = _in_language("Engine", sentence)
    if "'%1'" in sentence:  # the name of a task, which may be a word for a state
        return fill(translated, *values)
    about_run = sentence.startswith("The run ")
    return fill(translated, *(_value(one, about_run) for one in values))


def _value(value: str, about_run: bool) -> str:
    """A value within a sentence: the name of a state, a translated sentence, or the value itself."""
    if about_run and value in _RUNS:
        return lowered(run_word(_RUNS[value]))
    if value in _TASKS:
        return lowered(status_word(_TASKS[value]))
    is_whole = known(value) is not None or known(f"{value}.") is None
    return said(value) if is_whole else said(f"{value}.").removesuffix(".")  # its full stop is that of all of it


def problem_line(problem: Problem) -> str:
    """A problem in one line: the error, its place, and its remedy."""
    return str(replace(problem, message=said(problem.message), hint=said(problem.hint)))


def why_not(error: StarloomError) -> str:
    """The text of an error: why an action failed, and the remedy."""
    if isinstance(error, CommandRefused):
        return " ".join(part for part in (said(error.reason), said(error.hint)) if part)
    return said(str(error))
