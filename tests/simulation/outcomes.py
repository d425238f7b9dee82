"""What came of a simulated history."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.simulation.faults import FaultKind, Place
    from tests.simulation.laws import Law


@dataclass
class Outcome:
    """What came of a world.

    Attributes:
        seed: of it.
        commands: how many were given.
        accepted: how many of them were carried out.
        steps: how often a program went on from one await to the next.
        struck: how often each kind of fault struck at each place.
        places: how often programs stood at each place.
        checked: how often each law was checked.
        trace: a hash of all that was committed, answered and broken.
        broken: the law that is; None: all hold.
        story: how that was found out.
    """

    seed: int
    commands: int = 0
    accepted: int = 0
    steps: int = 0
    struck: Counter[tuple[FaultKind, Place]] = field(default_factory=Counter)
    places: Counter[Place] = field(default_factory=Counter)
    checked: Counter[Law] = field(default_factory=Counter)
    trace: str = ""
    broken: Law | None = None
    story: str = ""
