"""Bugs in the effect of an operator's commands, and in the requests to a venue: when, how often, and with which
effect."""

from tests.mutants.bug import Bug

_TRIPS = "tests/integration/infra/test_round_trips.py"
_COMMANDS = "tests/workflows/test_commands_and_state.py"
_LEAVING = "tests/integration/activities/test_leaving.py"
_ORDERS = "tests/workflows/test_every_order.py"
_REPEATS = "tests/integration/activities/test_repeats.py"
_REFUSED = "tests/integration/activities/test_a_no_with_success.py"

COMMANDS: tuple[Bug, ...] = (
    Bug(
        name="foreign-sign-in",
        guarantee="A plan takes a new token from its own operator only",
        at="workflows:PlanWorkflow.token_renewed",
        right="message.user_id != self._record.plan.user_id",
        wrong="False",
        tests=("tests/workflows/test_cancellation.py::test_a_sign_in_of_another_user_is_not_taken",),
    ),
    Bug(
        name="late-skip",
        guarantee="Whether a step may still be left out is judged again once it is the command's turn",
        at="workflows:PlanWorkflow.skip_step",
        right="lambda: require_skippable(self._record.plan, request.step)",
        wrong="lambda: None",
        tests=(f"{_COMMANDS}::test_of_two_skips_at_once_the_second_is_judged_by_what_the_first_has_left",),
    ),
    Bug(
        name="aborted-command",
        guarantee="A command that its caller has given up never takes effect",
        at="workflows:CommandCommits.committed",
        right="raise AbortedError(attempt)",
        wrong="pass",
        tests=(_ORDERS,),
    ),
    Bug(
        name="one-command-at-a-time",
        guarantee="The commands to one plan are taken one after the other",
        at="workflows:CommandCommits.committed",
        right="self._turn",
        wrong="asyncio.Lock()",
        tests=(f"{_COMMANDS}::test_a_confirm_and_a_drop_at_once_are_taken_one_after_the_other",),
    ),
    Bug(
        name="expiry-beside-a-confirm",
        guarantee="A plan does not expire while its confirmation is being committed",
        at="workflows:PlanWorkflow._wait_for_confirmation",
        right="await self._commands.settled()",
        wrong="pass",
        tests=("tests/workflows/test_confirming.py::test_while_it_is_settled_the_plan_does_not_expire",),
    ),
    Bug(
        name="token-stored-by-a-call-of-its-own",
        guarantee="A command and the token for it reach the store in one call",
        at="clients:PlanCommands._open",
        right="opened = await self._command_store.open(attempt, wait + OPEN_LONGER, content, copy)",
        wrong="""
opened = await self._command_store.open(attempt, wait + OPEN_LONGER, content)
if copy is not None:
    await self._vault.store(copy)
""",
        tests=(_TRIPS,),
    ),
    Bug(
        name="token-left-by-a-retry",
        guarantee="A command that took effect leaves no second copy of its token behind",
        at="infra/stores/command_store.py",
        right="if state and string.sub(state, 1, 8) == 'started ' then return state end\n",
        wrong="if KEYS[2] then redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[4]) end\n"
        "if state and string.sub(state, 1, 8) == 'started ' then return state end\n",
        tests=(_TRIPS, "tests/integration/infra/test_claims.py::test_no_token_is_stored_for_what_is_decided"),
    ),
    Bug(
        name="no-effect-claimed-too-soon",
        guarantee="A command is called without effect only after it was withdrawn",
        at="clients:PlanCommands._send",
        right="await self.abort(ticket)",
        wrong="ABORTED",
        tests=(_ORDERS,),
    ),
    Bug(
        name="other-answer-told-as-taken",
        guarantee="An answer under an id that came with another answer is refused",
        at="infra:says_other",
        right="message != says",
        wrong="False",
        tests=("tests/unit/clients/test_answers_again.py",),
    ),
    Bug(
        name="cut-off-undo-told-as-unsent",
        guarantee="A reversal is called unsent only where its last try says so",
        at="workflows:last_attempt",
        right="sent is not False",
        wrong="False",
        tests=("tests/unit/workflows/test_last_try.py",),
    ),
)

WRITES: tuple[Bug, ...] = (
    Bug(
        name="act-retried",
        guarantee="The service starts the sending of a write once",
        at="workflows:PlanActivities.act",
        right="_ONCE",
        wrong="_AGAIN",
        tests=("tests/workflows/test_write_once.py::test_the_service_tries_it_once_and_does_not_start_it_late",),
    ),
    Bug(
        name="lost-write-repeated",
        guarantee="A write that may have landed is never sent again without a look",
        at="workflows:StepWriter._act_once",
        right="seen.write_outcome is not WriteOutcome.NOT_APPLIED",
        wrong="seen.write_outcome is WriteOutcome.APPLIED",
        tests=("tests/workflows/test_write_once.py::test_what_was_lost_and_may_still_land_is_not_tried_again",),
    ),
    Bug(
        name="repeated-though-not-idempotent",
        guarantee="Only a write that the overlay calls idempotent is sent again",
        at="activities:Dispatch._answer",
        right="self._action.idempotent and self._action.retry",
        wrong="self._action.retry",
        tests=(f"{_REPEATS}::test_another_change_is_sent_once",),
    ),
    Bug(
        name="repeated-over-a-change",
        guarantee="A write is sent again only where the booking is as before",
        at="activities:Dispatch._answer",
        right="await self._as_before()",
        wrong="True",
        tests=(f"{_REPEATS}::test_what_is_not_as_before_is_not_sent_again",),
    ),
    Bug(
        name="no-drift-check",
        guarantee="A step whose ground has changed since the operator confirmed is not sent",
        at="workflows:StepWriter._snapshot",
        right="failure is None and reply.drifted",
        wrong="False",
        tests=("tests/workflows/test_grounds.py::test_a_step_whose_ground_has_drifted_is_not_sent",),
    ),
    Bug(
        name="no-look-before-the-write",
        guarantee="What has changed between the snapshot and the write stops the write",
        at="activities:Dispatch.prepare",
        right="not read.unchanged()",
        wrong="False",
        tests=(f"{_LEAVING}::test_what_has_changed_since_it_was_confirmed_is_not_written_over",),
    ),
    Bug(
        name="unseen-write-forgotten",
        guarantee="An earlier write of the plan that was never seen is looked for before the next one",
        at="activities:Steps.take_snapshot",
        right="[0] if overruled else []",
        wrong="[]",
        tests=("tests/integration/activities/test_unseen_writes.py",),
    ),
    Bug(
        name="write-without-its-lock",
        guarantee="A write leaves only while its lock is held, as its fencing token proves",
        at="activities:WriteSender._may_leave",
        right="held and young and not activity.is_cancelled()",
        wrong="young and not activity.is_cancelled()",
        tests=(f"{_LEAVING}::test_not_where_the_lock_is_lost",),
    ),
)

OUTCOMES: tuple[Bug, ...] = (
    Bug(
        name="cut-line-taken-for-unsent",
        guarantee="A call whose connection broke may have taken effect",
        at="clients:VenueClient._answered",
        right="leaving.begun and not isinstance(error, httpx.LocalProtocolError)",
        wrong="False",
        tests=("tests/integration/activities/test_venue_client.py::test_a_lost_answer_may_still_land",),
    ),
    Bug(
        name="status-believed",
        guarantee="A refused write may have taken effect, whatever its status is",
        at="clients:VenueError.may_have_landed",
        right="self.sent and not self.unprocessed",
        wrong="self.sent and (self.failure.status or 500) >= 500",
        tests=("tests/integration/activities/test_venue_writes.py::test_no_status_proves_that_a_write_did_nothing",),
    ),
    Bug(
        name="refusal-inside-a-success",
        guarantee="A refusal with a 2xx status is no success",
        at="clients:VenueClient._judged",
        right="response.is_success and not is_error_response(body, request.access)",
        wrong="response.is_success",
        tests=(f"{_REFUSED}::test_a_no_is_what_its_overlay_says",),
    ),
    Bug(
        name="marker-believed-alone",
        guarantee="A write that landed and is not as asked is a failure of its own",
        at="registry:write_outcome",
        right="as_asked or (as_asked is None and ours is not False)",
        wrong="ours or as_asked or as_asked is None",
        tests=(f"{_LEAVING}::test_what_is_seen_late_is_not_surely_the_writes_own_doing[False]",),
    ),
    Bug(
        name="an-equal-thing-is-ours",
        guarantee="A new thing that is like the one asked for may be somebody else's",
        at="registry:write_outcome",
        right="scope.creates and not is_ours(scope)",
        wrong="False",
        tests=("tests/unit/registry/test_whose.py",),
    ),
    Bug(
        name="accepted-frees-its-locks",
        guarantee="What was accepted and does not show keeps other plans out until the venue has settled",
        at="activities:Steps.act",
        right="await self._is_settled(step, reply)",
        wrong="True",
        tests=("tests/integration/activities/test_accepted_writes.py",),
    ),
    Bug(
        name="outcome-not-on-record",
        guarantee="What was seen is on record before its lock is let go: a report that is lost loses nothing",
        at="activities:Steps._is_settled",
        right="await self._outcomes.keep(step.idempotency_key, reply)",
        wrong="True",
        tests=("tests/integration/activities/test_accepted_writes.py",),
    ),
    Bug(
        name="lock-dies-with-its-worker",
        guarantee="A write that left is held for as long as it may take effect, also if its worker dies",
        at="infra:_Hold._extended",
        right="max(_EXPIRES, self._until - self._clock())",
        wrong="_EXPIRES",
        tests=("tests/integration/infra/test_locks.py",),
    ),
    Bug(
        name="lock-stays-of-a-hung-store",
        guarantee="What was let go while the store hung is free once it answers",
        at="infra:Locks.held",
        right="self._go_on(hold.release_later())",
        wrong="pass",
        tests=("tests/integration/infra/test_locks.py",),
    ),
    Bug(
        name="sent-step-said-unsent",
        guarantee="A step whose first try was sent is never said not to have been sent",
        at="workflows:_after_failed_try",
        right="reply.sent",
        wrong="True",
        tests=("tests/workflows/test_mended.py",),
    ),
    Bug(
        name="broken-off-frees-its-locks",
        guarantee="A write that is broken off in mid-call keeps others out for the time of a call and until settled",
        at="activities:Dispatch.send",
        right="self._hold.keep_for = self._leaving.lands_within",
        wrong="self._hold.keep_for = self._settles",
        tests=("tests/integration/activities/test_accepted_writes.py",),
    ),
    Bug(
        name="seen-keeps-its-locks",
        guarantee="A write that was lost and shows keeps no other plan out any more",
        at="activities:Steps.read_back",
        right="_shows(reply) and await self._is_settled(step, reply)",
        wrong="False",
        tests=("tests/integration/activities/test_accepted_writes.py",),
    ),
    Bug(
        name="unnamed-taken-for-made",
        guarantee="A new thing that no answer names and no look finds is not taken for made",
        at="activities:Steps._on_success",
        right="seen is None and not nothing_named",
        wrong="seen is None",
        tests=("tests/integration/activities/test_accepted_writes.py",),
    ),
    Bug(
        name="signed-out-repeats",
        guarantee="A step that may have been done before the sign-in ran out is not to be repeated",
        at="workflows:StopControl.fail",
        right="landing is WriteOutcome.UNKNOWN",
        wrong="landing is WriteOutcome.UNKNOWN and failure.error_type is not ErrorType.UNAUTHORIZED",
        tests=("tests/workflows/test_outcomes.py",),
    ),
)
