"""Offers to put devices into a plan that was saved without them: elsewhere some of its tasks could not be placed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom_gui.documents.needed_devices import needed_devices, with_devices
from starloom_gui.text.words import fill, plain
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom.model.device import DeviceSpec
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.shell.saving import Saving


class DeviceOffer(QObject):
    """Shows a notice after a plan was saved whose tasks need devices that only this fleet has.

    Args:
        documents: what is open.
        own: gives the devices that the user has added.
        saving: tells which plan was saved, and saves it again.
        report: shows the notice.
        parent: of the object.
    """

    def __init__(
        self,
        documents: OpenDocuments,
        own: Callable[[], Sequence[DeviceSpec]],
        saving: Saving,
        report: Callable[[ErrorMessage], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._documents, self._own, self._saving, self._report = documents, own, saving, report
        self._offered: dict[str, tuple[str, ...]] = {}
        saving.saved_plan.connect(self._offer)

    def _offer(self, key: str) -> None:
        document = self._documents.document(key)
        needed = needed_devices(document.plan, self._own()) if document is not None else None
        if document is None or needed is None or self._offered.get(key, ()) == needed.ids:
            return  # whoever has not taken it once is not asked at each save
        if self._documents.front is None or self._documents.front.key != key:
            return  # as when all plans are saved before the window is closed: it would stand over another one
        self._offered[key] = needed.ids
        if needed.ids:
            sentence = self.tr("%n task(s) can only run on %1, which the plan does not name.", "", needed.tasks)
            put = partial(self._put, key, needed.ids)
            reason, verb = fill(sentence, ", ".join(needed.ids)), self.tr("Put into the plan")
            self._report(ErrorMessage("", reason, verb, put, is_notice=True, of_tab=True))

    def _put(self, key: str, ids: tuple[str, ...]) -> None:
        """Have the plan name these devices, which can be undone, and save it again."""
        document = self._documents.document(key)
        if document is None:
            return
        made, told = with_devices(document.plan, self._own(), ids)
        reason = fill(self.tr("Put devices into the plan: %1"), ", ".join(ids))
        self._documents.change(key, made, reason=reason, is_typed=True)
        said = fill(self.tr("The plan names %1 now; undo takes that back."), ", ".join(ids))
        self._report(ErrorMessage("", " ".join([said, *map(plain, told)]), is_notice=True, of_tab=True))
        self._saving.save(key)
