"""The functions that the demo's tasks run here: they read parts of Python's library and compile them in memory.

Each step prints in colours, takes about as many seconds as it is told, returns a small JSON value and writes nothing.
Imports the standard library only, as it is loaded once for every task.
"""

from __future__ import annotations

import ast
import hashlib
import os
import time
from importlib.metadata import distributions
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_FILES: Final = 12
"""Of one package so many are looked at."""
GREEN, YELLOW, RED, BLUE, BOLD, DIM = "32", "33", "31", "34", "1", "2"
COMPILER_FAILED: Final = 2
"""The exit code where something does not compile."""

_T = TypeVar("_T")


def inventory(packages: Sequence[str], seconds: float) -> dict[str, int]:
    """Count the files and lines of packages."""
    found = {"files": 0, "lines": 0}
    for package in _paced(packages, seconds):
        texts = [_text(path) for path in _sources([package])]
        lines = sum(text.count("\n") for text in texts)
        _say(f"{_ink(package, BLUE):<20} {len(texts):3} files {lines:7,} lines")
        found["files"] += len(texts)
        found["lines"] += lines
    return found


def style(packages: Sequence[str], longest: int, seconds: float) -> dict[str, int]:
    """Count the lines that are longer than `longest`."""
    too_long = 0
    for path in _paced(_sources(packages), seconds):
        count = sum(len(line) > longest for line in _text(path).splitlines())
        _say(f"{_short(path)}: {_ink('ok', GREEN) if not count else _ink(f'{count} long lines', YELLOW)}")
        too_long += count
    return {"too_long": too_long}


def lint(packages: Sequence[str], seconds: float) -> dict[str, int]:
    """Count the functions without a docstring."""
    silent = 0
    for path in _paced(_sources(packages), seconds):
        tree = ast.parse(_text(path))
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        count = sum(ast.get_docstring(node) is None for node in functions)
        _say(f"{_short(path)}: {_ink(f'{count} of {len(functions)}', YELLOW if count else GREEN)} without a docstring")
        silent += count
    return {"silent": silent}


def docs(packages: Sequence[str], seconds: float) -> dict[str, int]:
    """Read the first line of each module's docstring."""
    pages = 0
    for path in _paced(_sources(packages), seconds):
        text = ast.get_docstring(ast.parse(_text(path))) or "says nothing of itself"
        _say(f"{_ink(path.stem, BOLD)}: {text.splitlines()[0]}")
        pages += 1
    return {"pages": pages}


def licences(seconds: float) -> dict[str, int]:
    """Read the licences of the installed packages."""
    found = sorted({(_name(one.metadata), _licence(one.metadata)) for one in distributions()})[:MOST_FILES]
    for name, licence in _paced(found, seconds):
        _say(f"{_ink(name, BLUE)}: {licence}")
    return {"packages": len(found)}


def build(packages: Sequence[str], seconds: float, drafts: Sequence[str] = ()) -> dict[str, Any]:
    """Compile packages in memory, and after them the draft of this attempt; the last draft serves all later ones.

    Raises:
        SystemExit: the draft does not compile; the compiler's message has been printed.
    """
    digest, modules, size = hashlib.sha256(), 0, 0
    for path in _paced(_sources(packages), seconds):
        code = compile(_text(path), str(path), "exec", dont_inherit=True)
        _say(f"{_ink('CC', GREEN)} {_short(path)}  {_ink(f'{len(code.co_code):,} bytes', DIM)}")
        digest.update(code.co_code)
        modules, size = modules + 1, size + len(code.co_code)
    if drafts:
        _compile_draft(drafts[min(_attempt(), len(drafts)) - 1])
        modules += 1
    return {"modules": modules, "bytes": size, "digest": digest.hexdigest()}


def link(parts: Sequence[dict[str, Any]], seconds: float) -> dict[str, Any]:
    """Link what was compiled."""
    digest = hashlib.sha256()
    for part in _paced(parts, seconds):
        digest.update(part["digest"].encode())
        _say(f"{_ink('LD', BLUE)} {part['modules']} modules, {part['bytes']:,} bytes")
    _say(_ink("linked", GREEN))
    return {"bytes": sum(part["bytes"] for part in parts), "digest": digest.hexdigest()}


def coverage(suites: Sequence[dict[str, Any]], seconds: float) -> dict[str, float]:
    """Compute the mean coverage of the suites."""
    for suite in _paced(suites, seconds):
        lines = suite["lines"]
        _say(f"{_ink('#' * round(lines * 12), GREEN if lines > 0.8 else YELLOW)} {lines:.0%}")
    return {"lines": round(sum(suite["lines"] for suite in suites) / len(suites), 3)}


def size(images: Sequence[dict[str, Any]], seconds: float) -> dict[str, int]:
    """Compare the sizes of images."""
    for image in _paced(images, seconds):
        _say(f"{image['digest'][:12]}  {image['bytes']:9,} bytes")
    return {"difference": images[0]["bytes"] - images[-1]["bytes"]}


def sign(image: dict[str, Any], seconds: float) -> dict[str, str]:
    """Hash an image's digest many times over."""
    signature = str(image["digest"])
    for part in _paced(range(1, 5), seconds):
        for _ in range(10_000):
            signature = hashlib.sha256(signature.encode()).hexdigest()
        _say(f"round {part}: {_ink(signature[:16], DIM)}")
    return {"signature": signature}


def bisect(changes: int, first_bad: int, seconds: float) -> dict[str, int]:
    """Find the first change of a file after which it does not compile, by compiling."""
    good, bad = 0, changes
    steps = max(1, changes.bit_length())
    for _ in _paced(range(steps), seconds):
        if bad - good > 1:
            middle = (good + bad) // 2
            compiles = _compiles("\n".join("x = (" if at == first_bad else f"x = {at}" for at in range(1, middle + 1)))
            _say(f"change {middle:3}: {_ink('good', GREEN) if compiles else _ink('bad', RED)}")
            good, bad = (middle, bad) if compiles else (good, middle)
    _say(f"{_ink(f'change {bad}', BOLD)} is the first that does not compile")
    return {"first_bad": bad, "blamed": bad - good}


def gate(covered: float, milliamps: float, seconds: float) -> dict[str, bool]:
    """Check the requirements of the release.

    Raises:
        SystemExit: it does not.
    """
    checks = {f"{covered:.0%} of the lines covered": covered >= 0.8, f"{milliamps} mA drawn": milliamps <= 20}
    for words, holds in _paced(list(checks.items()), seconds):
        _say(f"{_ink('open', GREEN) if holds else _ink('shut', RED)}  {words}")
    if not all(checks.values()):
        raise SystemExit(1)
    return {"open": True}


def collect(boards: Sequence[str], seconds: float) -> dict[str, int]:
    """Report for each board that its log is present."""
    for board in _paced(boards, seconds):
        _say(f"{_ink(board, BLUE)}: log of {_now()}")
    return {"logs": len(boards)}


def report(built: dict[str, int], covered: float, seconds: float) -> str:
    """Write one sentence about the release, a word at a time."""
    text = f"{built['files']} files, {built['lines']:,} lines, {covered:.0%} of them covered."
    for word in _paced(text.split(), seconds):
        print(word, end=" ", flush=True)  # noqa: T201 - what a task prints is its output
    _say("")
    return text


# ---- what the steps share


def _paced(items: Sequence[_T], seconds: float) -> Iterator[_T]:
    """Yield the items, spread evenly over a time."""
    begun = time.monotonic()
    for number, item in enumerate(items, 1):
        yield item
        time.sleep(max(0.0, begun + seconds * number / len(items) - time.monotonic()))


def _sources(packages: Sequence[str]) -> list[Path]:
    """The Python files of packages; none of an installed package without its sources."""
    found: list[Path] = []
    for package in packages:
        spec = find_spec(package)
        for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
            found += sorted(Path(folder).glob("*.py"))[:MOST_FILES]
    return found


def _compile_draft(draft: str) -> None:
    try:
        compile(draft, "draft.py", "exec", dont_inherit=True)
    except SyntaxError as error:
        _say(f"{_ink('draft.py', BOLD)}:{error.lineno}: {_ink('error:', RED)} {error.msg}")
        _say(f"    {(error.text or '').rstrip()}")
        _say(_ink("    " + " " * ((error.offset or 1) - 1) + "^", RED))
        raise SystemExit(COMPILER_FAILED) from None
    _say(f"{_ink('CC', GREEN)} draft.py")


def _compiles(text: str) -> bool:
    try:
        compile(text, "change.py", "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True


def _attempt() -> int:
    return int(os.environ.get("STARLOOM_ATTEMPT", "1"))


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def _short(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def _name(metadata: Any) -> str:
    return str(metadata["Name"] or "unnamed")


def _licence(metadata: Any) -> str:
    text = metadata.get("License-Expression") or metadata.get("License") or "not told"
    return str(text).splitlines()[0][:60]


def _now() -> str:
    return time.strftime("%H:%M:%S")


def _ink(text: str, code: str) -> str:
    return f"\x1b[{code}m{text}\x1b[0m"


def _say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 - what a task prints is its output
