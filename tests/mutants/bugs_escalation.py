"""Deliberate bugs in what is handed to a person: who may answer, what an answer does, what a webhook is told; see
`bugs.py`."""

from tests.mutants.bugs import Bug

_STACK = "tests/stack/test_escalations.py"
_WEBHOOK = "tests/stack/test_webhooks.py"
_STAFF = "tests/stack/test_staff_session.py"
_GUIDED = "tests/stack/test_escalations_guided.py"
_ALONE = "tests/workflows/test_escalation.py"

_DOORS = "tests/stack/test_escalations_at_the_doors.py"
_WRONG_KEYS = "tests/stack/test_wrong_keys.py"

ESCALATION: tuple[Bug, ...] = (
    Bug(
        name="an answer is the operator's word",
        about="done",
        file="workflows/people.py",
        right="            heard=(*memory.heard,",
        wrong='            messages=(*memory.messages, type(memory).model_fields["messages"].annotation.__args__[0]'
        '(role="user", content=says.message)),\n            heard=(*memory.heard,',
        tests=(f"{_ALONE}::test_a_chat_shows_each_answer_once_and_keeps_it_from_what_was_said",),
    ),
    Bug(
        name="an answer drops the plan that waits",
        about="done",
        file="workflows/people.py",
        right="        memory = self._chat.memory\n        if says.escalation_id",
        wrong="        memory = self._chat.memory\n        if memory.pending_plan_id:\n"
        '            call = {"plan_id": memory.pending_plan_id, "user_id": says.user_id, "request_id": "x", '
        '"token_ref": "x", "deadline": workflow.now().isoformat()}\n'
        '            workflow.start_activity("drop_pending", call, schedule_to_close_timeout='
        '__import__("datetime").timedelta(seconds=5))\n        if says.escalation_id',
        tests=(f"{_STACK}::test_an_answer_is_no_word_to_a_plan",),
    ),
    Bug(
        name="an answer that is brought twice is shown twice",
        about="said",
        file="workflows/people.py",
        right="        if says.escalation_id in memory.heard:\n",
        wrong="        if False:\n",
        tests=(_ALONE,),
    ),
    Bug(
        name="an answer is shown to whoever has the chat",
        about="said",
        file="workflows/people.py",
        right="        if memory.owner not in (None, says.user_id):\n",
        wrong="        if False:\n",
        tests=(_ALONE,),
    ),
    Bug(
        name="an answer wakes a chat before it remembers",
        about="said",
        file="workflows/people.py",
        right="        self._waiting.append(says)\n",
        wrong="        self._show(says)\n",
        tests=(f"{_ALONE}::test_a_chat_that_is_woken_shows_it_behind_what_was_said_before",),
    ),
    Bug(
        name="the last answer counts",
        about="done",
        file="workflows/escalation.py",
        right="        if self._status is not EscalationStatus.OPEN:\n            raise refusal",
        wrong="        if self._status is EscalationStatus.LAPSED:\n            raise refusal",
        tests=(f"{_ALONE}::test_the_second_answer_is_refused_and_the_first_one_again_is_not",),
    ),
    Bug(
        name="the retry of an answer is refused",
        about="said",
        file="workflows/escalation.py",
        right="        if self._is_taken(answer):\n            return\n",
        wrong="",
        tests=(f"{_ALONE}::test_the_second_answer_is_refused_and_the_first_one_again_is_not",),
    ),
    Bug(
        name="a request is handed over each time it is sent",
        about="done",
        file="workflows/escalating.py",
        right="    escalation_id = str(uuid5(_NAMESPACE, name))\n",
        wrong="    escalation_id = str(workflow.uuid4())\n",
        tests=(f"{_STACK}::test_a_retry_that_the_chat_no_longer_remembers_is_handed_over_once",),
    ),
    Bug(
        name="an answer waits for the ledger",
        about="done",
        file="workflows/escalation.py",
        right="        if self._answer is not None:\n"
        "            await self._deliver(self._answer.message, self._answer.by)\n"
        "        await asyncio.gather(calling, recording, return_exceptions=True)\n",
        wrong="        await asyncio.gather(calling, recording, return_exceptions=True)\n"
        "        if self._answer is not None:\n"
        "            await self._deliver(self._answer.message, self._answer.by)\n",
        tests=(f"{_ALONE}::test_a_ledger_that_is_away_delays_nothing",),
    ),
    Bug(
        name="a webhook is called after somebody answered",
        about="done",
        file="workflows/escalation.py",
        right="        calling.cancel()\n",
        wrong="        pass\n",
        tests=(f"{_WEBHOOK}::test_once_staff_have_answered_it_is_not_called_any_more",),
    ),
    Bug(
        name="a webhook is not signed over its body",
        about="done",
        file="clients/webhooks.py",
        right='f"{call_id}.{at}.".encode() + body, hashlib.sha256',
        wrong='f"{call_id}.{at}.".encode(), hashlib.sha256',
        tests=(f"{_WEBHOOK}::test_it_is_told_and_can_verify_it",),
    ),
    Bug(
        name="a webhook call can be played again",
        about="done",
        file="clients/webhooks.py",
        right='f"{call_id}.{at}.".encode() + body, hashlib.sha256',
        wrong='f"{call_id}..".encode() + body, hashlib.sha256',
        tests=(f"{_WEBHOOK}::test_it_is_told_and_can_verify_it",),
    ),
    Bug(
        name="the documented check takes what is old",
        about="done",
        file="docs/escalation.md",
        right="    if abs(time.time() - int(at)) > 300:\n        return False\n",
        wrong="",
        tests=(f"{_WEBHOOK}::test_it_is_told_and_can_verify_it",),
    ),
    Bug(
        name="a redirect is followed",
        about="done",
        file="clients/webhooks.py",
        right="follow_redirects=False",
        wrong="follow_redirects=True",
        tests=(f"{_WEBHOOK}::test_an_answer_has_bounds",),
    ),
    Bug(
        name="a webhook reaches a private network",
        about="done",
        file="clients/webhooks.py",
        right="        if not self._private and not all(",
        wrong="        if not self._private and False and not all(",
        tests=(f"{_WEBHOOK}::test_a_private_network_is_not_reached",),
    ),
    Bug(
        name="a refused webhook counts as told",
        about="done",
        file="clients/webhooks.py",
        right="            if not response.is_success:\n",
        wrong="            if False:\n",
        tests=(f"{_WEBHOOK}::test_a_lost_answer_is_asked_for_again_and_comes_once",),
    ),
    Bug(
        name="an operator's page answers for the staff",
        about="done",
        file="api/staff_session.py",
        right="    if OPERATORS in request.cookies:\n",
        wrong="    if False:\n",
        tests=(f"{_STAFF}::test_without_a_key_an_operators_page_is_still_none",),
    ),
    Bug(
        name="another site's page answers for the staff",
        about="done",
        file="api/staff_session.py",
        right="    if request.method not in _READING and",
        wrong="    if False and",
        tests=(f"{_STAFF}::test_another_sites_page_is_not_heard",),
    ),
    Bug(
        name="an operator's session opens the inbox",
        about="done",
        file="api/staff_session.py",
        right="            found = StaffSession.model_validate_json(await self._vault.get(reference))\n",
        wrong="            await self._vault.get(reference)\n"
        "            found = StaffSession(name='x', key_mark=self._mark(), until=time.time() + 60)\n",
        tests=(f"{_STAFF}::test_an_operator_neither_reads_nor_answers",),
    ),
    Bug(
        name="a session outlives the key it was opened with",
        about="done",
        file="api/staff_session.py",
        right="        same_key = hmac.compare_digest(found.key_mark, self._mark())\n",
        wrong="        same_key = True\n",
        tests=(f"{_STAFF}::test_with_another_key_a_session_is_over",),
    ),
    Bug(
        name="any header signs in where no key is configured",
        about="done",
        file="api/staff_session.py",
        right="    if x_service_key is not None and settings.service_key:\n        await",
        wrong="    if x_service_key is not None:\n        await",
        tests=(f"{_STAFF}::test_without_a_key_an_operators_page_is_still_none",),
    ),
    Bug(
        name="somebody signed in answers in another's name",
        about="done",
        file="api/escalations.py",
        right="by=who or body.by)",
        wrong="by=body.by or who)",
        tests=(f"{_STAFF}::test_signed_in_staff_read_and_answer",),
    ),
    Bug(
        name="a doubted message is told as handed over, and is not",
        about="done",
        file="workflows/conversation.py",
        right="            if isinstance(turn, EscalationTurn):\n",
        wrong="            if False:\n",
        tests=(f"{_GUIDED}::test_from_a_second_look_to_a_persons_words_in_the_chat",),
    ),
    Bug(
        name="the ledger does not hear that nobody answered",
        about="done",
        file="infra/ledger/escalations.py",
        right="        if record.status is not EscalationStatus.OPEN:\n",
        wrong="        if record.status is EscalationStatus.RESOLVED:\n",
        tests=("tests/ledger/test_escalations.py",),
    ),
    Bug(
        name="any key signs in",
        about="done",
        file="api/staff.py",
        right="    if not await is_service_key(request, body.key):\n",
        wrong="    if False:\n",
        tests=(f"{_STAFF}::test_signed_in_staff_read_and_answer",),
    ),
    Bug(
        name="nobody is told that nobody answered",
        about="said",
        file="workflows/escalation.py",
        right='        if self._answer is None and workflow.patched("a-lapse-is-told"):\n',
        wrong='        if False and workflow.patched("a-lapse-is-told"):\n',
        tests=("tests/workflows/test_escalation.py::test_it_lapses_after_seven_days",),
    ),
    Bug(
        name="that nobody answered is told as a person's answer",
        about="said",
        file="workflows/people.py",
        right="        if says.lapsed:\n",
        wrong="        if False:\n",
        tests=("tests/workflows/test_escalation.py::test_a_chat_is_told_once_that_nobody_answered",),
    ),
    Bug(
        name="after an answer it is told that nobody gave one",
        about="said",
        file="workflows/escalation.py",
        right='        if self._answer is None and workflow.patched("a-lapse-is-told"):\n',
        wrong='        if workflow.patched("a-lapse-is-told"):\n',
        tests=("tests/workflows/test_escalation.py::test_an_answer_in_the_last_minute_counts",),
    ),
    Bug(
        name="whoever guesses the service key may go on for ever",
        about="done",
        file="api/wrong_keys.py",
        right="        await self._limiter.hit(self._one, client)\n",
        wrong="",
        tests=(_WRONG_KEYS,),
    ),
    Bug(
        name="over its limit a client is told when it has guessed right",
        about="done",
        file="api/auth.py",
        right="    await tries.may_try(request)\n    right =",
        wrong="    right =",
        tests=(_WRONG_KEYS,),
    ),
    Bug(
        name="many clients together guess for ever",
        about="done",
        file="api/wrong_keys.py",
        right="        await self._limiter.hit(self._all, _ALL)\n",
        wrong="",
        tests=(_WRONG_KEYS,),
    ),
    Bug(
        name="who guesses shuts everybody out",
        about="done",
        file="api/wrong_keys.py",
        right="        if self._known.get(client, 0) <= time.monotonic() and not await",
        wrong="        if not await",
        tests=(_WRONG_KEYS,),
    ),
    Bug(
        name="a claimed key lets another site's page act",
        about="done",
        file="api/staff_session.py",
        right="    if x_service_key is not None and settings.service_key:\n"
        "        await check_service_key(request, x_service_key)\n",
        wrong="    if x_service_key is not None and settings.service_key:\n",
        tests=("tests/stack/test_staff_session.py::test_the_key_itself_is_no_browsers_to_send",),
    ),
    Bug(
        name="an AG-UI client never hears what a person answered",
        about="said",
        file="api/ag_ui/run.py",
        right="            for event in await self._from_people():\n                yield event\n",
        wrong="",
        tests=(f"{_DOORS}::test_the_next_ag_ui_run_tells_it_once",),
    ),
    Bug(
        name="an MCP client is told again and again what a person answered",
        about="said",
        file="api/mcp/people.py",
        right="one.number > (said[-1] if said else 0) and ",
        wrong="",
        tests=(f"{_DOORS}::test_mcp_looks_and_is_told_with_the_next_message",),
    ),
    Bug(
        name="an MCP client reads what a person answered to another",
        about="said",
        file="api/mcp/people.py",
        right="    if view.owner != call.who.user_id:\n",
        wrong="    if False:\n",
        tests=(f"{_DOORS}::test_mcp_looks_and_is_told_with_the_next_message",),
    ),
)
