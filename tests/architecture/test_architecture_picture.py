"""The picture in ARCHITECTURE.md is drawn from the code as it is, with all imports and which are for types only."""

from __future__ import annotations

import ast
import importlib.util
import sys
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
from tests.sources import CONSOLE, ENGINE, ROOT, parsed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from types import ModuleType

CONTRACTS = {
    "layers": {"containers": ["starloom"], "layers": ["(top)", "left | right", "middle", "base"]},
    "pure": {"source_modules": ["starloom.base"]},
}
MODULES = {
    "top/a.py": "import starloom.left.b\nfrom starloom import middle\nimport starloom.base",
    "left/b.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from starloom.middle import c",
    "right/d.py": "import asyncio",
    "middle/c.py": "def late():\n    from starloom.base import VALUE",
    "base.py": "VALUE = 1",
}


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"starloom_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module


tool = load(ROOT / "packaging" / "architecture_picture.py")


def modules(folder: Path) -> Iterator[tuple[Path, Sequence[ast.AST]]]:
    """Each module below a folder of the engine or the console with its nodes, as the tool parses them."""
    for path, source in parsed(CONSOLE if folder == CONSOLE else ENGINE).items():
        if path.is_relative_to(folder):
            yield path, source.nodes


@pytest.fixture(scope="module")
def picture() -> str:
    """The picture of the code as it is."""
    drawn: str = tool.picture(modules)
    return drawn


@pytest.fixture
def layers(tmp_path: Path) -> Any:
    """A small engine of which each import is known."""
    for name, text in MODULES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tool.read_layers("starloom", tmp_path, CONTRACTS)


def test_the_picture_is_as_the_code_is(picture: str) -> None:
    kept = (ROOT / "docs" / "architecture.svg").read_text(encoding="utf-8")
    assert kept == picture, "the rooms or their imports have changed: `make architecture` draws them anew"


def test_the_picture_shows_every_room_and_is_shown(picture: str) -> None:
    texts = [element.text for element in ElementTree.fromstring(picture).iter() if element.tag.endswith("text")]
    for sources in tool.SOURCES.values():
        rooms = {path.name for path in sources.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
        assert rooms - {"__init__.py"} <= set(texts)
    assert "](docs/architecture.svg)" in (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")


def test_rows_are_those_of_the_contract_and_lines_the_imports(layers: Any) -> None:
    assert layers.rows == (("top",), ("left", "right"), ("middle",), ("base",))
    assert layers.modules == {"base"}
    assert layers.marked == {"base"}
    assert layers.imports == {
        ("top", "left"): False,
        ("top", "middle"): False,
        ("top", "base"): False,
        ("left", "middle"): True,
        ("middle", "base"): False,
    }


def test_lines_that_follow_from_others_are_left_out_and_types_do_not_hide_what_runs(layers: Any) -> None:
    assert layers.lines() == {
        ("top", "left"): False,
        ("top", "middle"): False,
        ("left", "middle"): True,
        ("middle", "base"): False,
    }
    assert tool.draw([layers]).count("stroke-dasharray") == 1


def test_what_is_imported_once_at_run_time_is_not_for_types_only() -> None:
    lines = ("import starloom.a.b", "if TYPE_CHECKING:", "    import starloom.a.c", "else:", "    import starloom.d")
    text = "\n".join(lines)
    assert sorted(tool.imported_rooms(list(ast.walk(ast.parse(text))), "starloom")) == [
        ("a", False),
        ("a", True),
        ("d", False),
    ]


def test_boxes_of_a_row_do_not_overlap(picture: str) -> None:
    boxes = [box.attrib for box in ElementTree.fromstring(picture).iter() if box.tag.endswith("rect")][1:]
    spans = sorted((int(box["y"]), int(box["x"]), int(box["x"]) + int(box["width"])) for box in boxes)
    assert all(one[0] < other[0] or one[2] < other[1] for one, other in pairwise(spans))
