"""The fields of the kinds of devices that are described in data, and what their values come to as options."""

from __future__ import annotations

import os
import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from starloom.devices.llm.key import OPENAI
from starloom.devices.wrappers import WRAPPERS
from starloom_gui.text.words import fill, translate
from starloom_gui.widgets.editor import FieldError, FieldSpec, ValueType

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

OTHER: Final = "other"
"""What is chosen for a wrapper that has no name."""


def slots(default: int | None = None) -> FieldSpec:
    """The field of how much runs there at once."""
    return FieldSpec(
        name="slots",
        label=translate("Devices", "Slots"),
        sort=ValueType.WHOLE,
        default=default,
        unit=translate("Devices", "tasks at once"),
    )


def _directory(hint: str) -> FieldSpec:
    label, said = (
        translate("Devices", "Directory"),
        translate("Devices", "Where commands run unless a task says otherwise."),
    )
    return FieldSpec(name="working_directory", label=label, hint=hint, help=said, is_long=True)


def _local() -> tuple[FieldSpec, ...]:
    return (
        _directory(translate("Devices", "the engine's own")),
        replace(slots(), unit=translate("Devices", "tasks at once; empty: one a processor")),
        FieldSpec(
            name="inherit_env",
            label=translate("Devices", "Environment"),
            sort=ValueType.SWITCH,
            default=True,
            unit=translate("Devices", "Tasks see the engine's variables"),
        ),
    )


def _ssh() -> tuple[FieldSpec, ...]:
    return (
        FieldSpec(name="host", label=translate("Devices", "Host"), required=True),
        FieldSpec(name="port", label=translate("Devices", "Port"), sort=ValueType.WHOLE, default=22, beside=True),
        FieldSpec(name="user", label=translate("Devices", "User"), hint=translate("Devices", "the same as here")),
        FieldSpec(
            name="keys",
            label=translate("Devices", "Key file"),
            hint=translate("Devices", "the usual ones"),
            is_long=True,
        ),
        FieldSpec(
            name="agent",
            label=translate("Devices", "Key agent"),
            sort=ValueType.SWITCH,
            default=True,
            unit=translate("Devices", "Ask the agent for keys first"),
        ),
        FieldSpec(
            name="jump",
            label=translate("Devices", "Through"),
            hint=translate("Devices", "nothing; or user@host:port"),
            is_long=True,
        ),
        _directory(translate("Devices", "the home of the user there")),
        slots(1),
        FieldSpec(
            name="python",
            label=translate("Devices", "Python"),
            hint="python3",
            help=translate("Devices", "What calls functions there: its name or path on that machine."),
            is_long=True,
            is_rare=True,
        ),
    )


def _dask() -> tuple[FieldSpec, ...]:
    return (
        FieldSpec(
            name="address",
            label=translate("Devices", "Address"),
            hint=translate("Devices", "tcp://host:8786"),
            help=translate(
                "Devices", "Of the scheduler; each worker becomes a device. Empty: a cluster is started here."
            ),
            is_long=True,
        ),
        FieldSpec(
            name="workers",
            label=translate("Devices", "Workers"),
            sort=ValueType.WHOLE,
            hint="2",
            unit=translate("Devices", "of a cluster started here"),
        ),
        FieldSpec(
            name="threads",
            label=translate("Devices", "Threads"),
            sort=ValueType.WHOLE,
            hint="1",
            unit=translate("Devices", "tasks at once on each of them"),
        ),
        replace(slots(), unit=translate("Devices", "tasks at once on a worker; empty: one a thread")),
    )


def _wrapped() -> tuple[FieldSpec, ...]:
    return (
        FieldSpec(
            name="wrapper",
            label=translate("Devices", "Reached by"),
            sort=ValueType.CHOICE,
            default="docker exec",
            required=True,
            choices=(
                *((name, name) for name in WRAPPERS),
                (OTHER, translate("Devices", "another program")),
            ),
        ),
        FieldSpec(
            name="target",
            label=translate("Devices", "Target"),
            help=translate("Devices", "The container, phone, pod or system, as that program calls it."),
            is_long=True,
        ),
        FieldSpec(
            name="program",
            label=translate("Devices", "Program"),
            hint="podman exec {target}",
            help=translate(
                "Devices", "What stands before each command where another program is chosen; no shell reads it."
            ),
            is_long=True,
        ),
        replace(slots(), unit=translate("Devices", "tasks at once; empty: one a processor")),
    )


def _acp() -> tuple[FieldSpec, ...]:
    return (
        FieldSpec(
            name="command",
            label=translate("Devices", "Command"),
            hint="gemini --acp",
            help=translate(
                "Devices", "The agent and its arguments. It speaks the Agent Client Protocol over its streams."
            ),
            required=True,
            is_long=True,
        ),
        FieldSpec(name="host", label=translate("Devices", "Host"), hint=translate("Devices", "this computer")),
        FieldSpec(
            name="user", label=translate("Devices", "User"), hint=translate("Devices", "the same as here"), beside=True
        ),
        replace(
            _directory(translate("Devices", "the engine's own, or the home there")),
            name="cwd",
            help=translate("Devices", "Where it works unless a task says otherwise."),
        ),
        FieldSpec(
            name="permissions",
            label=translate("Devices", "Permissions"),
            sort=ValueType.CHOICE,
            default="ask",
            choices=(
                ("ask", translate("Devices", "ask me each time")),
                ("allow_reads", translate("Devices", "allow reading files")),
                ("allow_within_cwd", translate("Devices", "allow changing files in its directory")),
                ("reject", translate("Devices", "reject all")),
            ),
            help=translate(
                "Devices",
                "What is answered when it asks; no command is allowed by itself. This confines nothing: an agent that "
                "does not ask is held back only by a container.",
            ),
        ),
        replace(slots(1), unit=translate("Devices", "sessions at once")),
    )


def _plaintext(unit: str) -> FieldSpec:
    """The switch that allows an address at which others can read what is sent."""
    return FieldSpec(
        name="plaintext",
        label=translate("Devices", "Encryption"),
        sort=ValueType.SWITCH,
        default=False,
        unit=unit,
    )


def _aip() -> tuple[FieldSpec, ...]:
    return (
        FieldSpec(
            name="url",
            label=translate("Devices", "Address"),
            hint="ws://localhost:5000/ws",
            help=translate("Devices", "Of the UFO server to which the agent is connected."),
            required=True,
            is_long=True,
        ),
        FieldSpec(
            name="target",
            label=translate("Devices", "Agent"),
            hint=translate("Devices", "the name above"),
            help=translate("Devices", "What the UFO server calls it."),
        ),
        FieldSpec(
            name="token",
            label=translate("Devices", "Token"),
            hint=translate("Devices", "none; or keyring:NAME, env:NAME"),
            help=translate("Devices", "Where the key is kept that the UFO server printed at its start; never the key."),
            is_long=True,
        ),
        _plaintext(translate("Devices", "Others may read what is said on its way (ws://)")),
        replace(slots(1), unit=translate("Devices", "tasks at once")),
    )


def _llm() -> tuple[FieldSpec, ...]:
    return (
        FieldSpec(name="model", label=translate("Devices", "Model"), hint="qwen3", required=True),
        FieldSpec(
            name="url",
            label=translate("Devices", "Address"),
            default=OPENAI,
            hint="http://127.0.0.1:11434/v1",
            help=translate(
                "Devices",
                "Of an endpoint that speaks OpenAI's wire format. Its key is in the keyring, as starloom-agent and "
                "the host, or in the variable STARLOOM_AGENT_KEY; a test spends no tokens.",
            ),
            is_long=True,
        ),
        replace(_plaintext(translate("Devices", "Others may read what is said on its way (http://)")), is_rare=True),
        FieldSpec(
            name="system",
            label=translate("Devices", "System text"),
            help=translate("Devices", "What the model is told before each prompt."),
            is_long=True,
        ),
        FieldSpec(
            name="retries",
            label=translate("Devices", "Corrections"),
            sort=ValueType.WHOLE,
            default=2,
            unit=translate("Devices", "where an answer is not what its task expects"),
        ),
        replace(slots(1), unit=translate("Devices", "prompts at once")),
    )


def _place_of(given: dict[str, Any]) -> dict[str, Any]:
    """The options of this computer, whose directory is there."""
    folder = given.get("working_directory")
    if folder and not os.path.isdir(folder):
        raise FieldError("working_directory", fill(translate("Devices", "There is no folder %1."), folder))
    return given


def _wrapper_of(given: dict[str, Any]) -> dict[str, Any]:
    """The options of a wrapped device: a wrapper that has a name, or the arguments of another program."""
    options = {"wrapper": "docker exec", **given}
    program = options.pop("program", None)
    if options["wrapper"] != OTHER:
        if program:
            words = translate("Devices", "It is not used by “%1”. Choose another program above, or leave this empty.")
            raise FieldError("program", fill(words, options["wrapper"]))
        return options
    try:
        arguments = shlex.split(program or "")
    except ValueError:
        raise FieldError("program", translate("Devices", "A quotation mark is not closed.")) from None
    if not arguments:
        raise FieldError("program", translate("Devices", "The program is missing, with what stands before a command."))
    return {**options, "wrapper": arguments}


def _simulated() -> tuple[FieldSpec, ...]:
    return (
        slots(1),
        FieldSpec(
            name="speed",
            label=translate("Devices", "Speed"),
            sort=ValueType.NUMBER,
            default=1.0,
            unit=translate("Devices", "times as fast as estimated"),
        ),
        FieldSpec(
            name="failure_rate",
            label=translate("Devices", "Failures"),
            sort=ValueType.NUMBER,
            default=0.0,
            unit=translate("Devices", "of all attempts, 0 to 1"),
        ),
        FieldSpec(
            name="seed",
            label=translate("Devices", "Seed"),
            sort=ValueType.WHOLE,
            default=0,
            unit=translate("Devices", "another one lets other attempts fail"),
        ),
    )


DESCRIBED: Final[Mapping[str, Callable[[], tuple[FieldSpec, ...]]]] = {
    "local": _local,
    "ssh": _ssh,
    "dask": _dask,
    "wrapped": _wrapped,
    "acp": _acp,
    "aip": _aip,
    "llm": _llm,
    "simulated": _simulated,
}
"""The fields of each kind, from top to bottom, without those that every device has."""
ADAPTED: Final[Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]]] = {"local": _place_of, "wrapped": _wrapper_of}
"""Makes the options of the values that were given; a `FieldError` refuses them."""


def as_fields(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a device as the fields of its kind have them: the inverse of `ADAPTED`."""
    wrapper = options.get("wrapper")
    if isinstance(wrapper, list | tuple):
        return {**options, "wrapper": OTHER, "program": shlex.join(wrapper)}
    return dict(options)
