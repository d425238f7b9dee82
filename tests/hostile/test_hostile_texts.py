"""Plans, graphs, scripts and fleet files, however changed, are read or refused with a sentence; see `cases`."""

from __future__ import annotations

import json
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree

import pytest
from tests.driver import RUN
from tests.hostile.cases import BATCH, batches, posix, starloom, watched
from tests.hostile.forging import mutated
from tests.hostile.texts import DOT, FLEET, SIMULATED, letters_lost, nasty_plan
from tests.unit.reporting.story import steered

from starloom.errors import PlanError
from starloom.formats import dump_plan, load_plan, parse_plan
from starloom.formats.files import load_fleet
from starloom.formats.script import check_script, dump_script, load_script
from starloom.reporting.scripting import scripted
from starloom_resources.demo import demo_plan

if TYPE_CHECKING:
    from pathlib import Path

CONTROLS: Final = frozenset(map(chr, (*range(9), 11, 12, *range(14, 32), 127)))


def _plan_text(form: str) -> str:
    text = dump_plan(demo_plan(), form)
    return text if form == "yaml" else json.dumps(json.loads(text), indent=1)


@posix
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    ("form", "first"),
    [
        (form, first)
        for form, number in (("yaml", 2_000), ("json", 500), ("wfformat", 500), ("ufo", 500))
        for first in batches(number)
    ],
)
def test_mutated_plans(form: str, first: int, tmp_path: Path) -> None:
    text = _plan_text(form)
    assert parse_plan(text, form).tasks
    path = tmp_path / f"plan.{'yaml' if form == 'yaml' else 'json'}"
    for seed in range(first, first + BATCH):
        with watched(seed):
            path.write_text(mutated(text, Random(seed)), encoding="utf-8", errors="surrogatepass")
            starloom(seed, "validate", path)
            starloom(seed, "convert", path, tmp_path / "out.json", "--from", form)
            assert {one.name for one in tmp_path.iterdir()} <= {path.name, "out.json"}


# ---- texts of other formats


@posix
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("first", batches(500))
def test_mutated_dot(first: int, tmp_path: Path) -> None:
    texts = dump_plan(demo_plan(), "dot"), DOT
    path = tmp_path / "plan.dot"
    for seed in range(first, first + BATCH):
        random = Random(seed)
        with watched(seed):
            text = random.choice(texts)
            path.write_text(letters_lost(mutated(text, random), random), encoding="utf-8", errors="surrogatepass")
            starloom(seed, "validate", path)
            starloom(seed, "convert", path, tmp_path / "out.json", "--from", "dot")
            assert {one.name for one in tmp_path.iterdir()} <= {path.name, "out.json"}


@posix
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("form", ["yaml", "json"])
@pytest.mark.parametrize("first", batches(500))
def test_mutated_scripts(first: int, form: str, tmp_path: Path) -> None:
    plan, path = tmp_path / "plan.yaml", tmp_path / f"script.{form}"
    plan.write_text(SIMULATED, encoding="utf-8")
    text = dump_script(scripted(RUN, steered()), form)
    text = json.dumps(json.loads(text), indent=1) if form == "json" else text
    path.write_text(text, encoding="utf-8")
    assert load_script(path).entries
    for seed in range(first, first + BATCH):
        with watched(seed):
            path.write_text(mutated(text, Random(seed)), encoding="utf-8", errors="surrogatepass")
            try:
                script = load_script(path)
            except PlanError:
                starloom(seed, "run", plan, "--script", path, "--durability", "off")  # which says what is wrong
                continue
            with suppress(PlanError):
                check_script(script, load_plan(plan), str(path))
            path.write_text(dump_script(script, form), encoding="utf-8")
            assert load_script(path) == script, f"seed {seed}: it is another script when it is read again"
            assert {one.name for one in tmp_path.iterdir()} == {plan.name, path.name}


@posix
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("first", batches(500))
def test_mutated_fleet_files(first: int, tmp_path: Path) -> None:
    plan, path = tmp_path / "plan.yaml", tmp_path / "fleet.yaml"
    plan.write_text(SIMULATED, encoding="utf-8")
    path.write_text(FLEET, encoding="utf-8")
    assert load_fleet(path)[0]
    for seed in range(first, first + BATCH):
        with watched(seed):
            path.write_text(mutated(FLEET, Random(seed)), encoding="utf-8", errors="surrogatepass")
            starloom(seed, "plan", plan, "--fleet", path, "--json")
            assert {one.name for one in tmp_path.iterdir()} == {plan.name, path.name}


@posix
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("first", batches(500))
def test_what_is_written_of_any_plan_is_read_again(first: int, tmp_path: Path) -> None:
    """GraphML, Mermaid and DOT of plans whose names nobody would choose are such documents, with all tasks."""
    source = tmp_path / "plan.json"
    for seed in range(first, first + BATCH):
        random = Random(seed)
        with watched(seed):
            source.write_text(json.dumps(nasty_plan(random)), encoding="utf-8")
            code, said = starloom(seed, "validate", source)
            if code:
                assert said
                continue
            tasks = len(load_plan(source).tasks)
            for ending in ("graphml", "mmd", "dot", "ufo.json", "wf.json"):
                starloom(seed, "convert", source, tmp_path / f"x.{ending}")
            if (written := tmp_path / "x.graphml").exists():
                nodes = ElementTree.parse(written).iter("{http://graphml.graphdrawing.org/xmlns}node")
                assert sum(1 for _ in nodes) == tasks, f"seed {seed}: tasks of the GraphML"
            if (written := tmp_path / "x.dot").exists():
                assert len(load_plan(written).tasks) == tasks, f"seed {seed}: tasks of the DOT"
            for written in tmp_path.glob("x.*"):
                text = written.read_text(encoding="utf-8")
                assert not set(text) & CONTROLS, f"seed {seed}: {written.name} holds control characters"
                written.unlink()
