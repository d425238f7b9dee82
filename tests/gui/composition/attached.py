"""The tests that are about an engine of a console's own, and are left out where consoles are attached to a server.

`make test-attached` runs all others of this folder over a server, by the environment variable `STARLOOM_ATTACHES`.
"""

from __future__ import annotations

from typing import Final

_AGENTS = "agents of a program are attached where the engine is"
_RESUMES = "a server resumes its runs by itself, and its runs go on when a console is closed"
_FLEET = "a server has the devices that it was given, which no console keeps for it or brings the next time"
_SPECS = "what a device elsewhere was made from is not told, so that it cannot be saved or added again"
_KEYS = "which host keys are trusted is a file beside the engine, which no console changes from elsewhere"
_ENGINE = "it is about what the engine itself keeps, serves or writes"
_KEPT = "some runs that have ended are kept of an engine elsewhere, and its program ends with its window"
_STARTS = "a server starts a run as it makes it"
_HEARS = "it asks the engine itself, and looks at the console before that can have heard"
_FILES = "what is remembered of files is that of each server"
_NAMED = "it is asked in the name of the login, and not of an operator"

LEFT_OUT: Final = {
    "test_agents.py": _AGENTS,
    "test_second_console.py": _ENGINE,
    "test_approvals.py": _AGENTS,
    "test_agents_before.py::test_rounds_of_an_earlier_program_are_told_after_a_crash": _AGENTS,
    "test_changed_host_key.py::test_from_the_card_to_the_dialog_and_the_device_is_connected_at_once": _KEYS,
    "test_gates.py::test_gates_wait_with_proposals_in_one_list_each_answered_by_its_own_id": _AGENTS,
    "test_fleet_file.py::test_a_fleet_is_opened_with_its_limits_and_begun_with_the_next_time": _FLEET,
    "test_fleet_file.py::test_what_was_added_is_saved_and_what_was_removed_is_not": _SPECS,
    "test_fleet_file.py::test_what_was_added_without_a_fleet_file_is_there_the_next_time_until_it_is_removed": _FLEET,
    "test_fleet_file.py::test_what_another_console_keeps_meanwhile_stays_when_this_one_keeps_its_own": _FLEET,
    "test_fleet_file.py::test_a_device_that_joined_by_itself_is_there_the_next_time_beside_one_that_was_added": _FLEET,
    "test_fleet_file.py::test_a_device_that_joined_by_itself_leaves_for_one_of_its_name_that_a_plan_lists": _SPECS,
    "test_removed_devices.py::test_what_goes_on_does_not_bring_back_what_the_user_removed": _RESUMES,
    "test_removed_devices.py::test_a_device_that_is_added_again_is_drained_as_it_was_and_takes_no_task": _SPECS,
    "test_removed_devices.py::test_what_is_added_again_counts_as_removed_no_more": _SPECS,
    "test_removed_devices.py::test_a_device_that_was_removed_is_told_and_can_be_added_again": _SPECS,
    "test_removed_devices.py::test_a_cluster_goes_with_its_last_worker_and_stays_away": _SPECS,
    "test_changed_device.py::test_a_changed_device_keeps_its_name_its_pins_and_that_it_is_drained": _FLEET,
    "test_changed_device.py::test_what_runs_there_is_not_interrupted_and_what_was_typed_stays": _HEARS,
    "test_changed_group.py": _SPECS,
    "test_closing_unasked.py": _RESUMES,
    "test_asking.py::test_what_would_be_waited_for_before_runs_go_on_elsewhere_says_that_it_waits_for_an_answer": (
        "runs at a server change hands without its consoles"
    ),
    "test_around_the_panes.py::test_how_the_last_run_of_a_file_ended_is_remembered": _FILES,
    "test_recent_elsewhere.py": _FILES,
    "test_acting_devices.py::test_before_a_run_goes_on_it_is_asked_about_as_at_its_start": _RESUMES,
    "test_around_the_panes.py::test_an_interrupted_run_does_not_go_on_on_what_the_demo_only_acts_as_if": _RESUMES,
    "test_closing.py::test_a_run_that_was_paused_at_the_end_is_resumed_in_the_next_session": _RESUMES,
    "test_history.py::test_an_interrupted_run_is_looked_at_and_then_gone_on_with": _RESUMES,
    "test_typed_at_the_end.py::test_the_window_is_closed_once_what_is_typed_may_be_lost": _RESUMES,
    "test_staged_kept.py::test_a_quit_keeps_what_is_staged_for_the_next_session": _RESUMES,
    "test_staged_kept.py::test_a_crash_keeps_what_is_staged": _RESUMES,
    "test_staged_kept.py::test_a_crash_keeps_where_a_staged_new_task_was_placed": _RESUMES,
    "test_typed_kept.py::test_a_crash_keeps_what_is_typed": _RESUMES,
    "test_what_goes_wrong.py": _RESUMES,
    "test_what_goes_wrong.py::test_a_journal_that_cannot_be_written_is_said_until_it_can": _ENGINE,
    "test_carried_over.py::test_undo_takes_all_of_it_back_and_what_is_said_of_devices_once_they_join": (
        "what is carried over is told by the program that has opened the fleet"
    ),
    "test_ending_runs.py::test_nothing_is_said_of_a_run_that_has_ended": _HEARS,
    "test_reserved_at_the_end.py": "runs at a server change hands without its consoles",
    "test_history.py::test_a_run_that_ended_here_is_put_into_the_trash_and_comes_back": _ENGINE,
    "test_long_lived.py::test_only_what_is_open_is_held": _KEPT,
    "test_long_lived.py::test_the_console_serves_its_metrics_where_the_setting_says": _ENGINE,
    "test_long_lived.py::test_a_port_in_use_is_said_and_the_console_opens_all_the_same": _ENGINE,
    "test_long_lived.py::test_a_closed_console_is_let_go_of": _KEPT,
    "test_served_console.py": _ENGINE,
    "test_staleness.py::test_panes_are_greyed_while_the_engine_is_halted": _ENGINE,
    "test_staleness.py::test_who_else_has_edited_a_run_is_said": _NAMED,
    "test_time_travel.py::test_every_pane_shows_the_moment_while_the_run_goes_on": _STARTS,
    "test_time_travel.py::test_what_had_not_begun_had_printed_nothing": _STARTS,
    "test_reasons.py::test_what_is_possible_is_done_with_a_reason_that_the_events_tell": _NAMED,
    "test_reasons.py::test_a_pin_may_have_a_reason": _NAMED,
    "test_console.py::test_a_plan_that_is_meant_does_not_run_on_what_the_demo_only_acts_as_if": _HEARS,
    "test_demo.py::test_beside_one_s_own_devices_of_the_same_names_it_brings_others": _HEARS,
    "test_demo.py::test_once_it_has_ended_its_devices_are_in_nobody_s_way": _HEARS,
    "test_part_of_selection.py::test_everything_is_selected_and_held_by_keys": _HEARS,
}
"""Why, by module or test; the reason of a test counts before that of its module."""


def reason_for(node: str) -> str:
    """Why a test is left out; empty: it is not.

    Args:
        node: its id, as pytest has it.
    """
    name = node.rpartition("/")[2].partition("[")[0]
    return LEFT_OUT.get(name, LEFT_OUT.get(name.partition("::")[0], ""))
