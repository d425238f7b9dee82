"""The forms of the kinds of agents: their fields, and the agent that the values give."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from starloom.agents.llm import LlmAgent, LlmLimits
from starloom.agents.python import TIME_LIMIT, PythonAgent
from starloom.agents.rules import RuleAgent
from starloom.devices.llm.key import SERVICE, VARIABLE
from starloom.errors import AgentError, PlanError
from starloom.formats import load_plan
from starloom.formats.rules import read_rules
from starloom_gui.editing.words import problems_words
from starloom_gui.text.engine_words import why_not
from starloom_gui.text.words import Plurals, fill, translate
from starloom_gui.widgets.editor import FieldError, FieldSpec, ValueType

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from starloom.agents.base import Agent

LOCAL_URL: Final = "http://127.0.0.1:11434/v1"
_ANSWER: Final = '{"edits": [{"remove_task": "id"}, …], "reason": "…"}'
"""What a Python agent returns, see docs/editing-while-running.md."""
RULES, PYTHON, MODEL = "rules", "python", "llm"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentForm:
    """The form of one kind of agent.

    Attributes:
        kind: its name in the program.
        label: what people call it.
        fields: from top to bottom.
        make: the agent that values describe; may read a file, so it is called off the loop. Raises `FieldError`.
        says: what such an agent is, in a sentence.
    """

    kind: str
    label: str
    fields: tuple[FieldSpec, ...]
    make: Callable[[Mapping[str, Any]], Agent]
    says: str


def agent_forms(rules: Sequence[Any], goal: str) -> tuple[AgentForm, ...]:
    """The forms of all kinds.

    Args:
        rules: those that the run's plan declares, as it declares them.
        goal: what the run is for, in words.
    """
    return (_rules_form(rules), _python_form(), _model_form(goal))


def _name(hint: str) -> FieldSpec:
    return FieldSpec(
        name="name",
        label=translate("AttachAgent", "Name"),
        hint=hint,
        help=translate("AttachAgent", "What events call it, and whose edits they then are."),
    )


# ---- rules


def _rules_form(rules: Sequence[Any]) -> AgentForm:
    named = translate(
        "AttachAgent", "A plan file whose rules are meant. It may hold nothing but “starloom: 1” and its rules."
    )
    if rules:
        named = fill(
            translate("AttachAgent", "Empty: %1 of the run's own plan. Else a plan file whose rules are meant."),
            Plurals().rules(len(rules)),
        )
    path = FieldSpec(
        name="path",
        label=translate("AttachAgent", "File"),
        help=named,
        hint=translate("AttachAgent", "rules of this plan") if rules else "",
        required=not rules,
        is_long=True,
    )

    def make(values: Mapping[str, Any]) -> Agent:
        given = values.get("path")
        try:
            wanted = load_plan(Path(given).expanduser()).rules if given else rules
            found = read_rules(list(wanted))
        except PlanError as error:
            raise FieldError("path", problems_words(error.problems)) from None
        if not found:
            raise FieldError("path", translate("AttachAgent", "This plan declares no rules; write them under “rules”."))
        return RuleAgent(found, name=values.get("name") or "rules")

    return AgentForm(
        kind=RULES,
        label=translate("AttachAgent", "Rules"),
        fields=(path, _name("rules")),
        make=make,
        says=translate(
            "AttachAgent", "Applies rules of the form “when a task ends so, make these edits”. No code runs."
        ),
    )


# ---- python


def _python_form() -> AgentForm:
    fields = (
        FieldSpec(
            name="target",
            label=translate("AttachAgent", "Function"),
            hint="module:function",
            help=translate(
                "AttachAgent",
                "It is called as function(view, finished) with the run and the tasks that have ended as plain dicts, "
                "and returns None or %1.",
            ).replace("%1", _ANSWER),
            required=True,
            is_long=True,
        ),
        FieldSpec(
            name="cwd",
            label=translate("AttachAgent", "Folder"),
            help=translate("AttachAgent", "Where modules are looked for first; empty: where this program was started."),
            is_long=True,
        ),
        FieldSpec(
            name="time_limit",
            label=translate("AttachAgent", "Time limit"),
            sort=ValueType.NUMBER,
            default=TIME_LIMIT,
            unit=translate("AttachAgent", "s for one answer"),
        ),
        _name("module:function"),
    )
    says = translate("AttachAgent", "Asks a Python function in a process of its own. It may do whatever you may.")
    return AgentForm(kind=PYTHON, label="Python", fields=fields, make=_python, says=says)


def _python(values: Mapping[str, Any]) -> Agent:
    limit = _above_zero(values, "time_limit")
    folder = values.get("cwd")
    cwd = Path(folder).expanduser() if folder else None
    if cwd is not None and not cwd.is_dir():
        raise FieldError("cwd", fill(translate("AttachAgent", "There is no folder %1."), cwd))
    try:
        return PythonAgent(values["target"], name=values.get("name") or "", time_limit=limit, cwd=cwd)
    except AgentError as error:
        raise FieldError("target", _sentence(error)) from None


# ---- a model


def _model_form(goal: str) -> AgentForm:
    key = translate(
        "AttachAgent",
        "The key is read from %1 or from the keyring (service %2, user: the host). It is kept nowhere else.",
    )
    fields = (
        FieldSpec(
            name="model",
            label=translate("AttachAgent", "Model"),
            hint=translate("AttachAgent", "e.g. qwen3"),
            required=True,
        ),
        FieldSpec(
            name="url",
            label=translate("AttachAgent", "Address"),
            default=LOCAL_URL,
            help=fill(key, VARIABLE, SERVICE),
            required=True,
            is_long=True,
        ),
        FieldSpec(
            name="goal",
            label=translate("AttachAgent", "Goal"),
            default=goal or None,
            hint=translate("AttachAgent", "what the run is for, in words"),
            is_long=True,
        ),
        FieldSpec(
            name="tokens",
            label=translate("AttachAgent", "Tokens"),
            sort=ValueType.WHOLE,
            default=LlmLimits().tokens,
            unit=translate("AttachAgent", "at most in this run"),
        ),
        FieldSpec(
            name="seconds",
            label=translate("AttachAgent", "Time limit"),
            sort=ValueType.NUMBER,
            default=LlmLimits().seconds,
            unit=translate("AttachAgent", "s for one answer"),
        ),
        _name("llm:qwen3"),
    )
    says = translate(
        "AttachAgent",
        "Asks a language model. It is sent the graph and what ended tasks returned, and only proposes edits.",
    )
    return AgentForm(
        kind=MODEL, label=translate("AttachAgent", "Language model"), fields=fields, make=_model, says=says
    )


def _model(values: Mapping[str, Any]) -> Agent:
    limits = LlmLimits(tokens=round(_above_zero(values, "tokens")), seconds=_above_zero(values, "seconds"))
    try:
        return LlmAgent(
            values["model"],
            values["url"],
            name=values.get("name") or "",
            goal=values.get("goal") or "",
            limits=limits,
        )
    except AgentError as error:
        raise FieldError("url", _sentence(error)) from None


# ---- what all have in common


def _above_zero(values: Mapping[str, Any], name: str) -> float:
    value = values.get(name)
    if not isinstance(value, int | float) or not 0 < value <= 1e9:
        raise FieldError(name, translate("AttachAgent", "Give a number above 0."))
    return float(value)


def _sentence(error: AgentError) -> str:
    words = why_not(error)
    return words[:1].upper() + words[1:]
