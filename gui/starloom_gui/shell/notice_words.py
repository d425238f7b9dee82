"""The words of notices: their titles and details, and the names of their kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom.model.status import RunState
from starloom_gui.shell.notice import OF_TASKS, NoticeKind
from starloom_gui.text.words import Plurals, end_words, fill, translate

if TYPE_CHECKING:
    from starloom_gui.shell.notice import Notice


def kind_word(kind: NoticeKind) -> str:
    """The name of a kind of notice, as in the settings."""
    return {
        NoticeKind.FAILED: translate("Notices", "Tasks that fail for good"),
        NoticeKind.ENDED: translate("Notices", "Runs that end"),
        NoticeKind.STALLED: translate("Notices", "Runs that cannot go on"),
        NoticeKind.LOST: translate("Notices", "Devices lost while tasks run there"),
        NoticeKind.WARNED: translate("Notices", "Tasks that warn or are overdue"),
        NoticeKind.WAITING: translate("Notices", "What waits for you: agents' edits, gates"),
        NoticeKind.QUIET: translate("Notices", "Tasks that print nothing for long"),
    }[kind]


class _NoticePlurals(QObject):
    """Counts with their nouns; see `words.Plurals`."""

    def failed(self, count: int) -> str:
        return self.tr("%n task(s) failed", "", count)

    def warned(self, count: int) -> str:
        return self.tr("%n warning(s) of tasks", "", count)

    def quiet(self, count: int) -> str:
        return self.tr("%n task(s) print nothing", "", count)

    def running(self, count: int) -> str:
        return self.tr("%n task(s) ran there", "", count)

    def run_on(self, count: int) -> str:
        return self.tr("%n task(s) run(s|) there", "", count)

    def proposals(self, count: int) -> str:
        return self.tr("%n proposal(s)", "", count)

    def done(self, count: int) -> str:
        return self.tr("%n done", "", count)

    def did_fail(self, count: int) -> str:
        return self.tr("%n failed", "", count)


def title_of(notice: Notice) -> str:
    """The title of a notice: the event in a few words, in the past tense if it was a state and is over."""
    is_over = notice.is_over
    if notice.kind is NoticeKind.FAILED:
        one = fill(translate("Notices", "%1 failed"), *notice.names[:1])
        return one if notice.count == 1 else _NoticePlurals().failed(notice.count)
    if notice.kind is NoticeKind.WARNED:
        one = fill(translate("Notices", "%1: a warning"), *notice.names[:1])
        return one if notice.count == 1 else _NoticePlurals().warned(notice.count)
    if notice.kind is NoticeKind.QUIET:
        silent = translate("Notices", "%1 printed nothing") if is_over else translate("Notices", "%1 prints nothing")
        return fill(silent, *notice.names[:1]) if notice.count == 1 else _NoticePlurals().quiet(notice.count)
    if notice.kind is NoticeKind.LOST:
        away = translate("Notices", "%1 was unreachable") if is_over else translate("Notices", "%1 is unreachable")
        return fill(away if notice.is_waited_for else translate("Notices", "%1 was lost"), *notice.names)
    if notice.kind is NoticeKind.WAITING:
        waits = translate("Notices", "%1 waited for you") if is_over else translate("Notices", "%1 waits for you")
        return fill(waits, *notice.names)
    if notice.kind is NoticeKind.STALLED:
        stuck = translate("Notices", "%1 could not go on") if is_over else translate("Notices", "%1 cannot go on")
        return fill(stuck, notice.run)
    is_any_done, simulated = notice.done > 0, notice.simulated
    words = end_words(notice.state, notice.failed, notice.cancelled, is_any_done=is_any_done, simulated=simulated)
    return fill(translate("Notices", "%1 has ended: %2"), notice.run, words)


def detail_of(notice: Notice) -> str:
    """The second line of a notice: where and why."""
    counted = _NoticePlurals()
    if notice.kind in OF_TASKS:
        more = "" if notice.count <= len(notice.names) else ", …"
        said = notice.why if notice.count == 1 else ", ".join(notice.names) + more
    elif notice.is_waited_for:
        return counted.running(notice.count) if notice.is_over else counted.run_on(notice.count)
    elif notice.kind is NoticeKind.LOST:
        said = counted.running(notice.count)
    elif notice.kind is NoticeKind.WAITING:
        said = notice.why if notice.count == 1 else counted.proposals(notice.count)
    elif notice.kind is NoticeKind.STALLED:
        return notice.why
    else:
        count = Plurals().warnings if notice.state is RunState.COMPLETED else counted.did_fail
        return ", ".join([counted.done(notice.done), *([count(notice.failed)] if notice.failed else [])])
    return fill(translate("Notices", "%1: %2"), notice.run, said) if said else notice.run
