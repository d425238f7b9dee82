"""The faults of agents, and where each is tested for each kind of device: a sentence, a freed slot, a true outcome.

The tests are named with their modules; this one sees that they are there. A fault that a kind cannot have says why.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
KINDS = ("acp", "llm", "aip")
ACP = "test_acp::test_a_faulty_agent_is_a_sentence_and_a_true_outcome"
REMOTE = "test_acp_remote_faults::test_a_faulty_agent_there_is_a_sentence_and_a_true_outcome"
LLM = "test_llm_faults::test_each_failure_is_a_sentence"
AIP = "test_aip_faults::test_a_faulty_agent_is_a_sentence_and_a_true_outcome"
NO_QUESTIONS = "- it has no way to ask"
NO_LINK = "- it is reached over its own connection, not over SSH"
FAULTS: dict[str, tuple[str, str, str]] = {
    "it dies in a session": (f"{ACP} {REMOTE}", LLM, AIP),
    "it hangs": (
        "test_acp::test_an_agent_that_opens_no_session_is_not_waited_for "
        f"test_acp_runs::test_one_that_hangs_is_ended_by_the_timeout_of_its_task_and_frees_its_slot {REMOTE}",
        "test_llm_faults::test_one_that_says_nothing_is_given_up "
        "test_llm_runs::test_one_that_hangs_is_ended_by_the_timeout_of_its_task",
        "test_aip_faults::test_a_server_that_answers_no_pings_any_more_is_lost "
        "test_aip_faults::test_a_task_that_was_stopped_after_its_timeout_may_still_run",
    ),
    "garbage": (f"{ACP} {REMOTE}", LLM, AIP),
    "10 MB in a line": (
        f"{ACP} test_acp::test_a_message_of_10_mib_is_read "
        f"test_acp_remote_faults::test_what_agents_there_may_do_goes_on_to_its_end {REMOTE}",
        LLM,
        AIP,
    ),
    "another encoding": (f"{ACP} {REMOTE}", LLM, AIP),
    "it asks and dies": (f"{ACP} {REMOTE}", NO_QUESTIONS, NO_QUESTIONS),
    "it asks 100 times": (
        "test_acp::test_a_hundred_questions_at_once_have_a_hundred_answers "
        "test_acp_remote_faults::test_what_agents_there_may_do_goes_on_to_its_end",
        NO_QUESTIONS,
        NO_QUESTIONS,
    ),
    "it never ends after a cancel": (
        "test_acp::test_an_agent_that_never_ends_is_killed "
        "test_acp_remote::test_a_cancelled_agent_there_is_asked_to_stop_and_has_ended",
        "test_llm::test_cancelling_closes_the_connection_at_once_and_keeps_what_came",
        "test_aip_faults::test_a_server_that_does_not_notice_a_cancel_keeps_no_slot",
    ),
    "a second session is refused": (
        "test_acp::test_a_second_session_that_is_refused_fails_only_its_own_attempt",
        "test_llm_faults::test_one_that_is_asked_too_often_is_asked_again_when_it_says",
        AIP,
    ),
    "its version is too new": (f"{ACP} {REMOTE}", LLM, "test_aip_faults::test_a_newer_protocol_is_said"),
    "SSH is lost": (
        "test_acp_remote::test_an_agent_whose_link_broke_is_ended_over_the_next_one "
        "test_acp_remote::test_an_agent_whose_machine_is_gone_may_still_work_and_is_ended_when_it_is_back",
        NO_LINK,
        NO_LINK,
    ),
    "the socket is half closed": (
        f"test_acp::test_an_agent_that_closes_one_end_of_the_connection_and_lives_on_has_broken_off {REMOTE}",
        LLM,
        AIP,
    ),
    "a heartbeat is late": (
        "test_acp_remote::test_an_agent_whose_link_broke_is_ended_over_the_next_one",
        "- it sends none; `silence` bounds it: test_llm_faults::test_one_that_says_nothing_is_given_up",
        "test_aip_faults::test_a_late_heartbeat_loses_nothing "
        "test_aip_faults::test_unanswered_heartbeats_lose_the_device_and_its_attempts_and_say_since_when",
    ),
    "the token is wrong": (
        ACP,
        LLM,
        "test_aip_faults::test_a_wrong_token_is_told_by_a_closed_connection_too "
        "test_aip::test_the_token_opens_the_door_and_stands_nowhere",
    ),
    "a parent's result tries to end its quotation": (
        "test_acp::test_results_of_parents_arrive_byte_for_byte_as_resources_of_their_own",
        "test_llm::test_results_of_parents_come_byte_for_byte_and_cannot_end_their_quotation",
        "test_aip::test_tips_and_results_of_parents_are_sent_and_no_result_ends_its_quotation",
    ),
    "permission for a path through a symlink out of cwd": (
        "test_acp_permissions::test_policies_answer_and_else_a_person_does "
        "test_acp_remote::test_places_are_resolved_on_the_agents_machine",
        NO_QUESTIONS,
        NO_QUESTIONS,
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_tested_for_each_kind(fault: str) -> None:
    assert len(FAULTS[fault]) == len(KINDS)
    for where in FAULTS[fault]:
        named = re.findall(r"(test_\w+)::(test_\w+)", where)
        assert named or where.startswith("- ")
        for module, test in named:
            text = (HERE / f"{module}.py").read_text(encoding="utf-8")
            assert f"\ndef {test}(" in text, f"{module} has no {test}"
