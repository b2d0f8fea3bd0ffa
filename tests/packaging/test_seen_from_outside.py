"""What was once seen from outside and was wrong, each with the tests that hold it now.

Newcomers, on-call and those who embed the service had tried it; what they met stands in the table in our words. Every
test that it names exists, and each line names at least one.
"""

import ast
from functools import cache

import pytest

from infra.settings import ROOT

_DATA = "packaging/test_data_folder.py::"
_TOLD = "packaging/test_settings_told.py::"
_README = "packaging/test_readme_commands.py::"
_UI = "stack/test_in_the_temporal_ui.py::"
_STUCK = "stack/test_stuck.py::"
_LOGS = "leaks/test_log_canaries.py::"
_ROLES = "processes/test_roles_and_versions.py::"
_TRACES = "stack/test_traces.py::"

SEEN = {
    # A newcomer
    "API documentation is a white page offline and cannot sign in": (
        "browser/test_documentation.py::test_it_works_offline_and_signs_in",
        "browser/test_documentation.py::test_what_lets_a_caller_in",
    ),
    "generated clients have odd names": (
        "browser/test_documentation.py::test_clients_can_be_generated_from_the_document",
    ),
    "two stacks share one data folder": (
        _DATA + "test_one_stack_at_a_time_has_it_and_one_that_was_killed_holds_nothing",
        _DATA + "test_a_second_stack_starts_nothing",
    ),
    "a command of the README is not found, and no example looks at the result": (
        _README + "test_each_does_what_it_says", _README + "test_every_command_is_in_the_table_and_no_other",
    ),
    "the tour is lost among access lines": ("processes/test_commands.py::test_the_tour_checks_every_step_of_itself",),
    "the root of the API is 404": ("stack/test_page_session.py::test_the_root_is_the_chat_page",),
    "a wrong setting is a traceback": (
        _TOLD + "test_a_wrong_value_is_one_line_with_the_settings_name", _TOLD + "test_each_wrong_value_has_its_line",
        _TOLD + "test_a_file_that_is_not_utf8_is_named",
    ),
    "a setting that is misspelt is ignored": (
        _TOLD + "test_a_name_that_sets_nothing_is_told", _TOLD + "test_so_is_one_in_the_file",
    ),
    "an interrupted install never heals": (_DATA + "test_an_install_that_was_interrupted_starts_afresh",),
    "no version, no completion": (
        _TOLD + "test_the_version_is_that_of_the_package", _README + "test_each_does_what_it_says",
    ),
    "ready is said though Redis is away": (_DATA + "test_a_stack_whose_redis_is_away_is_not_ready",),
    "it is ready in seconds (that was good)": (
        "processes/test_dev_command.py::test_the_banner_says_where_everything_is_and_a_sigterm_leaves_nothing",
    ),
    # On-call
    "a missing search attribute is told nowhere": (
        _ROLES + "test_a_facade_tells_at_start_what_it_lacks",
        _STUCK + "test_an_attribute_that_the_cluster_does_not_know_is_named_and_registered",
        "stack/test_plan_list.py::test_on_a_cluster_that_does_not_know_the_attribute_plans_are_made",
    ),
    "an error that is swallowed leaves no line": (
        "infra/test_logs.py::test_what_is_swallowed_is_told_once_with_what_it_means",
    ),
    "there are no metrics": (
        "stack/test_metrics.py::test_whatever_is_drawn_or_alerted_of_is_in_a_scrape",
        "packaging/test_ops.py::test_every_alert_fires_and_is_silent_beside_what_looks_like_it",
    ),
    "log lines cannot be searched by plan": (_LOGS + "test_lines_are_found_by_plan_and_request",),
    "a plan's end is no line": ("infra/test_logs.py::test_a_plans_end_is_one_line_and_an_undo_another",),
    "nothing is said while Temporal is away": ("infra/test_logs.py::test_temporals_absence_is_two_lines",),
    "tracebacks for what is expected": (
        _LOGS + "test_what_is_expected_is_told_without_a_traceback",
        "infra/test_logs.py::test_an_activity_that_fails_as_it_may_has_no_place",
    ),
    "colour codes where nobody looks": ("infra/test_logs.py::test_text_has_no_colour_where_nobody_looks",),
    "personal data in tracebacks": (
        _LOGS + "test_no_line_holds_a_canary", _LOGS + "test_what_a_venue_says_is_in_no_line",
        _LOGS + "test_what_a_model_says_is_in_no_line",
    ),
    "the codec cannot be read from another origin": (
        "stack/test_codec.py::test_the_ui_s_origin_may_call_it_with_cookies",
        "stack/test_codec.py::test_over_https_the_cookie_is_kept_to_https_and_sent_from_the_ui",
        _README + "test_each_does_what_it_says",
    ),
    "a foreign name for this machine reads payloads": (
        "stack/test_codec.py::test_a_foreign_name_for_this_machine_reads_nothing",
    ),
    "Temporal's list reads backwards": (
        _UI + "test_a_plan_that_is_done_can_be_undone_and_says_so",
        _UI + "test_a_plan_that_is_past_undoing_is_not_said_to_be_undoable",
    ),
    "a failed write is green": (
        _UI + "test_a_failed_write_is_a_failed_activity_and_unreadable_without_the_keys",
    ),
    "timers and activities have no words": (_UI + "test_every_timer_and_activity_has_words",),
    "details say that it works while it waits": (_UI + "test_a_plan_that_waits_says_for_what_and_until_when",),
    "the commands of on-call are hidden": (_README + "test_every_command_is_in_the_table_and_no_other",),
    "the page of a plan lacks times, attempts and what comes next": (
        "processes/test_commands.py::test_a_plan_can_be_looked_at_and_replayed",
    ),
    "what is stuck is not what needs a person": (
        _STUCK + "test_what_needs_a_person_is_named_and_its_command_settles_it",
        _STUCK + "test_what_cannot_be_looked_at_is_told_by_the_exit_code",
    ),
    "a dead worker is believed in for a minute": (_ROLES + "test_a_dead_role_is_told_of_within_ten_seconds",),
    "other keys over old data give no warning": (
        _ROLES + "test_a_facade_tells_at_start_what_it_lacks",
        _STUCK + "test_a_key_that_is_not_here_is_named_and_comes_back_from_a_backup",
    ),
    "a Redis that was started again fails each pooled connection once": (
        "infra/test_redis_restart.py::test_claims", "infra/test_redis_restart.py::test_the_vault",
    ),
    "wrong tokens shut a user out": ("stack/test_limits.py::test_a_wrong_token_uses_up_nothing",),
    "letters beyond ASCII in an id or a cookie are a 503": (
        "stack/test_limits.py::test_a_message_s_name_may_be_in_any_letters",
        "stack/test_codec.py::test_a_forged_cookie_is_refused",
    ),
    "the Temporal server is lent every secret": (_DATA + "test_the_temporal_server_is_lent_no_key",),
    "others can read the data folder": (_DATA + "test_it_is_made_for_its_user_alone",),
    "a body may take for ever": ("stack/test_slow_bodies.py::test_every_door_closes_on_a_body_that_does_not_come",),
    # Traces
    "two of seven kinds of events are traced, flat, without names or parents": (
        _TRACES + "test_a_plan_that_is_carried_out", _TRACES + "test_a_plan_that_fails_and_is_put_back",
        _TRACES + "test_a_clarification_belongs_to_the_request_that_it_is_about",
        _TRACES + "test_a_question_of_a_running_plan",
        _TRACES + "test_every_trace_is_whole_and_tells_nobody",
    ),
    "five of six key metrics cannot be worked out": (
        _TRACES + "test_the_scores_are_what_ledger_and_prometheus_tell",
    ),
    "product names are hidden like people": ("leaks/test_personal.py::test_what_a_venue_calls_its_own_things_stays",),
    "traces hold no personal data or token (that was good)": ("leaks/test_leaks.py::test_no_trace_holds_any",),
    # Embedding it
    "no container, no Compose, no sizes": (
        "packaging/test_deploy.py::test_every_setting_in_it_exists",
        "packaging/test_deploy.py::test_what_the_page_names_exists",
    ),
    "the recipe for several machines lacks settings": (_README + "test_every_command_is_in_the_table_and_no_other",),
    "a deploy breaks plans that wait": (
        _ROLES + "test_a_deploy_lets_each_plan_end_on_its_own_code",
        "histories/test_replay.py::"
        "test_a_sleep_before_the_first_timer_is_reported_though_temporal_s_replay_lets_it_pass",
    ),
    "one service key, no overlap": ("stack/test_wrong_keys.py::test_two_keys_overlap",),
    "the key of an idempotent request is ignored": (
        "stack/test_retried_words.py::test_e8_a_typed_yes_said_twice_is_one",
    ),
    "a session has no texts and no plans": (
        "stack/test_chat.py::test_a_session_view_shows_what_a_page_needs_after_a_reload",
    ),
    "plans cannot be listed": ("stack/test_plan_list.py::test_one_s_own_plans_come_newest_first_in_pages",),
    "a crowded machine answers 503 late": (
        "stack/test_limits.py::test_one_message_too_many_at_a_time_is_told_at_once",
    ),
}  # fmt: skip


@cache
def functions_of(path: str) -> frozenset[str]:
    """The functions that a test file defines."""
    tree = ast.parse((ROOT / "tests" / path).read_text(encoding="utf-8"))
    return frozenset(n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))


@pytest.mark.parametrize("seen", SEEN)
def test_what_holds_it_is_there(seen: str) -> None:
    assert SEEN[seen], "nothing holds it"
    for test in SEEN[seen]:
        path, _, name = test.partition("::")
        assert name in functions_of(path), test
