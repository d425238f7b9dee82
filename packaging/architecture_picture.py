"""Draws the layers of the engine and of the console from the code. `make architecture` runs it.

Rows and rooms come from the import contracts of `pyproject.toml`, lines from the imports between the modules. A line
that follows from others is left out.
"""

from __future__ import annotations

import argparse
import ast
import tomllib
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import networkx

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    Import: TypeAlias = tuple[str, str]
    """The room that imports, and the room that is imported."""
    Parse: TypeAlias = Callable[[Path], Iterable[tuple[Path, Sequence[ast.AST]]]]
    """What gives each module below a folder with all of its nodes."""
    Slot: TypeAlias = str | tuple[str, str, int]
    """What has a place in a row: a room, or the line of an import on its way through that row."""

ROOT: Final = Path(__file__).parents[1]
SOURCES: Final = {
    "starloom_gui": ROOT / "gui" / "starloom_gui",
    "starloom": ROOT / "engine" / "starloom",
    "starloom.scheduling": ROOT / "engine" / "starloom" / "scheduling",
}
TITLES: Final = {
    "starloom_gui": "console: gui/starloom_gui",
    "starloom": "engine: engine/starloom",
    "starloom.scheduling": "the scheduler: engine/starloom/scheduling",
}
MARKS: Final = {
    "starloom_gui": "holds on to a running engine",
    "starloom": "pure: no loop, clock, thread, process or network",
}
SWEEPS: Final = 24
STRAIGHT: Final = 8
ROW: Final = 42
BOX: Final = 24
GAP: Final = 14
MARGIN: Final = 24
TOP: Final = 56
LEGEND: Final = 62
INK: Final = {"text": "#1F2328", "muted": "#59636E", "line": "#848D97", "edge": "#59636E", "mark": "#D6E9E5"}
FONT: Final = "font-family='DejaVu Sans, Verdana, sans-serif' font-size='12'"


@dataclass(frozen=True, slots=True)
class Layers:
    """The rooms of a package and what they import of each other.

    Attributes:
        package: its name.
        rows: the rooms of each layer, the highest layer first.
        imports: each import between two rooms, and whether it is needed for types only.
        marked: the rooms that a contract says something particular of.
        modules: the rooms that are one module, not a folder.
    """

    package: str
    rows: tuple[tuple[str, ...], ...]
    imports: Mapping[Import, bool]
    marked: frozenset[str]
    modules: frozenset[str]

    def lines(self) -> dict[Import, bool]:
        """The imports that do not follow from others, and whether each is for types only.

        Raises:
            networkx.NetworkXError: rooms import each other in a ring.
        """
        at_run_time = {pair for pair, for_types in self.imports.items() if not for_types}
        needed = dict.fromkeys(networkx.transitive_reduction(networkx.DiGraph(sorted(at_run_time))).edges, False)
        of_all = networkx.transitive_reduction(networkx.DiGraph(sorted(self.imports))).edges
        return dict(sorted((needed | dict.fromkeys(set(of_all) - at_run_time, True)).items()))


def parsed(sources: Path) -> Iterator[tuple[Path, Sequence[ast.AST]]]:
    """Each module below a folder with all of its nodes."""
    for path in sorted(sources.rglob("*.py")):
        yield path, list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def read_layers(
    package: str,
    sources: Path,
    contracts: Mapping[str, Any],
    parse: Parse = parsed,
) -> Layers:
    """Read the layers of a package from its contract, and the imports between its rooms from its modules."""
    contract = next(one for one in contracts.values() if one.get("containers") == [package])
    rows = tuple(tuple(room.strip(" ()") for room in layer.split("|")) for layer in contract["layers"])
    rooms = {room for row in rows for room in row}
    imports: dict[Import, bool] = {}
    for path, nodes in parse(sources):
        room = path.relative_to(sources).parts[0].removesuffix(".py")
        for other, for_types in imported_rooms(nodes, package):
            if room in rooms and other in rooms - {room}:
                imports[room, other] = imports.get((room, other), True) and for_types
    modules = frozenset(room for room in rooms if (sources / f"{room}.py").exists())
    return Layers(package, rows, imports, frozenset(_marked(package, contracts)), modules)


def imported_rooms(nodes: Sequence[ast.AST], package: str) -> Iterator[tuple[str, bool]]:
    """The rooms of the package that a module imports, and whether each import is for types only."""
    guarded = {
        inner
        for node in nodes
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
        for statement in node.body
        for inner in ast.walk(statement)
    }
    for node in nodes:
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            if name.startswith(f"{package}."):
                yield name.removeprefix(f"{package}.").split(".")[0], node in guarded


def _marked(package: str, contracts: Mapping[str, Any]) -> Iterator[str]:
    """The rooms of the engine that are pure; those of the console that may hold on to a running engine."""
    listed = {"starloom": ("pure", "source_modules"), "starloom_gui": ("gateway", "ignore_imports")}
    if package in listed:
        contract, key = listed[package]
        for name in contracts[contract][key]:
            yield name.split(".")[1]


def slots_of(layers: Layers) -> tuple[list[list[Slot]], list[tuple[Slot, Slot]]]:
    """The slots of each row, and the pieces of line between slots of neighbouring rows."""
    rows: list[list[Slot]] = [list(row) for row in layers.rows]
    row_of = {room: number for number, row in enumerate(layers.rows) for room in row}
    pieces: list[tuple[Slot, Slot]] = []
    for start, end in layers.lines():
        above: Slot = start
        for number in range(row_of[start] + 1, row_of[end]):
            below: Slot = (start, end, number)
            rows[number].append(below)
            pieces.append((above, below))
            above = below
        pieces.append((above, end))
    return rows, pieces


def place(rows: list[list[Slot]], pieces: Sequence[tuple[Slot, Slot]]) -> dict[Slot, float]:
    """Order the slots of each row so that few lines cross, and give the middle of each, from 0."""
    near: dict[Slot, list[Slot]] = {slot: [] for row in rows for slot in row}
    for above, below in pieces:
        near[above].append(below)
        near[below].append(above)
    best = [list(row) for row in rows]
    for sweep in range(SWEEPS):
        at = {slot: index - len(row) / 2 for row in rows for index, slot in enumerate(row)}
        in_turn = rows[:: -1 if sweep % 2 else 1]
        for before, row in pairwise(in_turn):
            wanted = {slot: _mean([at[one] for one in near[slot] if one in before], at[slot]) for slot in row}
            row.sort(key=wanted.__getitem__)
            at |= {slot: index - len(row) / 2 for index, slot in enumerate(row)}
        if crossings(rows, pieces) < crossings(best, pieces):
            best = [list(row) for row in rows]
    x = {slot: 0.0 for row in best for slot in row}
    for sweep in range(SWEEPS * 8):
        for row in best[:: -1 if sweep % 2 else 1]:
            wanted = {}
            for slot in row:  # a line on its way bends as little as possible, a room stands amid its lines
                weights = [STRAIGHT if isinstance(slot, tuple) and isinstance(one, tuple) else 1 for one in near[slot]]
                pulled = [x[one] for one, weight in zip(near[slot], weights, strict=True) for _ in range(weight)]
                wanted[slot] = _mean(pulled, x[slot])
            x |= _spread(row, wanted)
    left = min(x[slot] - width(slot) / 2 for slot in x)
    return {slot: middle - left for slot, middle in x.items()}


def crossings(rows: Sequence[Sequence[Slot]], pieces: Iterable[tuple[Slot, Slot]]) -> int:
    """How many pairs of pieces of line cross."""
    where = {slot: (number, index) for number, row in enumerate(rows) for index, slot in enumerate(row)}
    found = [(*where[above], where[below][1]) for above, below in pieces]
    return sum(a[0] == b[0] and (a[1] - b[1]) * (a[2] - b[2]) < 0 for a in found for b in found) // 2


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _spread(row: Sequence[Slot], wanted: Mapping[Slot, float]) -> dict[Slot, float]:
    """The places nearest to those wanted at which slots in this order do not overlap (isotonic regression)."""
    offsets = [0.0]
    for left, right in pairwise(row):
        offsets.append(offsets[-1] + (width(left) + width(right)) / 2 + GAP)
    blocks: list[tuple[float, int]] = []  # the mean and the length of what is pushed together
    for slot, offset in zip(row, offsets, strict=True):
        mean, count = wanted[slot] - offset, 1
        while blocks and blocks[-1][0] > mean:
            before, length = blocks.pop()
            mean, count = (before * length + mean * count) / (length + count), length + count
        blocks.append((mean, count))
    means = [mean for mean, count in blocks for _ in range(count)]
    return {slot: mean + offset for slot, mean, offset in zip(row, means, offsets, strict=True)}


def width(slot: Slot) -> float:
    """How much room a slot takes in its row, in pixels."""
    return 7.6 * len(slot) + 26 if isinstance(slot, str) else 0.0


def draw(all_layers: Sequence[Layers]) -> str:
    """The layers of each package as an SVG, on a ground of its own so that any page may show it.

    Packages stand side by side; one that is a room of the one before stands under it.
    """
    parts: list[str] = []
    left, right, top, below, bottom, outer = 0.0, -float(MARGIN), TOP, 0, 0, ""
    for layers in all_layers:
        rows, pieces = slots_of(layers)
        if outer and layers.package.startswith(f"{outer}."):
            top = below + TOP
        else:
            left, top, outer = right + 2 * MARGIN, TOP, layers.package
        x = {slot: left + middle for slot, middle in place(rows, pieces).items()}
        y = {slot: top + ROW * number for number, row in enumerate(rows) for slot in row}
        title = escape(TITLES[layers.package])
        parts.append(f"<text x='{left:.0f}' y='{top - 22}' font-size='14' font-weight='600'>{title}</text>")
        parts += [_line(above, below, x, y, layers) for above, below in pieces]
        parts += [_box(room, x[room], y[room], layers) for row in layers.rows for room in row]
        right = max(right, *(x[slot] + width(slot) / 2 for slot in x))
        below = top + ROW * len(rows)
        bottom = max(bottom, below)
    total = right + MARGIN
    head = [
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{total:.0f}' height='{bottom + LEGEND:.0f}' {FONT}",
        f"  fill='{INK['text']}' role='img' aria-label='The layers of the console and of the engine'>",
        f"<rect width='{total:.0f}' height='{bottom + LEGEND:.0f}' rx='6' fill='#FFFFFF' stroke='#D5D9DF'/>",
    ]
    return "\n".join([*head, *parts, *_legend(bottom), "</svg>"]) + "\n"


def _line(above: Slot, below: Slot, x: Mapping[Slot, float], y: Mapping[Slot, float], layers: Layers) -> str:
    """A piece of an import's line, from the foot of one row to the head of the next."""
    start = above if isinstance(above, str) else above[0]
    end = below if isinstance(below, str) else below[1]
    dashes = " stroke-dasharray='4 3'" if layers.imports[start, end] else ""
    through = "" if isinstance(below, str) else f"v{BOX}"
    path = f"M{x[above]:.0f} {y[above] + BOX}L{x[below]:.0f} {y[below]}{through}"
    return f"<path d='{path}' fill='none' stroke='{INK['line']}'{dashes}/>"


def _box(room: str, x: float, y: float, layers: Layers) -> str:
    name = f"{room}.py" if room in layers.modules else room
    fill = INK["mark"] if room in layers.marked else "#FFFFFF"
    size = width(room)
    return (
        f"<rect x='{x - size / 2:.0f}' y='{y}' width='{size:.0f}' height='{BOX}' rx='3' fill='{fill}'"
        f" stroke='{INK['edge']}'/><text x='{x:.0f}' y='{y + 16}' text-anchor='middle'>{escape(name)}</text>"
    )


def _legend(y: int) -> list[str]:
    lines = [
        "A room imports only from rows below its own. A line: the room above imports the one below;",
        "what follows from other lines is left out. Dashed: for types only.",
        f"Filled, console: {MARKS['starloom_gui']}. Filled, engine: {MARKS['starloom']}.",
    ]
    return [
        f"<text x='{MARGIN}' y='{y + 8 + 20 * number}' fill='{INK['muted']}'>{escape(line)}</text>"
        for number, line in enumerate(lines)
    ]


def picture(parse: Parse = parsed) -> str:
    """The picture of the code as it is now."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    by_id = {contract["id"]: contract for contract in contracts}
    return draw([read_layers(package, sources, by_id, parse) for package, sources in SOURCES.items()])


def main() -> None:
    """Write the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    output: Path = parser.parse_args().output
    output.write_text(picture(), encoding="utf-8")


if __name__ == "__main__":
    main()
