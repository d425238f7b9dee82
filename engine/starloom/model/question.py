"""Questions of running tasks to a person, and the answers they get."""

from __future__ import annotations

from typing import Final

import msgspec

KINDS: Final = ("question", "permission")
DETAILS: Final = ("text", "command", "diff")
LONGEST_TEXT: Final = 2_000
LONGEST_DETAIL: Final = 200_000
"""Characters; what is longer nobody reads before answering, and a part of it would not be what is allowed."""
MOST_OPTIONS: Final = 20


class Option(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One of the answers from which a person chooses.

    Attributes:
        id: for whoever asks.
        label: for the person.
        allows: whether it lets the task do what it asks for.
    """

    id: str
    label: str
    allows: bool = True


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a running task asks a person.

    Attributes:
        text: what is asked, as a sentence.
        kind: `question`, or `permission` for something the task is about to do.
        options: the answers there are; none: a text is asked for.
        detail: what it is about: the exact command and directory, or a unified diff.
        detail_kind: `text`, `command` or `diff`.
        alike: questions of one run with the same key, unless it is empty, can be answered together.

    Raises:
        ValueError: it says nothing, or more than a person can be shown, or has answers that cannot be told apart.
    """

    text: str
    kind: str = "question"
    options: tuple[Option, ...] = ()
    detail: str = ""
    detail_kind: str = "text"
    alike: str = ""

    def __post_init__(self) -> None:
        """Refuse what nobody could answer."""
        if self.kind not in KINDS:
            raise ValueError(f"A question is of the kind {' or '.join(KINDS)}, not {self.kind!r}.")
        if self.detail_kind not in DETAILS:
            raise ValueError(f"The detail of a question is {', '.join(DETAILS)}, not {self.detail_kind!r}.")
        if not self.text.strip():
            raise ValueError("A question needs a text that says what is asked.")
        if len(self.options) > MOST_OPTIONS:
            raise ValueError(f"A question has at most {MOST_OPTIONS} options, not {len(self.options)}.")
        ids = [option.id for option in self.options]
        if not all(map(_is_id, ids)) or len(set(ids)) < len(ids):
            raise ValueError(f"Each option of a question needs an id of its own, of characters, not {ids}.")
        said = {"text": self.text, "alike": self.alike} | {
            f"option {one.id}": one.id + one.label for one in self.options
        }
        for name, value in said.items():
            if len(value) > LONGEST_TEXT:
                raise ValueError(
                    f"The {name[:40]} of a question has {len(value):,} characters; {LONGEST_TEXT:,} are the most."
                )
        if len(self.detail) > LONGEST_DETAIL:
            raise ValueError(
                f"The detail of a question has {len(self.detail):,} characters, and nobody reads more than "
                f"{LONGEST_DETAIL:,} before answering."
            )

    def option(self, id: str) -> Option | None:
        """The option of this id; None: there is none."""
        return next((option for option in self.options if option.id == id), None)


class Answer(msgspec.Struct, frozen=True):
    """The answer of a person to a question.

    Attributes:
        option: the id of the option that was chosen; empty: none was.
        note: what the person wrote: the text that was asked for, or why it is rejected, for whoever asked to read.
        allowed: whether the task may do what it asks for.
    """

    option: str = ""
    note: str = ""
    allowed: bool = False


def _is_id(text: str) -> bool:
    """Whether it says something that can be written down: half of a character cannot."""
    return bool(text) and text.isprintable()


def legible(text: str) -> str:
    """The text with all that does not show spelt out, as `⟨U+202E⟩`, so that nobody allows what cannot be seen."""
    return "".join(one if one.isprintable() or one in "\n\t" else f"⟨U+{ord(one):04X}⟩" for one in text)
