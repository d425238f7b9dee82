"""The program from its start to the first picture; what takes longer to load than Qt is loaded after that."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QApplication

from starloom.errors import StarloomError
from starloom.settings import journal_path
from starloom_gui import event_loop
from starloom_gui.attachment import Attachment
from starloom_gui.settings import NORMAL_SIZE, Settings
from starloom_gui.shell.frame import WindowFrame, new_appearance
from starloom_gui.shell.program_window import ProgramWindow
from starloom_gui.text import translations

if TYPE_CHECKING:
    from collections.abc import Sequence

_SCALE: Final = "QT_SCALE_FACTOR"


def new_application(language: str = "", size: int = NORMAL_SIZE) -> QApplication:
    """Make Qt's application, which does not quit with its last window, so that runs can be closed first.

    Args:
        language: as `translations.install` takes it.
        size: of everything in its windows, in percent; whoever has set Qt's own variable for that is heeded instead.
    """
    is_chosen = size != NORMAL_SIZE and _SCALE not in os.environ
    if is_chosen:
        os.environ[_SCALE] = str(size / 100)  # Qt reads it once, as the application is made
    application = QApplication(["starloom"])
    if is_chosen:
        del os.environ[_SCALE]  # it is no business of tasks, and another console takes the size that holds by then
    translations.install(application, language)
    application.setApplicationName("Starloom")
    application.setQuitOnLastWindowClosed(False)
    return application


async def live(
    application: QApplication,
    settings: Settings,
    *,
    files: Sequence[str] = (),
    fleet: str = "",
    demo: bool = False,
    attachments: Sequence[Attachment] = (),
) -> None:
    """Show the window, then load and wire all that is behind it; returns once the window is closed.

    Args:
        application: Qt's.
        settings: what is remembered.
        files: to open at once.
        fleet: the fleet file to begin with; empty: the one that was opened or saved last.
        demo: whether to run the demo at once.
        attachments: to the servers whose engines are shown; none: the console has its own.

    Raises:
        SettingsError: the engine's settings cannot be used.
        StarloomError: the first of the servers is not reached.
    """
    window = ProgramWindow(new_appearance(application, settings))
    frame = WindowFrame(application, settings, window.appearance)
    window.add(frame.window, is_own=not attachments)
    await frame.shown()
    from starloom_gui import app  # the engine and numpy take three times as long to load as all that is shown by now

    def new_frame(address: str) -> WindowFrame:
        return WindowFrame(application, Settings(elsewhere=address), window.appearance)

    others = app.ServerConsoles(window, new_frame)
    if attachments:
        await app.live_attached(frame, attachments, others, files)
    else:
        await app.live(frame, others, files=files, fleet=fleet, demo=demo)


def main(argv: Sequence[str] | None = None) -> int:
    """Open the console; returns the exit code."""
    parser = argparse.ArgumentParser(prog="starloom console", description="Open the console.")
    parser.add_argument("files", nargs="*", help="plans, or runs in one file, to open")
    parser.add_argument("--fleet", default="", metavar="FILE", help="devices and limits to begin with; remembered")
    parser.add_argument("--demo", action="store_true", help="run the demo at once")
    parser.add_argument(
        "--attach",
        action="append",
        default=[],
        metavar="SERVER",
        help="show the engine of a server: here, a folder of journals, a machine as ssh takes it, or "
        "ssh://user@host:port/folder; given again, that of another one beside it",
    )
    parser.add_argument("--as", default="", dest="name", metavar="NAME", help="with --attach: in whose name")
    parser.add_argument("--watch", action="store_true", help="with --attach: change nothing")
    given = parser.parse_args(argv)
    if given.attach and (given.fleet or given.demo):
        parser.error("--fleet and --demo are about an engine of the console's own, and --attach shows another one")
    try:
        settings = Settings(elsewhere=next(iter(given.attach), ""))
        application = new_application(settings.language, settings.size)
        attachments = [Attachment(address, given.name, given.watch) for address in dict.fromkeys(given.attach)]
        how = {"files": given.files, "fleet": given.fleet, "demo": given.demo, "attachments": attachments}
        event_loop.run(live(application, settings, **how))
        tell_what_may_still_run()
    except StarloomError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def tell_what_may_still_run() -> None:
    """Print where commands may still run that count as ended, as their machine could not be told to end them."""
    from starloom_gui.gateway.unattended import farewell  # it is there by now; loaded first, it would delay the window

    if sys.stderr is not None:  # a program without a terminal has none
        sys.stderr.write(farewell(journal_path()))
