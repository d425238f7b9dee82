"""Builds the console as a program of its own, which needs no Python: `dist/starloom/`. `make package` runs it.

On Linux, icons and the entry for menus lie in `dist/starloom/share`, to be copied into `~/.local/share` or
`/usr/local/share`.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from icons import SIZES

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parent
ICONS: Final = ROOT / "build" / "icons"
PROGRAM: Final = ROOT / "dist" / "starloom"


def main() -> int:
    """Build it and say where it is; returns the exit code."""
    subprocess.run([sys.executable, HERE / "icons.py", ICONS], check=True)
    options = [
        "--noconfirm",
        "--log-level=WARN",
        f"--distpath={PROGRAM.parent}",
        f"--workpath={ROOT / 'build' / 'frozen'}",
    ]
    built = subprocess.run(
        [sys.executable, "-m", "PyInstaller", *options, HERE / "starloom.spec"], cwd=ROOT, check=False
    )
    if built.returncode:
        sys.stderr.write("package: PyInstaller could not build the program; the lines above say why.\n")
        return 1
    if sys.platform.startswith("linux"):
        add_entry(PROGRAM / "share")
    size = sum(file.stat().st_size for file in PROGRAM.rglob("*") if file.is_file() and not file.is_symlink())
    sys.stdout.write(f"The program is {PROGRAM / 'starloom'}, with all it needs {size / 1e6:.0f} MB.\n")
    return 0


def add_entry(share: Path) -> None:
    """Put the entry for menus and its icons where a desktop looks for them below a `share`."""
    applications, icons = share / "applications", share / "icons" / "hicolor"
    applications.mkdir(parents=True, exist_ok=True)
    shutil.copy(HERE / "linux" / "starloom.desktop", applications)
    for name, file in [(f"{size}x{size}", f"starloom-{size}.png") for size in SIZES] + [("scalable", "starloom.svg")]:
        place = icons / name / "apps"
        place.mkdir(parents=True, exist_ok=True)
        shutil.copy(ICONS / file, place / f"starloom{Path(file).suffix}")


if __name__ == "__main__":
    sys.exit(main())
