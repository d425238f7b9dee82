"""The console's event loop, a `qasync.QEventLoop` that schedules as asyncio does, and its background tasks."""

from starloom_gui.event_loop.background_tasks import BackgroundTasks
from starloom_gui.event_loop.loop import BUDGET, QtEventLoop, run
from starloom_gui.event_loop.slots import OwnsTasks, async_slot

__all__ = ["BUDGET", "BackgroundTasks", "OwnsTasks", "QtEventLoop", "async_slot", "run"]
