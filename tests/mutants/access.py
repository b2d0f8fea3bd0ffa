"""Bugs in sign-in, in what a client or a page may do for which user, and in where secrets and personal data appear."""

from tests.mutants.bug import Bug

_PAGE = "tests/integration/stack/test_page_session.py"
_STAFF = "tests/integration/stack/test_staff_session.py"
_TOOLS = "tests/integration/mcp_server/test_tools.py"
_RULES = "tests/integration/ag_ui/test_interrupt_rules.py"

AUTH: tuple[Bug, ...] = (
    Bug(
        name="token-of-another-venue",
        guarantee="A token that one venue has accepted counts at that venue only",
        at="api:TokenCache.verify",
        right="_mark(pack.profile.venue_id, token)",
        wrong='_mark("", token)',
        tests=("tests/integration/stack/test_accepted_tokens.py",),
    ),
    Bug(
        name="service-key-guessed",
        guarantee="A client that has sent too many wrong service keys does not learn whether the next one is right",
        at="api:is_service_key",
        right="await tries.check(request)",
        wrong="pass",
        tests=(
            "tests/integration/stack/test_wrong_keys.py::"
            "test_after_so_many_wrong_keys_none_of_that_client_is_looked_at",
        ),
    ),
    Bug(
        name="staff-session-outlives-its-key",
        guarantee="A staff session ends when the key it was opened with is taken away",
        at="api:StaffSessions.find",
        right="any(hmac.compare_digest(found.key_mark, _mark(key)) for key in keys)",
        wrong="True",
        tests=(f"{_STAFF}::test_with_another_key_a_session_is_over",),
    ),
    Bug(
        name="another-sites-page-is-an-operator",
        guarantee="What another site's page sends with an operator's cookie is refused",
        at="api:page_session",
        right="request.method not in _READING and not is_same_origin(request)",
        wrong="False",
        tests=(f"{_PAGE}::test_what_another_sites_page_sends_is_refused",),
    ),
    Bug(
        name="page-in-anothers-name",
        guarantee="A page acts as its own user at its own venue, whatever it sends",
        at="api:_as_itself",
        right="any(user != page.user_id for user in users)",
        wrong="False",
        tests=(f"{_PAGE}::test_a_ticket_opens_a_session_that_asks_as_itself",),
    ),
    Bug(
        name="ticket-good-twice",
        guarantee="A ticket opens one session",
        at="infra:Vault.take",
        right="self._redis.getdel(_key(reference))",
        wrong="self._redis.get(_key(reference))",
        tests=(f"{_PAGE}::test_a_ticket_is_good_once",),
    ),
    Bug(
        name="session-open-to-all",
        guarantee="The events of a session go to its owner only",
        at="api:session_events",
        right="await sessions.owner(session_access.chat) not in (None, session_access.user_id)",
        wrong="False",
        tests=("tests/integration/stack/test_session_watching.py::test_only_its_owner_hears_it",),
    ),
)

SECRETS: tuple[Bug, ...] = (
    Bug(
        name="payload-in-the-clear",
        guarantee="No payload reaches Temporal unencrypted",
        at="infra:EncryptionCodec.encode",
        right="[self._sealed(p) for p in payloads]",
        wrong="list(payloads)",
        tests=("tests/integration/infra/test_codec.py",),
    ),
    Bug(
        name="error-text-in-the-log",
        guarantee="No log line holds the text of an error, which may quote a booking",
        at="infra:_safe",
        right='f": {error.strerror}" if isinstance(error, OSError) and error.strerror else ""',
        wrong='f": {error}"',
        tests=("tests/integration/infra/test_logs.py",),
    ),
    Bug(
        name="secret-repeated-by-a-venue",
        guarantee="A secret that a venue repeats in its answer is hidden",
        at="clients:_without",
        right="value = value.replace(form, HIDDEN)",
        wrong="pass",
        tests=("tests/integration/activities/test_entrance.py::test_a_secret_that_the_venue_repeats_goes_no_further",),
    ),
    Bug(
        name="answer-kept-for-another",
        guarantee="An answer that a venue gave to one operator is not used for another",
        at="clients:_whose",
        right='f"{token}\\n{read}"',
        wrong="read",
        tests=(
            "tests/integration/activities/test_repeats.py::test_an_answer_is_kept_for_its_operator_and_for_a_while",
        ),
    ),
)

CONFIRMED_BY_A_PERSON: tuple[Bug, ...] = (
    Bug(
        name="form-without-a-yes",
        guarantee="Over MCP a plan is confirmed only by a form with a yes in it",
        at="api:says_yes",
        right='reply.action == "accept" and reply.value is True',
        wrong='reply.action == "accept"',
        tests=(f"{_TOOLS}::test_what_is_no_yes_confirms_nothing",),
    ),
    Bug(
        name="models-yes",
        guarantee="What a model says confirms nothing",
        at="language:classify_message",
        right="decides or match.kind not in DECIDES",
        wrong="True",
        tests=(f"{_TOOLS}::test_a_yes_that_slips_by_confirms_nothing_either",),
    ),
    Bug(
        name="another-plan-than-was-read",
        guarantee="What a person read is what they confirm",
        at="api:confirm_plan",
        right="waits_for_confirmation(view.plan) and confirmation(view.plan).key == question.key",
        wrong="waits_for_confirmation(view.plan)",
        tests=(f"{_TOOLS}::test_what_was_read_is_what_is_confirmed",),
    ),
    Bug(
        name="interrupt-of-another-thread",
        guarantee="An AG-UI client answers only what its own thread was asked",
        at="api:ResumeHandler._judged",
        right="(view.plan.session_id, view.plan.venue_id) != (self._request.thread_id, self._venue_id)",
        wrong="view.plan.venue_id != self._venue_id",
        tests=(f"{_RULES}::test_an_interrupt_of_another_thread_is_refused",),
    ),
)
