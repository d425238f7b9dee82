"""Events of agents: what they are asked and answer, and edits that wait for approval."""

from __future__ import annotations

from starloom.constellation.edits import Edit
from starloom.errors import Problem
from starloom.events.base import Event
from starloom.model.agent_terms import EditScope, EndFilter, OnConflict
from starloom.model.status import Fence


class AgentAttached(Event, frozen=True):
    """An agent is asked from now on whenever tasks of the run have completed or failed."""

    agent: str
    asks: tuple[str, ...] = ()
    """The kinds of edits (`constellation.edits.KIND_OF`) that wait for a person's approval."""
    origin: str = ""
    on: tuple[EndFilter, ...] = ()
    """It is asked about ends that are in one of these; none: about all."""
    scope: EditScope | None = None
    """What it may change; None: everything."""
    on_conflict: OnConflict | None = None
    """What becomes of its edits of tasks that have started, behind the fence `optimistic`; None: they are dropped."""


class AgentPaused(Event, frozen=True):
    """An agent was paused: it is not asked until resumed, and its open answer is no longer waited for."""

    agent: str
    origin: str = ""


class AgentResumed(Event, frozen=True):
    """A paused agent is asked again, about what ends from now on."""

    agent: str
    origin: str = ""


class AgentTrusted(Event, frozen=True):
    """Other kinds of an agent's edits than before wait for a person's approval, from its next answer on."""

    agent: str
    asks: tuple[str, ...] = ()
    origin: str = ""


class AgentDetached(Event, frozen=True):
    """An agent was detached from the run; its proposals that wait for approval stay."""

    agent: str
    origin: str = ""
    reason: str = ""


class FenceSet(Event, frozen=True):
    """The fence of the run has changed: which tasks wait while an edit cycle is open, and for how long."""

    fence: Fence | None = Fence.GLOBAL
    """None: `scope` if an agent has one, else `global`."""
    modification_timeout: float = 600.0
    """Seconds from handing a batch over until nobody waits for the answer any more."""
    approval_timeout: float | None = None
    """Likewise for the person who is to approve of an edit; None: that is waited for however long it takes."""
    origin: str = ""


class EndPassedOver(Event, frozen=True):
    """An agent is not asked about the end of a task that it could have been asked about: its condition says no."""

    task_id: str
    agent: str


class EditCycleOpened(Event, frozen=True):
    """All tasks that have ended since the last time were handed over to these agents."""

    cycle: int
    agents: tuple[str, ...] = ()
    task_ids: tuple[str, ...] = ()


class AgentAnswered(Event, frozen=True):
    """An agent answered; its edits are committed in its turn, refused, or wait for approval, as later events say."""

    cycle: int
    agent: str
    count: int = 0
    """How many edits it proposed; 0: none."""
    edits: tuple[Edit, ...] = ()
    """Those edits if they would do; empty if they are refused at once."""
    reason: str = ""
    base_revision: int | None = None
    error: str = ""
    """The reason why it could not answer, which counts as no edits."""
    is_late: bool = False
    """Nobody had waited for it any more."""


class ProposalSettled(Event, frozen=True):
    """An agent's edits were applied or refused when their turn came."""

    cycle: int
    agent: str
    is_accepted: bool = True


class ProposalStaged(Event, frozen=True):
    """An agent's edits wait for a person's approval."""

    approval: int
    cycle: int
    agent: str
    task_ids: tuple[str, ...] = ()
    """The batch they answer to; empty if the answer came late."""
    edits: tuple[Edit, ...] = ()
    reason: str = ""
    base_revision: int | None = None


class EditCycleClosed(Event, frozen=True):
    """An edit cycle was closed: the run no longer waits for its answers."""

    cycle: int
    how: str = "answered"
    """`answered`, `timed_out`, `withdrawn` (the last one was paused or detached), `cancelled` with the run, or
    `interrupted`: the program died.
    """
    late: tuple[str, ...] = ()
    """The agents that had not answered."""


class ApprovalAnswered(Event, frozen=True):
    """A staged proposal waits no more."""

    approval: int
    how: str = "accepted"
    """`accepted`: the edits were applied; `rejected`, `expired`, or `cancelled` with the run."""
    note: str = ""
    origin: str = ""
    left_out: tuple[int, ...] = ()
    """Which of the edits were not applied though the others were, by their positions from 0, in ascending order."""


class EditsLeftOut(Event, frozen=True):
    """Edits of an agent were left out, as the tasks they are about have started."""

    cycle: int
    agent: str
    edits: tuple[Edit, ...] = ()
    problems: tuple[Problem, ...] = ()
    """Why each of them cannot be made."""


class EditsDeferred(Event, frozen=True):
    """Edits of an agent wait, as tasks that they are about have started: see `OnConflict`."""

    deferral: int
    """Their number in the run, from 1."""
    cycle: int
    agent: str
    on_conflict: OnConflict
    """`replace`: they wait until none of the tasks runs; `next_attempt`: until the task is to run again."""
    task_ids: tuple[str, ...] = ()
    """None of these starts before that is settled."""
    edits: tuple[Edit, ...] = ()
    reason: str = ""
    base_revision: int | None = None


class DeferredEditsSettled(Event, frozen=True):
    """Deferred edits wait no more."""

    deferral: int
    agent: str
    is_applied: bool = True
    """Whether they, or some of them, were applied; else they do not fit or wait anew, as an event before this says."""
