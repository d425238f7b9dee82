"""A journal of which a part is lost: every format says so where a reader cannot miss it, and says nothing otherwise."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
from tests.driver import RUN
from tests.unit.reporting.story import steered

from starloom.reporting import csv as tables
from starloom.reporting import trace
from starloom.reporting.blocks import arranged
from starloom.reporting.folding import build
from starloom.reporting.standing import as_it_stands
from starloom.reporting.svg import graph_svg, timeline_svg

if TYPE_CHECKING:
    from starloom.reporting.report import Report

DAMAGE = "Row 33 of the journal <r> is damaged & cannot be read. " + "Salvage what came before it. " * 20
SHOWN = "Row 33 of the journal <r> is damaged & cannot be read."


def told(damage: str = DAMAGE) -> Report:
    return as_it_stands(build(RUN, steered()[:30]), is_held=False, damage=damage)


def rows(write: Any, source: Any, *more: Any) -> list[dict[str, str]]:
    text = io.StringIO(newline="")
    write(source, text, *more)
    return list(csv.DictReader(io.StringIO(text.getvalue(), newline="")))


@pytest.mark.parametrize("draw", [timeline_svg, lambda report: graph_svg(report, arranged(report))])
def test_a_drawing_has_the_damage_over_it(draw: Any) -> None:
    sound, damaged = (ElementTree.fromstring(draw(report).encode()) for report in (told(""), told()))
    lines = [one.text or "" for one in damaged.iter("{http://www.w3.org/2000/svg}text")]
    shown = " ".join(lines)
    assert "A part of this run is lost." in shown
    assert SHOWN in shown
    assert SHOWN not in " ".join(one.text or "" for one in sound.iter())
    assert float(damaged.get("height", "")) > float(sound.get("height", ""))
    bottom = float(damaged.get("height", ""))
    assert all(0 < float(one.get("y", "")) < bottom for one in damaged.iter("{http://www.w3.org/2000/svg}text"))


def test_no_line_of_the_damage_is_wider_than_its_drawing() -> None:
    root = ElementTree.fromstring(graph_svg(told(), arranged(told())).encode())
    width = float(root.get("width", ""))
    lines = [one.text or "" for one in root.iter("{http://www.w3.org/2000/svg}text")]
    assert max(len(line) for line in lines if "damaged" in line or "Salvage" in line) * 6.3 <= width


def test_tables_end_in_a_row_that_tells_the_damage() -> None:
    last = rows(tables.write_tasks, told())[-1]
    assert (last["task"], last["status"]) == ("", "unknown")
    assert SHOWN in last["message"]
    assert len(rows(tables.write_tasks, told())) == len(told().tasks) + 1
    last = rows(tables.write_attempts, told())[-1]
    assert (last["task"], last["status"]) == ("", "unknown")
    assert SHOWN in last["message"]
    last = rows(tables.write_events, steered()[:30], lambda: DAMAGE)[-1]
    assert last["event"] == "JournalDamaged"
    assert SHOWN in last["what"]


def test_tables_of_a_sound_journal_have_no_such_row() -> None:
    assert len(rows(tables.write_tasks, told(""))) == len(told("").tasks)
    assert len(rows(tables.write_attempts, told(""))) == len(told("").attempts)
    assert len(rows(tables.write_events, steered(), lambda: "")) == len(steered())


def test_the_damage_of_a_stream_is_asked_for_once_it_was_read() -> None:
    """Who reads a journal knows what is wrong with it only where it ends."""
    found: list[str] = []

    def events() -> Any:
        yield from steered()[:3]
        found.append(DAMAGE)

    assert rows(tables.write_events, events(), lambda: "".join(found))[-1]["event"] == "JournalDamaged"


def test_a_trace_ends_in_a_mark_that_tells_the_damage() -> None:
    text = io.StringIO()
    trace.write(told(), text)
    made = json.loads(text.getvalue())
    assert SHOWN in made["otherData"]["damage"]
    (mark,) = [entry for entry in made["traceEvents"] if entry.get("cat") == "damage"]
    assert mark["ph"] == "i"
    assert mark["s"] == "g"
    assert mark["ts"] == told().seconds * 1e6
    assert SHOWN in mark["args"]["why"]
    text = io.StringIO()
    trace.write(told(""), text)
    assert "damage" not in text.getvalue()
