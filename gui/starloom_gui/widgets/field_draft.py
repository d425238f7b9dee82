"""What is typed into one field and not sent yet, while its value may be changed by others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

from starloom_gui.text.words import tip, translate

if TYPE_CHECKING:
    from starloom_gui.viewmodel.task_fields import FieldValue


class FieldSurface(Protocol):
    """The editor a field's value is typed or chosen in."""

    def text(self) -> str:
        """What stands there."""

    def put(self, words: str, /) -> None:
        """Have this stand there, with nothing to take back."""

    def set_hint(self, words: str, /) -> None:
        """Have this read where nothing stands."""

    def lock(self, reason: str, /) -> None:
        """Let nothing be edited, and say why; empty: it can be."""

    def remind(self, words: str, /) -> None:
        """Say something at its edge; empty: nothing."""

    def is_active(self) -> bool:
        """Whether the keyboard is in it."""

    def setAccessibleName(self, name: str, /) -> None:  # noqa: N802 - Qt's
        """What it is called."""

    def setToolTip(self, words: str, /) -> None:  # noqa: N802 - Qt's
        """What is said under the pointer."""


class FieldDraft(QObject):
    """The draft of a field's value. Leaving the field sends it, except what a run that goes on would execute.

    Of a task that has ended a new value runs it again: only Return asks for that, never leaving the field.

    While the field has the keyboard, or holds what was typed and not sent, nothing is written into it; what the value
    has become meanwhile is told by `news`. `finish` then overwrites that, `take` takes it, and leaving does neither.

    Args:
        surface: the editor; the draft ends with it.
        parent: of the draft, mostly the editor.

    Attributes:
        seen: the revision in which its author saw the value.
        reminder: what is said at the field while it holds what was not sent; empty: that Enter sends it.

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
        self.seen, self.reminder = 0, ""
        self._written = ""
        self._latest: FieldValue | None = None
        self._revision = 0
        self._sent: tuple[str, str] | None = None
        self._other: str | None = None
        self._lock = ""

    # ---- what there is

    @property
    def text(self) -> str:
        """What stands in the field."""
        return self._surface.text()

    @property
    def is_edited(self) -> bool:
        """Whether something was typed that has not been sent."""
        return self._surface.text() != self._written

    @property
    def is_in_use(self) -> bool:
        """Whether its author is at the field, or has typed something that was not sent."""
        return self._surface.is_active() or self.is_edited

    @property
    def is_locked(self) -> bool:
        """Whether nothing can be sent."""
        return self._latest is not None and bool(self._latest.locked)

    @property
    def waits(self) -> bool:
        """Whether leaving the field does not send what was typed."""
        return self._latest is not None and self._latest.by_enter

    @property
    def runs_again(self) -> bool:
        """Whether a new value also runs its task again."""
        return self._latest is not None and self._latest.again and not self._latest.locked

    @property
    def other(self) -> str | None:
        """What the value has become while this field was in use; None: it is what its author saw."""
        return self._other

    @property
    def lock(self) -> str:
        """Why what was typed can be sent no more; empty: it can, or nothing was typed."""
        return self._lock if self.is_edited else ""

    # ---- being told

    def show_value(self, value: FieldValue, revision: int) -> None:
        """Show a value, unless the field is in use: then only tell what it has become.

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
        if not is_first and (self._surface.is_active() or (self.is_edited and self._sent is None)):
            self._compare(value)
        else:
            self._write(value)

    def _compare(self, value: FieldValue) -> None:
        """See what has become of the value while the field is in use."""
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
        self._tell(other, value.locked)

    def _tell(self, other: str | None, lock: str) -> None:
        before = self._other, self._lock
        self._other, self._lock = other, lock
        if before != (other, lock) or other is not None or lock:  # how long ago changes, too
            self.news.emit()

    def _write(self, value: FieldValue) -> None:
        """Have a value stand in the field; with it, what could be taken back in the field is gone."""
        self._surface.set_hint(value.hint)
        keys = translate("Inspector", "Enter changes it and runs the task again.") if value.again else ""
        self._surface.setToolTip(tip(value.locked or "\n".join(filter(None, (value.said, keys)))))
        self._surface.remind(value.note)
        self._sent, self._written, self.seen = None, value.text, self._revision
        self._surface.put(value.text)
        self._tell(None, "")

    # ---- its author

    def take(self) -> None:
        """Have the value as it is now stand there, whatever was typed."""
        if self._latest is not None:
            self._sent = None
            self._write(self._latest)
        self.edited.emit()

    def finish(self) -> None:
        """Send what was typed, if anything was; over what it has become meanwhile."""
        if not self.is_locked and (self.is_edited or self._other is not None):
            if self._other is not None:
                self.seen = self._revision  # its author has been told, and wants it all the same
            self.wanted.emit(self._surface.text())

    def enter(self) -> None:
        """Do what Return asks for."""
        if self.runs_again:
            self.again_wanted.emit()
        else:
            self.finish()

    def settle(self) -> None:
        """Send what was chosen, or a row that was ended; of a task that has ended it waits for the others."""
        if self.runs_again:
            self._remind()
        else:
            self.finish()

    def escape(self) -> bool:
        """Take the value as it is now. Whether there was anything to take back."""
        has_any = self.is_edited or self._other is not None
        if has_any:
            self.take()
        return has_any

    def leave(self) -> None:
        """Send what was typed, or say that it waits; its author has gone on."""
        if self.is_edited and (self.runs_again or self.waits):
            self._remind()
        elif self._other is None and self.is_edited:
            self.finish()
        elif self._latest is not None and not self.is_edited and self._sent is None:
            self._write(self._latest)

    def accept(self) -> None:
        """What stands there was sent."""
        before = self._latest.text if self._latest is not None else ""
        self._sent, self._written = (self._surface.text(), before), self._surface.text()
        self._tell(None, self._lock)

    def _remind(self) -> None:
        """Say in the field that it holds what was not sent."""
        if self.is_edited:
            self._surface.remind(self.reminder or translate("Inspector", "Enter: change"))
