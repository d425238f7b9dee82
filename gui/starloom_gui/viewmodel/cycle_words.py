"""What happens while agents are asked, and what they may do, in sentences; `event_words` has all other events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starloom import events as ev
from starloom.constellation.edits import KIND_OF
from starloom.model.status import Fence
from starloom_gui.text.words import Counted, fill, plain, tasks, translate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def kind_word(kind: str) -> str:
    """What a kind of edit is called where one chooses among them."""
    return {
        "add_task": translate("Agents", "add tasks"),
        "remove_task": translate("Agents", "remove tasks"),
        "update_task": translate("Agents", "change tasks"),
        "add_dependency": translate("Agents", "add dependencies"),
        "remove_dependency": translate("Agents", "remove dependencies"),
        "update_dependency": translate("Agents", "change dependencies"),
    }.get(kind, kind)


def trust_words(asks: Sequence[str]) -> str:
    """Which of an agent's edits wait for a person."""
    if not asks:
        return translate("Agents", "Its edits are applied at once.")
    if set(asks) == set(KIND_OF.values()):
        return translate("Agents", "All its edits wait for your approval.")
    return fill(translate("Agents", "These wait for your approval: %1."), ", ".join(map(kind_word, asks)))


def _fence_set(event: ev.FenceSet) -> str:
    texts = {
        Fence.GLOBAL: translate("Events", "While agents are asked nothing of the run starts"),
        Fence.DESCENDANTS: translate("Events", "While agents are asked nothing starts that depends on the batch"),
        Fence.NONE: translate("Events", "While agents are asked everything goes on"),
    }
    return texts[event.fence]


def _cycle_opened(event: ev.EditCycleOpened) -> str:
    return fill(translate("Events", "%1 asked about %2"), ", ".join(event.agents), tasks(len(event.task_ids)))


def _agent_answered(event: ev.AgentAnswered) -> str:
    if event.error:
        return fill(translate("Events", "%1 could not answer: %2"), event.agent, plain(event.error))
    if not event.count:
        return fill(translate("Events", "%1 wants no change"), event.agent)
    changes = Counted().changes(event.count)
    if event.is_late:
        return fill(translate("Events", "%1 proposed %2, after its time"), event.agent, changes)
    return fill(translate("Events", "%1 proposed %2"), event.agent, changes)


def _proposal_settled(event: ev.ProposalSettled) -> str:
    if event.is_accepted:
        return fill(translate("Events", "What %1 proposed was applied"), event.agent)
    return fill(translate("Events", "What %1 proposed was refused"), event.agent)


def _cycle_closed(event: ev.EditCycleClosed) -> str:
    texts = {
        "timed_out": translate("Events", "The time to answer was up; the run goes on without %1"),
        "withdrawn": translate("Events", "Nobody is asked about the batch any more"),
        "cancelled": translate("Events", "Nobody is asked any more, as the run is cancelled"),
        "interrupted": translate("Events", "The program ended before everybody had answered"),
    }
    return fill(texts.get(event.how, translate("Events", "Everybody has answered")), ", ".join(event.late))


def _trusted(event: ev.AgentTrusted) -> str:
    return fill(translate("Events", "Agent %1: %2"), plain(event.agent), trust_words(event.asks))


def _approval_answered(event: ev.ApprovalAnswered) -> str:
    texts = {
        "accepted": translate("Events", "Approval %1 was given"),
        "rejected": translate("Events", "Approval %1 was denied"),
        "expired": translate("Events", "The time to answer approval %1 was up"),
    }
    said = fill(texts.get(event.how, translate("Events", "Approval %1 was dropped with the run")), event.approval)
    if event.left_out:
        said = fill(translate("Events", "%1, without %2"), said, Counted().edits(len(event.left_out)))
    return fill("%1: %2", said, plain(event.note)) if event.note else said


CYCLE_TEXTS: Final[dict[type[ev.Event], Callable[[Any], str]]] = {
    ev.FenceSet: _fence_set,
    ev.AgentTrusted: _trusted,
    ev.EditCycleOpened: _cycle_opened,
    ev.AgentAnswered: _agent_answered,
    ev.ProposalSettled: _proposal_settled,
    ev.EditCycleClosed: _cycle_closed,
    ev.ApprovalAnswered: _approval_answered,
}
