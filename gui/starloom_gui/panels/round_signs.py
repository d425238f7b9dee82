"""The signs before agents and before the outcomes of their rounds; neutral, for hues are for tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom_gui.models.agent_stories import RoundOutcome
from starloom_gui.theme import glyphs
from starloom_gui.theme.glyphs import STATUS
from starloom_gui.theme.status_form import StatusForm

if TYPE_CHECKING:
    from starloom.scheduling.state.cycle_facts import AgentFacts, CycleFacts
    from starloom_gui.theme.drawings import Drawing

_SIGNS: Final[dict[RoundOutcome, Drawing]] = {
    RoundOutcome.THINKING: STATUS[StatusForm.PENDING],
    RoundOutcome.PROPOSED: STATUS[StatusForm.PENDING],
    RoundOutcome.NOTHING: STATUS[StatusForm.WAITING],
    RoundOutcome.FAILED: STATUS[StatusForm.FAILED],
    RoundOutcome.APPLIED: STATUS[StatusForm.COMPLETED],
    RoundOutcome.ACCEPTED: STATUS[StatusForm.COMPLETED],
    RoundOutcome.REFUSED: STATUS[StatusForm.FAILED],
    RoundOutcome.REJECTED: STATUS[StatusForm.FAILED],
    RoundOutcome.WAITING: glyphs.CHANGED,
}


def sign_of(outcome: RoundOutcome) -> Drawing:
    """The sign of an outcome."""
    return _SIGNS.get(outcome, glyphs.REMOVED)


def agent_sign(facts: AgentFacts | None, cycles: CycleFacts | None) -> Drawing:
    """The sign of an agent: thinking, watching, paused, or detached."""
    if facts is None:
        return glyphs.REMOVED
    if facts.paused:
        return glyphs.HELD
    cycle = cycles.cycle if cycles is not None else None
    is_thinking = facts.late or (cycle is not None and facts.name in cycle.waiting)
    return STATUS[StatusForm.PENDING] if is_thinking else STATUS[StatusForm.WAITING]
