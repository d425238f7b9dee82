"""Facts about agents and edit cycles as plain values for checkpoints, and back: see `facts`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import asdict

from starloom.decodable import decodable
from starloom.journal.values import edit_to_plain, edits_from_plain
from starloom.model.agent_terms import EditScope, OnConflict
from starloom.scheduling.state.cycle_facts import AgentFacts, Approval, Cycle, CycleFacts, Deferral, Proposed

if TYPE_CHECKING:
    from collections.abc import Mapping


def cycles_to_plain(cycles: CycleFacts | None) -> dict[str, Any] | None:
    """All the facts as plain values, except edits, which keep their journal form.

    Raises:
        NotKeepable: an edit holds something that is no plain value.
    """
    if cycles is None:
        return None
    cycle = cycles.cycle
    approvals = cycles.approvals.values()
    return asdict(cycles) | {
        "agents": [asdict(agent) for agent in cycles.agents.values()],
        "cycle": None if cycle is None else asdict(cycle) | {"answers": [_proposed(one) for one in cycle.answers]},
        "approvals": [asdict(approval) | {"proposed": _proposed(approval.proposed)} for approval in approvals],
        "deferrals": [asdict(one) | {"proposed": _proposed(one.proposed)} for one in cycles.deferrals.values()],
    }


def _proposed(proposed: Proposed) -> dict[str, Any]:
    return asdict(proposed) | {"edits": [edit_to_plain(edit) for edit in proposed.edits]}


def cycles_from_plain(plain: Mapping[str, Any] | None) -> CycleFacts | None:
    """The facts from the values of `cycles_to_plain`.

    Raises:
        ValueError, TypeError, KeyError: they are none.
    """
    if plain is None:
        return None
    agents = msgspec.convert(plain["agents"], decodable(list[AgentFacts]))
    approvals = [Approval(**_with_proposal(one)) for one in plain["approvals"]]
    apart = {"agents", "cycle", "approvals", "deferrals"}
    rest = {name: value for name, value in plain.items() if name not in apart}
    facts = msgspec.convert(rest, decodable(CycleFacts))
    facts.agents = {agent.name: agent for agent in agents}
    facts.approvals = {approval.number: approval for approval in approvals}
    deferrals = [Deferral(**_with_proposal(one)) for one in plain.get("deferrals", ())]
    facts.deferrals = {one.number: one for one in deferrals}
    facts.cycle = None if plain["cycle"] is None else _cycle(plain["cycle"])
    return facts


def _proposal(plain: Mapping[str, Any]) -> Proposed:
    edits, scope, on_conflict = edits_from_plain(plain["edits"]), plain.get("scope"), plain.get("on_conflict")
    lists = {name: tuple(plain.get(name, ())) for name in ("asks", "ends")}
    return Proposed(
        **{
            **plain,
            **lists,
            "edits": edits,
            "scope": None if scope is None else msgspec.convert(scope, decodable(EditScope)),
            "on_conflict": None if on_conflict is None else OnConflict(on_conflict),
        }
    )


def _with_proposal(plain: Mapping[str, Any]) -> dict[str, Any]:
    return {**plain, "tasks": tuple(plain["tasks"]), "proposed": _proposal(plain["proposed"])}


def _cycle(plain: Mapping[str, Any]) -> Cycle:
    names = {name: tuple(plain[name]) for name in ("tasks", "agents", "waiting")}
    return Cycle(**{**plain, **names, "answers": tuple(_proposal(one) for one in plain["answers"])})
