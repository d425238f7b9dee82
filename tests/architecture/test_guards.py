"""The guards of tests/conftest.py catch what they are there for."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OFFENDERS = """
import asyncio, gc, logging, subprocess, sys, threading
import pytest
from hypothesis import given, strategies

released = threading.Event()
child = []

def test_thread():
    threading.Thread(target=released.wait, daemon=True).start()

def test_task():
    async def main():
        global kept
        kept = asyncio.create_task(asyncio.Event().wait())
        await asyncio.sleep(0)
    asyncio.run(main())

def test_child():
    child.append(subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE))

def test_after_the_child():
    child[0].communicate()

def test_log():
    logging.getLogger("somewhere").warning("something is odd")

@pytest.mark.expects_log
def test_expected_log(caplog):
    logging.getLogger("somewhere").warning("something is odd")
    assert "something is odd" in caplog.text

def test_harmless_log():
    logging.getLogger("somewhere").info("all is well")

def test_thawing():
    gc.unfreeze()

def test_after_the_thawing():
    assert gc.get_freeze_count() > 1000

@given(strategies.integers())
def test_property(n):
    assert n == n

def test_clean():
    async def main():
        await asyncio.gather(asyncio.create_task(asyncio.sleep(0)), asyncio.to_thread(int))
    asyncio.run(main())
    subprocess.run([sys.executable, "-c", ""], check=True)
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()

def test_warning():
    import warnings
    warnings.warn("careful")
"""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """How pytest ended each of the offenders, and why: one run for all of them."""
    folder = tmp_path_factory.mktemp("guards")
    guards = (ROOT / "tests" / "conftest.py").read_text()
    (folder / "conftest.py").write_text(guards.replace("SETTLING_SECONDS = 2.0", "SETTLING_SECONDS = 0.3"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    (folder / "test_offenders.py").write_text(OFFENDERS)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "-rA", "test_offenders.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    found: dict[str, set[str]] = {}
    for word, test, rest in re.findall(r"^(PASSED|FAILED|ERROR) \S+::(\w+)(.*)$", done.stdout, re.MULTILINE):
        found.setdefault(test, set()).add(f"{word}{rest}")
    assert len(found) == OFFENDERS.count("def test_"), done.stdout + done.stderr
    return found


@pytest.mark.parametrize(
    ("test", "reason"),
    [
        ("test_thread", "threads left behind"),
        ("test_task", "asyncio tasks left running"),
        ("test_child", "child processes left behind"),
        ("test_log", "unexpected log lines"),
    ],
)
def test_what_is_left_behind_is_an_error(outcomes: dict[str, set[str]], test: str, reason: str) -> None:
    errors = [line for line in outcomes[test] if line.startswith("ERROR")]
    assert len(errors) == 1
    assert reason in errors[0]


def test_a_warning_is_a_failure(outcomes: dict[str, set[str]]) -> None:
    assert [line.split()[0] for line in outcomes["test_warning"]] == ["FAILED"]


@pytest.mark.parametrize(
    "test",
    [
        *("test_expected_log", "test_harmless_log", "test_property", "test_clean", "test_after_the_child"),
        *("test_thawing", "test_after_the_thawing"),
    ],
)
def test_what_is_clean_passes(outcomes: dict[str, set[str]], test: str) -> None:
    assert outcomes[test] == {"PASSED"}
