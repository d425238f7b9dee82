"""All events of a run, from its journal, for whoever's own log does not have them all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom_gui.time_travel.log import PastLog

if TYPE_CHECKING:
    from starloom_gui.time_travel.travel import Travel


def whole_log(travel: Travel) -> PastLog | None:
    """The events of a run, if they have been read as far as the run is known here.

    None: they are read now, and `travel.changed` says so; or they cannot be, as `trouble_of` says.

    Args:
        travel: reads the journal of the run.
    """
    recording = travel.recording
    if recording is None or not len(recording) or recording.events[-1].seq < travel.reader.present_seq():
        travel.read_up()
        return None
    log = PastLog(recording)
    log.go_to(travel.count)
    return log


def trouble_of(travel: Travel) -> str:
    """Why the journal of a run cannot be read; empty: it can, or nobody has tried."""
    return travel.trouble or (travel.recording.trouble if travel.recording is not None else "")
