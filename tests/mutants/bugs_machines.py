"""Deliberate bugs in how several machines serve together; see `bugs.py`."""

from tests.mutants.bugs import Bug

_ROLES = "tests/processes/test_roles_and_versions.py"
_PACE = "tests/infra/test_pace.py"
_LIMITS = "tests/stack/test_limits.py"
_PLACES = "tests/clients/test_places.py"
_TURN = "tests/stack/test_whose_turn.py"

MACHINES: tuple[Bug, ...] = (
    Bug(
        name="a dead worker is believed in as long as Temporal lists it",
        about="said",
        file="api/health.py",
        right="    if wanted in builds and await presence.polled(polls(queue, wanted)) is not False:\n",
        wrong="    if wanted in builds:\n",
        tests=(f"{_ROLES}::test_a_dead_role_is_told_of_within_ten_seconds",),
    ),
    Bug(
        name="a plan goes over to new code in the middle",
        about="done",
        file="workflows/versioned.py",
        right='@workflow.defn(name="Plan", versioning_behavior=VersioningBehavior.PINNED)\n',
        wrong='@workflow.defn(name="Plan", versioning_behavior=VersioningBehavior.AUTO_UPGRADE)\n',
        tests=(f"{_ROLES}::test_a_deploy_lets_each_plan_end_on_its_own_code",),
    ),
    Bug(
        name="the plan role cannot do what plans from before the split ask of it",
        about="done",
        file="cli/serving.py",
        right="    return [one for one in activities if names is None or _name_of(one) in names]\n",
        wrong="    if names is None:\n        names = {_name_of(a) for a in activities} - VENUE_ACTIVITIES\n"
        "    return [one for one in activities if _name_of(one) in names]\n",
        tests=(f"{_ROLES}::test_a_plan_from_before_the_split_needs_the_plan_role_alone",),
    ),
    Bug(
        name="a worker that is told to stop drops what it has begun",
        about="done",
        file="cli/serving.py",
        right="        graceful_shutdown_timeout=timedelta(seconds=grace),\n",
        wrong="",
        tests=(f"{_ROLES}::test_a_worker_that_is_told_to_stop_ends_what_it_has_begun",),
    ),
    Bug(
        name="whoever turns away holds a place in line",
        about="done",
        file="infra/pace.py",
        right="        if wait > within:\n            return Place(wait, False)\n        self._due[whose] = due\n",
        wrong="        self._due[whose] = due\n        if wait > within:\n            return Place(wait, False)\n",
        tests=(f"{_PACE}::test_a_place_too_far_away_is_not_taken",),
    ),
    Bug(
        name="a write does not count",
        about="done",
        file="clients/pacing.py",
        right="        if rate is None:\n",
        wrong="        if rate is None or write:\n",
        tests=(f"{_PACE}::test_reads_wait_and_writes_count",),
    ),
    Bug(
        name="a wrong token uses up what a user may send",
        about="done",
        file="api/requests.py",
        right="    await hearing.admit(pack, body, token, named=named is not None)\n"
        "    await limits.count(venue=pack.profile.venue_id, user=body.user_id)\n",
        wrong="    await limits.count(venue=pack.profile.venue_id, user=body.user_id)\n"
        "    await hearing.admit(pack, body, token, named=named is not None)\n",
        tests=(f"{_LIMITS}::test_a_wrong_token_uses_up_nothing",),
    ),
    Bug(
        name="one venue takes every place",
        about="done",
        file="clients/places.py",
        right="        return self.share.places if several else self._number\n",
        wrong="        return self._number\n",
        tests=(
            f"{_LIMITS}::test_a_venue_leaves_room_for_the_others",
            f"{_TURN}::test_another_venue_is_heard_while_many_wait",
        ),
    ),
    Bug(
        name="whoever came first goes first, whichever venue waits with all its places taken",
        about="said",
        file="clients/places.py",
        right="            venue = min(venues, key=lambda v: self._taken[v])\n",
        wrong="            venue = venues[0]\n",
        tests=(f"{_PLACES}::test_where_none_is_free_the_venue_with_fewest_goes_first",),
    ),
    Bug(
        name="a worker is asked for a word that has no place",
        about="said",
        file="api/plans.py",
        right="        if sends is None or not sends.asks_for_work:\n",
        wrong="        if sends is None or sends.asks_for_work:\n",
        tests=(f"{_TURN}::test_nobody_is_asked_for_one_that_has_no_place",),
    ),
    Bug(
        name="a venue is asked about the tokens of all who find no place",
        about="said",
        file="api/plans.py",
        right="        self.words.foreseen(venue_id, sends)\n",
        wrong="",
        tests=(f"{_TURN}::test_nobody_is_asked_for_one_that_has_no_place",),
    ),
    Bug(
        name="who guesses a token takes a venue's places",
        about="done",
        file="api/plans.py",
        right="        if venue_id:\n            await self.tokens.admit(",
        wrong="        if not venue_id:\n            await self.tokens.admit(",
        tests=(f"{_TURN}::test_who_has_no_token_of_the_venue_takes_no_place",),
    ),
    Bug(
        name="a place is lost with whoever gave up as it came",
        about="done",
        file="clients/places.py",
        right="            if turn.done() and not turn.cancelled():\n                self._leave(venue_id)\n",
        wrong="",
        tests=(f"{_PLACES}::test_a_place_that_came_as_its_waiter_gave_up_is_given_on",),
    ),
    Bug(
        name="a venue's share stays as it is however slow workers are",
        about="said",
        file="clients/places.py",
        right="        elif self._clock() - self._halved >= _HALVED_AGAIN:\n",
        wrong="        elif self._now > self._most:\n",
        tests=(f"{_PLACES}::test_a_share_is_halved_when_answers_are_slow_and_grows_again",),
    ),
    Bug(
        name="all who found no place are told to come again at the same moment",
        about="said",
        file="clients/places.py",
        right="self._told.get(venue_id, 0.0)) + each\n",
        wrong="0.0) + each\n",
        tests=(f"{_PLACES}::test_one_too_many_is_told_at_once_and_each_a_later_time",),
    ),
    Bug(
        name="only the first service key lets in",
        about="done",
        file="api/auth.py",
        right=" for key in settings.service_keys)\n",
        wrong=" for key in settings.service_keys[:1])\n",
        tests=("tests/stack/test_wrong_keys.py::test_two_keys_overlap",),
    ),
    Bug(
        name="a plan has no key by which venues take turns",
        about="done",
        file="clients/chats.py",
        right="    return Priority(fairness_key=key)\n",
        wrong="    return Priority(fairness_key=key and None)\n",
        tests=("tests/stack/test_fairness.py::test_a_plan_has_its_venue_as_its_key",),
    ),
    Bug(
        name="a body may take for ever to come",
        about="done",
        file="api/body_limit.py",
        right="            async with asyncio.timeout_at(None if self._whole else self._until):\n",
        wrong="            async with asyncio.timeout_at(None):\n",
        tests=("tests/stack/test_slow_bodies.py::test_a_byte_now_and_then_holds_no_connection",),
    ),
    Bug(
        name="a connection that has its answer may go on sending",
        about="done",
        file="cli/web.py",
        right="        if not (head or rest):\n",
        wrong="        if not head:\n",
        tests=("tests/stack/test_slow_bodies.py::test_nor_at_a_door_that_has_answered_already",),
    ),
    Bug(
        name="a token is not had after a restart of Redis",
        about="done",
        file="infra/vault.py",
        right="            retry=Retry(NoBackoff(), 1, supported_errors=(Disconnected,)),\n",
        wrong="            retry=Retry(NoBackoff(), 0),\n",
        tests=("tests/infra/test_redis_restart.py::test_the_vault",),
    ),
    Bug(
        name="a confirmation has no bound",
        about="done",
        file="clients/words.py",
        right="        if self._places is None or not word.asks_for_work:\n",
        wrong="        if self._places is None or word.kind is Kind.CONFIRM:\n",
        tests=(f"{_LIMITS}::test_a_word_too_many_at_a_time_is_told_at_once_and_changes_nothing",),
    ),
)
