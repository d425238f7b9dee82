"""What says that an engine cannot do anything now: one for the engine in this process, one for those elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom_gui.composition.journal_halt import JournalHalt
from starloom_gui.composition.link_loss import LinkLoss
from starloom_gui.gateway.local_engine import LocalEngine
from starloom_gui.gateway.remote_engine import RemoteEngine

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QObject

    from starloom_gui.gateway.bridge import Bridge
    from starloom_gui.gateway.engine import Engine
    from starloom_gui.widgets.message_bar import MessageBar


def outage_of(
    engine: Engine, bridge: Bridge, strip: MessageBar, changed: Callable[[], object], parent: QObject
) -> JournalHalt | LinkLoss:
    """What watches an engine.

    Args:
        engine: which one.
        bridge: is to read everything anew once it goes on.
        strip: says that it does not.
        changed: is called whenever that changes.
        parent: of the object.
    """
    if isinstance(engine, LocalEngine):
        return JournalHalt(engine.orchestrator, bridge, strip, changed, parent)
    assert isinstance(engine, RemoteEngine), "there are two kinds"
    return LinkLoss(engine.follower, bridge, strip, changed, parent)
