"""The words around the fields of a task: labels, help, choices, summaries of parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.model.quantities import NORMAL_PRIORITY, format_duration
from starloom.model.status import Backoff, Join
from starloom_gui.text.field_words import field_word
from starloom_gui.text.words import bypassed_word, fill, plain, priority_word, translate
from starloom_gui.viewmodel.task_specs import FormPart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.model.task import Retry
    from starloom.scheduling.read.run_view import TaskView


def part_word(part: FormPart) -> str:
    """The title of a part of the form."""
    return {
        FormPart.WHAT: translate("Inspector", "What"),
        FormPart.WHERE: translate("Inspector", "Where"),
        FormPart.WHEN: translate("Inspector", "When"),
        FormPart.RETRY: translate("Inspector", "Retry"),
        FormPart.INPUTS: translate("Inspector", "Inputs and environment"),
        FormPart.ABOUT: translate("Inspector", "About"),
    }[part]


def label_of(name: str) -> str:
    """The label of a field."""
    words = {
        "id": translate("Inspector", "Id"),
        "kind": translate("Inspector", "Kind"),
        "command": translate("Inspector", "Command"),
        "shell": translate("Inspector", "Shell"),
        "python": translate("Inspector", "Python"),
        "call": translate("Inspector", "Call"),
        "prompt": translate("Inspector", "Prompt"),
        "expects.schema": translate("Inspector", "Schema"),
        "simulate": translate("Inspector", "Simulate"),
        "simulate.outcome": translate("Inspector", "Outcome"),
        "simulate.fail_attempts": translate("Inspector", "Fails first"),
        "simulate.value": translate("Inspector", "Value"),
        "gate": translate("Inspector", "Gate"),
        "gate.after": translate("Inspector", "Waits for"),
        "gate.then": translate("Inspector", "Then"),
        "device.prefer": translate("Inspector", "Prefers"),
        "groups": translate("Inspector", "Limit group"),
        "files.send": translate("Inspector", "Files sent before"),
        "files.fetch": translate("Inspector", "Files fetched after"),
        "breakpoint": translate("Inspector", "Breakpoint"),
        "bypass.value": translate("Inspector", "Passes on"),
        "retry": translate("Inspector", "Retries"),
        "retry.backoff": translate("Inspector", "Backoff"),
        "retry.delay": translate("Inspector", "Delay"),
        "retry.cap": translate("Inspector", "Longest"),
        "severity": translate("Inspector", "A failure is"),
        "severity.codes": translate("Inspector", "By exit code"),
        "on_interrupt": translate("Inspector", "Interrupted"),
        "env": translate("Inspector", "Environment"),
        "upstream": translate("Inspector", "Parents"),
    }
    return words.get(name) or field_word(name)


def help_of(name: str) -> str:
    """The help of a field, in a sentence; empty: its label says it."""
    return {
        "id": translate("Inspector", "Edges, templates and results name the task by its id, so that it stays."),
        "permissions": translate(
            "Inspector", "What is answered when the agent asks. It confines nothing; commands are never allowed by it."
        ),
        "expects": translate("Inspector", "What its last message ends with; that is its value then."),
        "expects.schema": translate(
            "Inspector",
            "A JSON Schema that the JSON has to fit; else the attempt fails. Empty: any JSON. Paste it here.",
        ),
        "simulate": translate("Inspector", "How long it takes on a device of speed 1."),
        "simulate.fail_attempts": translate("Inspector", "So many attempts fail, whatever the outcome is."),
        "simulate.value": translate("Inspector", "The result of a completed attempt: a value of any kind."),
        "gate.after": translate("Inspector", "How long it waits for an answer; empty: however long it takes."),
        "gate.then": translate("Inspector", "What happens once nobody is waited for any more."),
        "device": translate("Inspector", "The only device it may run on."),
        "device.prefer": translate("Inspector", "A device that is taken when it has a place free."),
        "requires": translate("Inspector", "Capabilities its device must have, with commas between them."),
        "groups": translate("Inspector", "Limits it counts against while it runs, with commas between them."),
        "cwd": translate("Inspector", "The folder it runs in, as seen from its device."),
        "files.send": translate("Inspector", "From: in the folder of the files here. To: as seen from where it runs."),
        "files.fetch": translate("Inspector", "From: as seen from where it ran. To: in the folder of the files here."),
        "timeout": translate("Inspector", "How long an attempt may take, e.g. 90s, 10m or 1h30m."),
        "estimate": translate("Inspector", "How long it is expected to take on a device of speed 1."),
        "join": translate("Inspector", "Which of its parents it waits for."),
        "retry": translate("Inspector", "How many more attempts follow one that failed."),
        "retry.delay": translate("Inspector", "The pause before the second attempt."),
        "retry.cap": translate("Inspector", "The longest pause between two attempts."),
        "severity.codes": translate("Inspector", "What an exit code means: warning, error or critical."),
        "on_interrupt": translate("Inspector", "What becomes of an attempt whose program has ended before it."),
        "inputs": translate("Inspector", "Arguments: values of any kind, and ${…} for the value of a parent."),
        "env": translate(
            "Inspector",
            "Variables besides those of the device; ${fetch.value} is what the parent fetch has returned. "
            "The plan only says where a secret is kept.",
        ),
        "upstream": translate("Inspector", "$STARLOOM_UPSTREAM names a file with what its parents left behind."),
        "breakpoint": translate("Inspector", "It stops where it would start, until somebody lets it go on."),
        "bypass": translate("Inspector", "It completes without running where it would start."),
        "bypass.value": translate("Inspector", "What it completes with; none: what its parents have."),
        "metadata": translate("Inspector", "Anything else: values of any kind."),
    }.get(name, "")


def choices_of(name: str) -> Sequence[tuple[str, str]]:
    """The choices of a field, as values with their names."""
    return {
        "kind": (
            ("command", translate("Inspector", "Command")),
            ("shell", translate("Inspector", "Shell script")),
            ("python", translate("Inspector", "Python function")),
            ("call", translate("Inspector", "Handler of the host program")),
            ("prompt", translate("Inspector", "Prompt for an agent")),
            ("simulate", translate("Inspector", "Simulated")),
            ("gate", translate("Inspector", "Gate: asks a person")),
        ),
        "permissions": permission_choices(),
        "expects": expected_choices(),
        "simulate.outcome": (
            ("completed", translate("Inspector", "completes")),
            ("failed", translate("Inspector", "fails")),
        ),
        "gate.then": (
            ("", translate("Inspector", "nothing")),
            ("proceed", translate("Inspector", "it is approved")),
            ("skip", translate("Inspector", "it is skipped")),
            ("abort", translate("Inspector", "it ends the run")),
        ),
        "join": (
            ("all", translate("Inspector", "all parents")),
            ("any", translate("Inspector", "any parent")),
        ),
        "retry.backoff": (
            ("fixed", translate("Inspector", "same pause")),
            ("linear", translate("Inspector", "grows evenly")),
            ("exponential", translate("Inspector", "doubles")),
        ),
        "severity": (
            ("warning", translate("Inspector", "a warning")),
            ("error", translate("Inspector", "an error")),
            ("critical", translate("Inspector", "critical, ends the run")),
        ),
        "on_interrupt": (
            ("reattach", translate("Inspector", "goes on, else reruns")),
            ("rerun", translate("Inspector", "runs again")),
            ("fail", translate("Inspector", "fails")),
            ("ask", translate("Inspector", "asks")),
        ),
    }[name]


def permission_choices() -> tuple[tuple[str, str], ...]:
    """The policies for requests of agents for permission, as values with their names; empty: the device says it."""
    return (
        ("", translate("Inspector", "as its device says")),
        ("ask", translate("Inspector", "asked each time")),
        ("allow_reads", translate("Inspector", "may read files")),
        ("allow_within_cwd", translate("Inspector", "may change files in its directory")),
        ("reject", translate("Inspector", "all are rejected")),
    )


def expected_choices() -> tuple[tuple[str, str], ...]:
    """What an agent's last message may have to hold, as values with their names; empty: any text."""
    return ("", translate("Inspector", "any text")), ("json", translate("Inspector", "JSON at its end"))


def switch_word(name: str) -> str:
    """The label of a switch."""
    return {
        "breakpoint": translate("Inspector", "before it starts"),
        "bypass": translate("Inspector", "do not run it"),
        "upstream": translate("Inspector", "results as JSON"),
    }[name]


def heads_of(name: str) -> tuple[str, str]:
    """The headings of the two columns of a table."""
    if name.startswith("files"):
        return translate("Inspector", "From"), translate("Inspector", "To")
    if name == "severity.codes":
        return translate("Inspector", "Exit code"), translate("Inspector", "Means")
    return translate("Forms", "Name"), translate("Forms", "Value")


def placeholder(name: str) -> str:
    """The meaning of an empty field."""
    return {
        "device": translate("Inspector", "any"),
        "device.prefer": translate("Inspector", "any"),
        "groups": translate("Inspector", "none"),
        "requires": translate("Inspector", "nothing"),
        "timeout": translate("Inspector", "none"),
        "estimate": translate("Inspector", "none"),
        "cwd": translate("Inspector", "of its device"),
        "gate.after": translate("Inspector", "however long"),
        "retry.delay": translate("Inspector", "none"),
        "retry.cap": translate("Inspector", "none"),
        "expects.schema": translate("Inspector", "any JSON"),
        "simulate.value": translate("Inspector", "none"),
        "bypass.value": translate("Inspector", "what its parents have"),
        "name": translate("Inspector", "its id"),
    }.get(name, "")


# ---- summaries


def summary_of(part: FormPart, shown: TaskView) -> str:
    """The summary of a folded part for a task; empty: all values are usual."""
    task = shown.fields
    if task is None:
        return ""
    if part is FormPart.WHAT:
        return dict(choices_of("kind"))[task.action]
    if part is FormPart.WHERE:
        device = shown.pin or translate("Inspector", "any device")
        if shown.pin is None and task.requires:
            device = fill(translate("Inspector", "any device with %1"), ", ".join(sorted(task.requires)))
        if shown.pin is None and task.preference is not None:
            device = fill(translate("Inspector", "rather %1"), task.preference)
        groups = [fill(translate("Inspector", "group %1"), one) for one in task.groups]
        return " · ".join([device, *groups])
    if part is FormPart.WHEN:
        said = [priority_word(shown.priority)] if shown.priority != NORMAL_PRIORITY else []
        if task.timeout is not None:
            said.append(fill(translate("Inspector", "at most %1"), format_duration(task.timeout)))
        said += [translate("Inspector", "any parent")] if task.join is Join.ANY else []
        return " · ".join([*said, bypassed_word().lower()] if task.is_bypassed else said)
    if part is FormPart.RETRY:
        return retry_words(task.retry) if task.gate is None else ""
    if part is FormPart.INPUTS:
        return ", ".join(map(str, [*task.inputs, *task.env]))
    return plain(task.description) or task.id


def retry_words(retry: Retry) -> str:
    """The number of retries and their pauses: `2 times, back off 5s`."""
    if retry.attempts == 1:
        return translate("Inspector", "none")
    often = translate("Inspector", "once") if retry.attempts == 2 else ""
    often = often or fill(translate("Inspector", "%1 times"), retry.attempts - 1)
    pause = backoff_words(retry)
    return fill(translate("Inspector", "%1, %2"), often, pause) if pause else often


def backoff_words(retry: Retry) -> str:
    """After which pauses it is tried again; empty: at once, or never."""
    if retry.attempts == 1 or not retry.delay:
        return ""
    text = (
        translate("Inspector", "back off %1")
        if retry.backoff is Backoff.FIXED
        else translate("Inspector", "back off from %1")
    )
    return fill(text, format_duration(retry.delay))
