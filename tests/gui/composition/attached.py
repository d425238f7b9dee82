"""The tests that are about an engine of a console's own, and are left out where consoles are attached to a server.

`make test-attached` runs all others of this folder over a server, by the environment variable `STARLOOM_ATTACHES`.
"""

from __future__ import annotations

from typing import Final

_AGENTS = "agents of a program are attached where the engine is"
_RESUMES = "a server resumes its runs by itself, and its runs go on when a console is closed"
_FILES = "what is remembered of devices and files is that of each server"
_ENGINE = "it is about what the engine itself keeps, serves or writes"
_STARTS = "a server starts a run as it makes it"
_HEARS = "it asks the engine itself, and looks at the console before that can have heard"

LEFT_OUT: Final = {
    "test_agents.py": _AGENTS,
    "test_approvals.py": _AGENTS,
    "test_gates.py::test_gates_wait_with_proposals_in_one_list_each_answered_by_its_own_id": _AGENTS,
    "test_fleet_file.py": _FILES,
    "test_removed_devices.py": _FILES,
    "test_around_the_panes.py::test_how_the_last_run_of_a_file_ended_is_remembered": _FILES,
    "test_acting_devices.py::test_before_a_run_goes_on_it_is_asked_about_as_at_its_start": _RESUMES,
    "test_around_the_panes.py::test_an_interrupted_run_does_not_go_on_on_what_the_demo_only_acts_as_if": _RESUMES,
    "test_closing.py::test_a_run_that_was_paused_at_the_end_is_resumed_in_the_next_session": _RESUMES,
    "test_history.py::test_an_interrupted_run_is_looked_at_and_then_gone_on_with": _RESUMES,
    "test_staged_kept.py": _RESUMES,
    "test_what_goes_wrong.py": _RESUMES,
    "test_carried_over.py": _RESUMES,
    "test_ending_runs.py": _RESUMES,
    "test_unattended_tasks.py": _RESUMES,
    "test_running_elsewhere.py": _RESUMES,
    "test_history.py::test_a_run_that_ended_here_is_put_into_the_trash_and_comes_back": _ENGINE,
    "test_long_lived.py": _ENGINE,
    "test_served_console.py": _ENGINE,
    "test_staleness.py": _ENGINE,
    "test_plan_foreseen_again.py": "what earlier runs of a plan took is known to the server until the plan is run",
    "test_time_travel.py::test_every_pane_shows_the_moment_while_the_run_goes_on": _STARTS,
    "test_time_travel.py::test_what_had_not_begun_had_printed_nothing": _STARTS,
    "test_reasons.py": "it is asked in the name of the login, and not of an operator",
    "test_console.py::test_a_plan_that_is_meant_does_not_run_on_what_the_demo_only_acts_as_if": _HEARS,
    "test_demo.py": _HEARS,
    "test_part_of_selection.py::test_everything_is_selected_and_held_by_keys": _HEARS,
}
"""Why, by module or test."""


def reason_for(node: str) -> str:
    """Why a test is left out; empty: it is not.

    Args:
        node: its id, as pytest has it.
    """
    name = node.rpartition("/")[2].partition("[")[0]
    return LEFT_OUT.get(name, LEFT_OUT.get(name.partition("::")[0], ""))
