"""The pages on which what waits for a person is answered. A note stays with its request while others are looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from starloom_gui.panels.approval_page import ApprovalPage
from starloom_gui.panels.gate_page import GatePage
from starloom_gui.panels.question_page import QuestionPage
from starloom_gui.panels.waiting import APPROVAL, GATE, QUESTION

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtWidgets import QLineEdit

    from starloom.scheduling.read.run_view import RunView
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.panels.open_requests import OpenRequests
    from starloom_gui.panels.waiting import Waiting
    from starloom_gui.theme.palette import Palette
    from starloom_gui.widgets.entry_list import Key

RequestPage: TypeAlias = ApprovalPage | GatePage | QuestionPage


class RequestPages:
    """The pages of proposals, gates and questions, of which one shows the request that is chosen.

    Args:
        requests: what waits.
        colours: gives the palette.
        gateway: who is asked.

    Attributes:
        approval, gate, question: the pages.
    """

    def __init__(self, requests: OpenRequests, colours: Callable[[], Palette], gateway: CommandGateway) -> None:
        self._requests = requests
        self.approval = ApprovalPage(colours, gateway)
        self.gate = GatePage(gateway)
        self.question = QuestionPage(colours, gateway)
        self._shown: Key = ()
        self.approval.bar.answered.connect(lambda _, note: requests.note_answer(self._shown, note))
        self.gate.bar.answered.connect(lambda _, note: requests.note_answer(self._shown, note))
        self.question.answered.connect(lambda note: requests.note_answer(self._shown, note))

    def show(self, run: RunView, key: Key, now: float) -> RequestPage | None:
        """Show a request as it is now, with what is typed for it; None: it is none, and no page has it.

        Args:
            run: that it is of.
            key: of the request.
            now: seconds on the engine's clock.
        """
        if is_other := key != self._shown:
            self._keep_note()
        ended, waiting = self._requests.ended.get(key), self._requests.waiting.get(key)
        page = self._page_of(key) if ended is not None or waiting is not None else None
        if waiting is not None:
            self._show_waiting(run, key, waiting, now)
        elif page is not None and ended is not None:
            page.show_ended(ended)
        self._shown = key
        if is_other and (field := self._note_field()) is not None:
            field.setText(self._requests.notes.pop(key, ""))
        return page

    @property
    def unsent(self) -> list[tuple[Waiting, str]]:
        """The requests that wait with a note which is typed and not sent, and the notes."""
        field = self._note_field()
        noted = {**self._requests.notes, **({self._shown: field.text()} if field is not None else {})}
        return [(one, note) for key, one in self._requests.waiting.items() if (note := noted.get(key, ""))]

    def restore(self, notes: Mapping[Key, str]) -> None:
        """Have notes of an earlier session stand in their fields, as far as these are empty."""
        self._requests.notes |= notes
        field = self._note_field()
        if field is not None and not field.text():
            field.setText(self._requests.notes.pop(self._shown, ""))

    def _show_waiting(self, run: RunView, key: Key, waiting: Waiting, now: float) -> None:
        subject: Any = key[1]
        match key[0]:
            case "approval":
                assert run.cycles is not None, "who proposes has been asked"
                self.approval.show_approval(run, run.cycles.approvals[subject], waiting, now)
            case "gate":
                self.gate.show_gate(run, subject[0], subject[1], waiting, now)
            case "question":
                self.question.show_question(run, subject, waiting, now)

    def _page_of(self, key: Key) -> RequestPage | None:
        pages: dict[str, RequestPage] = {APPROVAL: self.approval, GATE: self.gate, QUESTION: self.question}
        return pages.get(key[0]) if key else None

    def _note_field(self) -> QLineEdit | None:
        page = self._page_of(self._shown)
        return None if page is None else page.note if isinstance(page, QuestionPage) else page.bar.note

    def _keep_note(self) -> None:
        """Keep what is typed for what is shown, or asked anew, unless that was answered here."""
        field, shown = self._note_field(), self._shown
        key = shown if shown in self._requests.waiting else self._requests.asked_anew(shown)
        if key and field is not None and (text := field.text()):
            self._requests.notes[key] = text
