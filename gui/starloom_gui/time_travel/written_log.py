"""The events of a run that its journal has, also those that came before the window knew of the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom_gui.time_travel.log import PastLog

if TYPE_CHECKING:
    from starloom_gui.time_travel.travel import Travel


def written_log(travel: Travel) -> PastLog | None:
    """All events of a journal, if it has been read as far as the run is known here.

    None: it is read now, and `Travel.changed` says so; or it cannot be, as `Travel.trouble` says.
    """
    read = travel.recording
    if read is None or not len(read) or read.events[-1].seq < travel.reader.present_seq():
        travel.read_ahead()
        return None
    log = PastLog(read)
    log.go_to(len(read))
    return log
