"""The events of edits to the graph, and of agents that are asked to edit it: one entry a kind."""

from __future__ import annotations

from typing import Final

from starloom import events as ev
from starloom.model.agent_terms import OnConflict
from starloom.model.status import Fence
from starloom_gui.specs import notes
from starloom_gui.specs.edit_words import edited
from starloom_gui.specs.event_spec import EventSort, EventSpec, about
from starloom_gui.text.engine_words import said
from starloom_gui.text.trust_words import trust_words
from starloom_gui.text.words import Plurals, fill, plain, tasks, translate
from starloom_gui.theme.status_form import StatusForm


def _rejected(event: ev.EditRejected) -> str:
    first = plain(said(event.problems[0].message)) if event.problems else ""
    return fill(translate("Events", "An edit was refused: %1"), first)


def _fence_set(event: ev.FenceSet) -> str:
    texts = {
        Fence.GLOBAL: translate("Events", "While agents are asked nothing of the run starts"),
        Fence.DESCENDANTS: translate("Events", "While agents are asked nothing starts that depends on the batch"),
        Fence.SCOPE: translate("Events", "While agents are asked nothing starts that they may change"),
        Fence.OPTIMISTIC: translate("Events", "While agents are asked everything goes on, and late edits as agreed"),
        Fence.NONE: translate("Events", "While agents are asked everything goes on"),
    }
    if event.fence is None:
        return translate("Events", "How long agents and you are waited for was set")
    return texts[event.fence]


def _cycle_opened(event: ev.EditCycleOpened) -> str:
    return fill(translate("Events", "%1 asked about %2"), ", ".join(event.agents), tasks(len(event.task_ids)))


def _agent_answered(event: ev.AgentAnswered) -> str:
    if event.error:
        return fill(translate("Events", "%1 could not answer: %2"), event.agent, plain(said(event.error)))
    if not event.count:
        return fill(translate("Events", "%1 wants no change"), event.agent)
    changes = Plurals().changes(event.count)
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
    return fill(
        texts.get(event.how, translate("Events", "No answer of an agent is waited for any more")), ", ".join(event.late)
    )


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
        said = fill(translate("Events", "%1, without %2"), said, Plurals().edits(len(event.left_out)))
    return fill("%1: %2", said, plain(event.note)) if event.note else said


def _left_out(event: ev.EditsLeftOut) -> str:
    first = plain(said(event.problems[0].message)) if event.problems else ""
    edits = Plurals().edits(len(event.edits))
    return fill(translate("Events", "%1 came too late with %2, which were left out: %3"), event.agent, edits, first)


def _deferred(event: ev.EditsDeferred) -> str:
    named = event.task_ids[0] if len(event.task_ids) == 1 else tasks(len(event.task_ids))
    if event.on_conflict is OnConflict.REPLACE:
        return fill(translate("Events", "%1 replaces %2, once no attempt of it runs any more"), event.agent, named)
    return fill(translate("Events", "What %1 wants of %2 holds for the next attempt"), event.agent, named)


def _deferral_settled(event: ev.DeferredEditsSettled) -> str:
    if event.is_applied:
        return fill(translate("Events", "What %1 wanted of a task that had started was applied"), event.agent)
    return fill(translate("Events", "What %1 wanted of a task that had started is void"), event.agent)


EDIT_EVENTS: Final = (
    EventSpec(
        ev.ConstellationModified,
        EventSort.EDITS,
        lambda: translate("Events", "Graph edited"),
        edited,
        notes.edited,
        is_flagged=True,
    ),
    EventSpec(
        ev.EditRejected,
        EventSort.EDITS,
        lambda: translate("Events", "Edit refused"),
        _rejected,
        notes.nothing,
        form=StatusForm.FAILED,
    ),
    EventSpec(
        ev.AgentAttached,
        EventSort.EDITS,
        lambda: translate("Events", "Agent attached"),
        about(lambda: translate("Events", "Agent %1 was attached"), "agent"),
        notes.run,
    ),
    EventSpec(
        ev.AgentTrusted, EventSort.EDITS, lambda: translate("Events", "Agent's trust changed"), _trusted, notes.run
    ),
    EventSpec(
        ev.AgentPaused,
        EventSort.EDITS,
        lambda: translate("Events", "Agent paused"),
        about(lambda: translate("Events", "Agent %1 was paused"), "agent"),
        notes.run,
    ),
    EventSpec(
        ev.AgentResumed,
        EventSort.EDITS,
        lambda: translate("Events", "Agent resumed"),
        about(lambda: translate("Events", "Agent %1 was resumed"), "agent"),
        notes.run,
    ),
    EventSpec(
        ev.AgentDetached,
        EventSort.EDITS,
        lambda: translate("Events", "Agent detached"),
        about(lambda: translate("Events", "Agent %1 was detached"), "agent"),
        notes.run,
    ),
    EventSpec(
        ev.FenceSet, EventSort.EDITS, lambda: translate("Events", "What waits for agents set"), _fence_set, notes.run
    ),
    EventSpec(
        ev.EndPassedOver,
        EventSort.EDITS,
        lambda: translate("Events", "Agent not asked"),
        about(lambda: translate("Events", "%1 is not asked about %2: its condition says no"), "agent", "task_id"),
        notes.nothing,
    ),
    EventSpec(
        ev.EditCycleOpened, EventSort.EDITS, lambda: translate("Events", "Agents asked"), _cycle_opened, notes.run
    ),
    EventSpec(
        ev.AgentAnswered, EventSort.EDITS, lambda: translate("Events", "Agent answered"), _agent_answered, notes.run
    ),
    EventSpec(
        ev.ProposalSettled,
        EventSort.EDITS,
        lambda: translate("Events", "Proposal settled"),
        _proposal_settled,
        notes.run,
    ),
    EventSpec(
        ev.ProposalStaged,
        EventSort.EDITS,
        lambda: translate("Events", "Proposal waits for approval"),
        about(lambda: translate("Events", "What %1 proposed waits for approval %2"), "agent", "approval"),
        notes.run,
    ),
    EventSpec(
        ev.ApprovalAnswered,
        EventSort.EDITS,
        lambda: translate("Events", "Approval answered"),
        _approval_answered,
        notes.run,
    ),
    EventSpec(
        ev.EditsLeftOut,
        EventSort.EDITS,
        lambda: translate("Events", "Edits left out"),
        _left_out,
        notes.run,
        form=StatusForm.FAILED,
    ),
    EventSpec(
        ev.EditsDeferred, EventSort.EDITS, lambda: translate("Events", "Edits wait for a task"), _deferred, notes.run
    ),
    EventSpec(
        ev.DeferredEditsSettled,
        EventSort.EDITS,
        lambda: translate("Events", "Edits wait no more"),
        _deferral_settled,
        notes.run,
    ),
    EventSpec(
        ev.EditCycleClosed, EventSort.EDITS, lambda: translate("Events", "Asking ended"), _cycle_closed, notes.run
    ),
)
