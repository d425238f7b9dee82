"""The words about changing a task that has ended and running it again, as one act."""

from __future__ import annotations

from starloom_gui.text.words import translate


def again_words(*, is_edited: bool) -> str:
    """What the button does that changes and retries a task, or why it does nothing now."""
    if not is_edited:
        return translate("FieldsSection", "Type another value first. To try again with the same ones, use Retry.")
    return translate(
        "FieldsSection",
        "The task gets these values and runs again, as one act. Its attempts stay listed; the retry cannot be undone.",
    )
