"""The draft of one field: text that is typed and not sent yet, while others may change the value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

from starloom_gui.text.words import fill, tip, translate

if TYPE_CHECKING:
    from starloom_gui.viewmodel.task_fields import FieldValue


class FieldSurface(Protocol):
    """The protocol of an editor of a field's value."""

    def text(self) -> str:
        """The text in the editor."""

    def put(self, words: str, /) -> None:
        """Set the text, and clear the undo history."""

    def set_hint(self, words: str, /) -> None:
        """Set the placeholder text."""

    def lock(self, reason: str, /) -> None:
        """Disable editing with a reason; empty: enable it."""

    def remind(self, words: str, /) -> None:
        """Show a reminder at the edge; empty: none."""

    def is_active(self) -> bool:
        """Whether the editor has the keyboard focus."""

    def setAccessibleName(self, name: str, /) -> None:  # noqa: N802 - Qt's
        """Set the accessible name."""

    def setToolTip(self, words: str, /) -> None:  # noqa: N802 - Qt's
        """Set the tooltip."""


class FieldDraft(QObject):
    """The draft of a field's value. Leaving the field sends it, except what a run in progress would execute.

    Of a task that has ended a new value runs it again: only Return asks for that, never leaving the field.

    While the field has the keyboard, or holds what was typed and not sent, nothing is written into it; what the value
    has become meanwhile is told by `news`. `finish` then overwrites that, `take` takes it, and leaving does neither.
    What its own author has undone is written all the same; see `follow`.

    Args:
        surface: the editor; the draft ends with it.
        parent: of the draft, mostly the editor.

    Attributes:
        seen: the revision in which its author saw the value.
        reminder: what is said at the field while it holds what was not sent; empty: that Enter sends it.
        key: the name of the key that sends what is typed.

    Signals:
        wanted(str): this is to be the value.
        again_wanted(): what was typed in this field and in others is to hold, and the task to run again.
        news(): what can be told about the value beside what stands in the field has changed; see `other`.
        edited(): something else stands in the field, or nothing is waiting to be sent any more.
    """

    wanted = Signal(str)
    again_wanted = Signal()
    news = Signal()
    edited = Signal()

    def __init__(self, surface: FieldSurface, parent: QObject) -> None:
        super().__init__(parent)
        self._surface = surface
        self.seen, self.reminder, self.key = 0, "", translate("Inspector", "Enter")
        self._written = ""
        self._latest: FieldValue | None = None
        self._revision = 0
        self._sent: tuple[str, str] | None = None
        self._other: str | None = None
        self._lock = ""
        self._is_left = False
        self._before = ""
        """The value when the text in the field was last sent."""
        self._followed: int | None = None
        """The revision after which the value is written into the field once, though that has the keyboard."""

    # ---- what there is

    @property
    def text(self) -> str:
        """The text in the field."""
        return self._surface.text()

    @property
    def is_edited(self) -> bool:
        """Whether the field has unsent text."""
        return self._surface.text() != self._written

    @property
    def base(self) -> str:
        """The value that was shown when the text in the field was typed."""
        return self._written

    @property
    def is_in_use(self) -> bool:
        """Whether the field has the focus or unsent text."""
        return self._surface.is_active() or self.is_edited

    @property
    def is_locked(self) -> bool:
        """Whether the value cannot be edited."""
        return self._latest is not None and bool(self._latest.locked)

    @property
    def waits(self) -> bool:
        """Whether the text is only sent by Return, and not when the focus leaves."""
        return self._latest is not None and self._latest.by_enter

    @property
    def runs_again(self) -> bool:
        """Whether a new value also runs its task again."""
        return self._latest is not None and self._latest.again and not self._latest.locked

    @property
    def other(self) -> str | None:
        """The value that others have set while the field was in use; None: the value is the one its author saw."""
        return self._other

    @property
    def lock(self) -> str:
        """The reason why the typed text can no longer be sent; empty: it can, or nothing was typed."""
        return self._lock if self.is_edited else ""

    @property
    def is_left(self) -> bool:
        """Whether text that only Return sends stands in the field though its author has left it."""
        return self._is_left and self.is_edited

    # ---- being told

    def show_value(self, value: FieldValue, revision: int) -> None:
        """Show a value, unless the field is in use, which only reports the new value.

        Args:
            value: as it is now.
            revision: of the run, as of which it is so.
        """
        if value == self._latest and self._sent is None and not self.is_in_use:
            self.seen = self._revision = revision
            return
        is_first = self._latest is None
        self._latest, self._revision = value, revision
        self._surface.setAccessibleName(value.label)
        self._surface.lock(value.locked)
        if self._is_followed(value):
            self._write(value)
        elif not is_first and (self._surface.is_active() or (self.is_edited and self._sent is None)):
            self._compare(value)
        else:
            self._write(value)

    def _is_followed(self, value: FieldValue) -> bool:
        if self.is_edited:
            self._followed = None  # what is typed there by now counts for more
        if self._followed is None:
            return False
        changes = value.text != self._written
        if changes or self._revision > self._followed:
            self._followed = None
        return changes

    def _compare(self, value: FieldValue) -> None:
        """Compare a new value with the field, which is in use."""
        other: str | None = None
        typed = self._surface.text()
        if self._sent is not None:
            sent, before = self._sent
            if value.text != before and typed == sent:  # what was sent has come true, perhaps in other words
                self._write(value)
                return
            if value.text != before:
                self._sent, self._written = None, value.text
        if self.is_edited and value.text == typed:
            self._write(value)
            return
        if value.text not in (self._written, typed) and self._sent is None:
            other = value.text
        elif value.text == self._written:
            self.seen = self._revision
        was_locked = bool(self.lock)
        self._tell(other, value.locked)
        if was_locked and not value.locked and not self._surface.is_active():
            self.remind()  # else it would look as if it had been set

    def _tell(self, other: str | None, lock: str) -> None:
        before = self._other, self._lock
        self._other, self._lock = other, lock
        if before != (other, lock) or other is not None or lock:  # how long ago changes, too
            self.news.emit()

    def _write(self, value: FieldValue) -> None:
        """Write a value into the field, which clears its undo history."""
        self._surface.set_hint(value.hint)
        keys = fill(translate("Inspector", "%1 changes it and retries."), self.key) if value.again else ""
        self._surface.setToolTip(tip(value.locked or "\n".join(filter(None, (value.said, keys)))))
        self._surface.remind(value.note)
        self._sent, self._written, self.seen = None, value.text, self._revision
        self._surface.put(value.text)
        self._set_left(False)
        self._tell(None, "")

    # ---- its author

    def take(self) -> None:
        """Discard the typed text, and show the present value."""
        if self._latest is not None:
            self._sent = None
            self._write(self._latest)
        self.edited.emit()

    def resume(self, base: str) -> None:
        """Treat the text in the field as typed earlier, when this was the value: what others have set since is told."""
        latest = self._latest
        if latest is not None and latest.text not in (base, self._surface.text()):
            self._written = base
            self._tell(latest.text, latest.locked)
        self.remind()

    def follow(self) -> None:
        """Have the next change written into the field, unless something is typed there: its author has asked for it."""
        self._followed = self._revision

    def forget_sent(self) -> None:
        """Wait no longer for what was sent to come true: the field is about other tasks now, whose value counts."""
        if self._sent is not None and not self.is_edited:
            self._sent = None
            self.follow()

    def finish(self) -> None:
        """Send the typed text, if there is any, even if others have changed the value meanwhile."""
        if not self.is_locked and (self.is_edited or self._other is not None):
            if self._other is not None:
                self.seen = self._revision  # its author has been told, and wants it all the same
            self.note_sending()
            self.wanted.emit(self._surface.text())

    def note_sending(self) -> None:
        """Note the value before what is typed is sent; see `accept`."""
        self._before = self._latest.text if self._latest is not None else ""

    def enter(self) -> None:
        """Handle Return: send the text, or run the task again with it."""
        if self.runs_again:
            self.again_wanted.emit()
        else:
            self.finish()

    def settle(self) -> None:
        """Send a chosen value or a completed row; for a task that has ended it waits for Return."""
        if self.runs_again:
            self.remind()
        else:
            self.finish()

    def escape(self) -> bool:
        """Discard the typed text; returns whether there was anything to discard."""
        has_any = self.is_edited or self._other is not None
        if has_any:
            self.take()
        return has_any

    def leave(self) -> None:
        """Handle the loss of focus: send the typed text, or show that it waits."""
        if self.is_edited and (self.runs_again or self.waits):
            self.remind()
        elif self._other is None and self.is_edited:
            self.finish()
        elif self._latest is not None and not self.is_edited and self._sent is None:
            self._write(self._latest)

    def accept(self) -> None:
        """Mark the text in the field as sent. It may have come true already, as in a plan."""
        if self._latest is not None and self._latest.text != self._before:
            self._write(self._latest)
            return
        self._sent, self._written = (self._surface.text(), self._before), self._surface.text()
        self._set_left(False)
        self._tell(None, self._lock)

    def remind(self) -> None:
        """Show that the field has unsent text, if it has; of a locked field, that it was not set."""
        if self.is_locked:
            self._tell(self._other, self._latest.locked if self._latest is not None else "")
        elif self.is_edited:
            self._surface.remind(self.reminder or translate("Inspector", "Enter: change"))
            self._set_left(True)

    def _set_left(self, is_left: bool) -> None:
        if is_left is not self._is_left:
            self._is_left = is_left
            self.news.emit()
