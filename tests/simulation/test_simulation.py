"""The simulator: a few histories in which every law holds, planted defects that are found, and the exact replay."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from tests.simulation.faults import KINDS, Aim, FaultKind
from tests.simulation.laws import Law
from tests.simulation.planted import DEFECTS
from tests.simulation.simulate import Report, main, simulate

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_WORLDS = 10
COMMANDS = 120


def test_every_law_holds_and_each_is_looked_at() -> None:
    checked: Counter[Law] = Counter()
    for seed in range(3):
        outcome = simulate(seed, COMMANDS)
        assert outcome.broken is None, outcome.story
        assert outcome.commands >= COMMANDS
        assert outcome.struck.total()
        checked += outcome.checked
    assert set(checked) == set(Law) - {Law.DEFECTS}


def worlds_of(name: str) -> Iterator[int]:
    """The seeds of the first worlds in which the kind of fault is frequent by which a defect shows."""
    first = 5 * len(KINDS) + KINDS.index(DEFECTS[name].focus)
    return iter(range(first, first + MOST_WORLDS * len(KINDS), len(KINDS)))


@pytest.mark.parametrize("name", DEFECTS)
def test_a_planted_defect_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    defect = DEFECTS[name]
    monkeypatch.setattr(defect.of, defect.name, defect.wrong)
    found = next(filter(None, (simulate(seed, COMMANDS).broken for seed in worlds_of(name))), None)
    assert found is not None
    assert found in {defect.law, defect.or_else}


def test_there_is_a_planted_defect_for_each_law() -> None:
    assert {defect.law for defect in DEFECTS.values()} == set(Law)


def test_a_seed_comes_out_the_same_in_each_process() -> None:
    told = "from tests.simulation.simulate import simulate; print(simulate(7, 60).trace)"
    programs = [
        subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", told],
            env={**os.environ, "PYTHONHASHSEED": hashes, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        for hashes in ("1", "2")
    ]
    traces = {simulate(7, 60).trace, *(program.communicate()[0].strip() for program in programs)}
    assert len(traces) == 1, traces


def test_another_seed_comes_out_otherwise() -> None:
    assert simulate(7, 20).trace != simulate(8, 20).trace


def test_a_broken_law_is_told_with_the_seed_that_breaks_it_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    defect = DEFECTS["another answer is kept than is told"]
    monkeypatch.setattr(defect.of, defect.name, defect.wrong)
    monkeypatch.setattr("tests.simulation.simulate._prepare", lambda: None)
    assert main(["--seeds", "0", "--commands", "100"]) == 1
    told = capsys.readouterr().out
    assert 'make test-simulation SEEDS=0 ARGS="--commands 100"' in told
    assert Law.ANSWERS in told


def test_a_fault_that_is_aimed_at_an_await_strikes_there_and_all_is_as_before_until_then() -> None:
    plain = simulate(7, 60)
    place = min(plain.places)
    kind = next(one for one in (FaultKind.SLEPT, FaultKind.WALL_JUMPED) if not plain.struck[one, place])
    aim = Aim.read(str(Aim(kind, place)))
    aimed = simulate(7, 60, aim)
    assert aimed.struck[aim]
    assert aimed.broken is None, aimed.story
    assert simulate(7, 60, aim).trace == aimed.trace != plain.trace


def test_what_lacks_is_told_with_a_history_in_which_it_can_strike() -> None:
    report, plain = Report(60), simulate(7, 60)
    report.add(plain)
    lacking = report.lacking(0)
    assert len(lacking) == len(plain.places) * len(KINDS) - len(plain.struck)
    seed, aim = next(one for one in lacking if one[1].kind is FaultKind.SLEPT)
    report.add(simulate(seed, 60, aim), aim)
    assert len(report.lacking(0)) < len(lacking)
    assert (seed, aim) not in report.lacking(0)
    assert report.lacking(1) == []
