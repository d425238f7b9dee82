"""The words about changing tasks that have ended and running them again, as one act."""

from __future__ import annotations

from starloom_gui.text.words import translate


def again_words(*, is_edited: bool, count: int) -> str:
    """What the button does that changes and retries so many tasks, or why it does nothing now."""
    if not is_edited:
        return translate("FieldsSection", "Type another value first. To try again with the same ones, use Retry.")
    if count > 1:
        return translate(
            "FieldsSection",
            "All of them get these values and run again, as one act. Their attempts stay listed;"
            " the retry cannot be undone.",
        )
    return translate(
        "FieldsSection",
        "The task gets these values and runs again, as one act. Its attempts stay listed; the retry cannot be undone.",
    )
