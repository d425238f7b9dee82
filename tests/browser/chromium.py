"""A headless Chromium, driven over a pipe by the DevTools protocol: no port, no driver, no package.

What a page does that a report must not do is noted: what it asks the network for, runs, or complains about.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import signal
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import psutil

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
NAMED: Final = "STARLOOM_BROWSER"
"""The variable that names another one."""
BOUND: Final = 120.0
"""Seconds in which anything here must have happened, on a slow machine too."""
WIDTH: Final = 1_000
_OPTIONS: Final = (
    *("--headless", "--remote-debugging-pipe", "--disable-gpu", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars"),
    f"--window-size={WIDTH},1400",
)
_COMPLAINTS: Final = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")


def installed() -> str | None:
    """The browser's program; None: there is none that could be driven."""
    if sys.platform == "win32":  # which has no such pipes
        return None
    named = os.environ.get(NAMED)
    return named or next((found for name in NAMES if (found := shutil.which(name))), None)


@dataclass
class Page:
    """A page that has been opened.

    Attributes:
        requests: what it asked for besides itself.
        complaints: what stands on its console.
        dialogs: what it asked the user.
        told: what `Browser.open` was to find out about it.
        picture: it as a whole, as a PNG.
        printed: it as it is printed, as a PDF.
    """

    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)
    told: Any = None
    picture: bytes = b""
    printed: bytes = b""


class Browser:
    """One browser; see `browser`."""

    def __init__(self, reads: int, writes: int) -> None:
        self._reads, self._writes = reads, writes
        self._number = 0
        self._rest = b""
        self._heard: list[dict[str, Any]] = []

    def open(self, url: str, question: str, *, is_dark: bool = False) -> Page:
        """Open a page in a tab of its own and find out about it.

        Args:
            url: where it is.
            question: a JavaScript expression that is asked once it is loaded; its value has to be JSON.
            is_dark: whether the system is.
        """
        page = Page()
        target = self._ask("Target.createTarget", {"url": "about:blank"})["targetId"]
        session = self._ask("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._ask(f"{domain}.enable", session=session)
        self._heard.clear()
        scheme = {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}
        self._ask("Emulation.setEmulatedMedia", {"features": [scheme]}, session)
        self._ask("Page.navigate", {"url": url}, session)
        self._until("Page.loadEventFired", page, session)
        asked = {"expression": question, "returnByValue": True}
        page.told = self._ask("Runtime.evaluate", asked, session)["result"].get("value")
        shot = self._ask("Page.captureScreenshot", {"captureBeyondViewport": True}, session)
        page.picture = base64.b64decode(shot["data"])
        printed = self._ask("Page.printToPDF", {"preferCSSPageSize": True, "printBackground": True}, session)
        page.printed = base64.b64decode(printed["data"])
        self._note(page)
        page.requests = [one for one in page.requests if one != url]
        self._ask("Target.closeTarget", {"targetId": target})
        return page

    def _until(self, method: str, page: Page, session: str) -> None:
        while not any(one.get("method") == method for one in self._heard):
            self._heard.append(self._next())
            if self._heard[-1].get("method") == "Page.javascriptDialogOpening":
                self._ask("Page.handleJavaScriptDialog", {"accept": False}, session)
        self._note(page)

    def _note(self, page: Page) -> None:
        for one in self._heard:
            method, given = one.get("method", ""), one.get("params", {})
            if method == "Network.requestWillBeSent":
                page.requests.append(given["request"]["url"])
            elif method == "Page.javascriptDialogOpening":
                page.dialogs.append(given["message"])
            elif method in _COMPLAINTS:
                page.complaints.append(json.dumps(given)[:500])
        self._heard.clear()

    def _ask(self, method: str, given: dict[str, Any] | None = None, session: str = "") -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": given or {}}
        os.write(self._writes, json.dumps(message | ({"sessionId": session} if session else {})).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, (method, answer["error"])
                result: dict[str, Any] = answer["result"]
                return result
            self._heard.append(answer)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._reads], [], [], BOUND)
            assert ready, f"the browser has said nothing for {BOUND} s"
            data = os.read(self._reads, 1 << 20)
            assert data, "the browser has ended"
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        return message


@contextmanager
def browser(program: str, folder: Path) -> Iterator[Browser]:
    """A browser with nothing in its profile, ended afterwards.

    Args:
        program: which one.
        folder: of its own, for its profile and for what it says.
    """
    theirs_in, ours_out = (_high(end) for end in os.pipe())
    ours_in, theirs_out = (_high(end) for end in os.pipe())
    options = [*_OPTIONS, f"--user-data-dir={folder / 'profile'}", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    said = str(folder / "said.txt")
    actions = [
        (os.POSIX_SPAWN_OPEN, 1, said, os.O_WRONLY | os.O_CREAT, 0o600),
        (os.POSIX_SPAWN_DUP2, 1, 2),
        (os.POSIX_SPAWN_DUP2, theirs_in, 3),
        (os.POSIX_SPAWN_DUP2, theirs_out, 4),
    ]
    child = os.posix_spawn(program, [program, *options], os.environ, file_actions=actions, setpgroup=0)
    os.close(theirs_in)
    os.close(theirs_out)
    try:
        yield Browser(ours_in, ours_out)
    finally:
        os.close(ours_out)  # which ends it
        _gone(child)
        os.close(ours_in)


def _high(descriptor: int) -> int:
    """The same end of a pipe under a number that is none of those the browser takes."""
    import fcntl  # not on Windows, where nothing of this is called

    made = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 50)
    os.close(descriptor)
    return made


def _gone(child: int) -> None:
    process = psutil.Process(child)
    try:
        process.wait(10)
    except psutil.TimeoutExpired:
        os.killpg(child, signal.SIGKILL)
        process.wait()
