"""Other programs beside ours on graphs of shell commands that do nothing but note that they ran."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.benchmarks.peers_engines import Peer, compared, run_peer

from starloom.testing import independent, layered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.benchmarks.peers_child import Parents

CHILD: Final = Path(__file__).with_name("peers_commands_child.py")
AT_ONCE: Final = 8
ROUNDS: Final = 3
NOTE: Final = (
    f"{AT_ONCE} at once; of each the fastest round counts. Ours keeps record of every command on disk, and they\n"
    "outlive it; asyncio, make and parallel do neither. make, parallel and snakemake are timed with their start."
)


@dataclass(frozen=True, slots=True)
class Size:
    """How many commands: `commands` of `independent`, and `layers` of `width` each."""

    commands: int
    layers: int
    width: int

    def graphs(self, share: float = 1.0) -> dict[str, Parents]:
        """Of each command the parents, which come before it.

        Args:
            share: the part of it that a slow program gets.
        """
        plans = {
            "independent": independent(max(4, round(self.commands * share))),
            "layers": layered(max(2, round(self.layers * share)), self.width),
        }
        return {name: [sorted(parents) for parents in plan.index.parents] for name, plan in plans.items()}


FULL: Final = Size(1_000, 50, 20)
TINY: Final = Size(8, 2, 4)
PEERS: Final = (
    Peer("asyncio"),
    Peer("GNU make"),
    Peer("GNU parallel"),
    Peer("snakemake", ("snakemake",), share=0.2),
    Peer("hyperqueue", ("hyperqueue",)),
)


def report(environment: Path, *, tiny: bool = False, peers: Sequence[Peer] = PEERS) -> tuple[str, list[dict[str, Any]]]:
    """The table of all programs, and their figures."""
    size, rounds = (TINY, 1) if tiny else (FULL, ROUNDS)

    def run(python: Path, peer: Peer) -> dict[str, Any]:
        return run_peer(python, [peer.name, str(AT_ONCE), str(rounds)], size.graphs(peer.share), child=CHILD)

    return compared(environment, peers, run, NOTE)
