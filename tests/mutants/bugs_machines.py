"""Deliberate bugs in how several machines serve together; see `bugs.py`."""

from tests.mutants.bugs import Bug

_ROLES = "tests/processes/test_roles_and_versions.py"
_PACE = "tests/infra/test_pace.py"
_LIMITS = "tests/stack/test_limits.py"
_OTHERWISE = "tests/processes/test_set_up_otherwise.py"

MACHINES: tuple[Bug, ...] = (
    Bug(
        name="a dead worker is believed in as long as Temporal lists it",
        about="said",
        file="api/health.py",
        right="    if wanted in seen.builds and await presence.polled(polls(queue, wanted)) is not False:\n",
        wrong="    if wanted in seen.builds:\n",
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
        tests=(f"{_ROLES}::test_a_worker_that_is_told_to_stop[once]",),
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
        right="        most = max(1, self._number // 2) if several else self._number\n",
        wrong="        most = self._number\n",
        tests=(f"{_LIMITS}::test_a_venue_leaves_room_for_the_others",),
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
        right="        if self._places is None or word.ticket:\n",
        wrong="        if self._places is None or word.kind is Kind.CONFIRM:\n",
        tests=(f"{_LIMITS}::test_a_word_too_many_at_a_time_is_told_at_once_and_changes_nothing",),
    ),
    Bug(
        name="a facade whose keys nobody else has is ready",
        about="said",
        file="api/health.py",
        right="    if not wrong or not all(wrong):\n",
        wrong="    if not wrong or wrong:\n",
        tests=(f"{_OTHERWISE}::test_a_facade_with_other_keys_is_not_ready",),
    ),
    Bug(
        name="a failure that nobody foresaw is answered without an id, and its connection cut",
        about="said",
        file="api/app.py",
        right="    app.add_middleware(Unexpected, answered=errors.unexpected)\n",
        wrong="",
        tests=(f"{_OTHERWISE}::test_a_facade_with_other_keys_is_not_ready",),
    ),
    Bug(
        name="a worker that calls a venue elsewhere is not noticed",
        about="said",
        file="infra/setups.py",
        right="    called = {one.venues for one in (own, *workers) if one.venues}\n",
        wrong="    called = {own.venues}\n",
        tests=(f"{_OTHERWISE}::test_a_worker_that_is_set_up_otherwise_is_noted[IQ_VENUE_URLS]",),
    ),
    Bug(
        name="new plans begin on a version that nobody at a task queue has",
        about="done",
        file="clients/deployments.py",
        right="            if build_id not in one.builds and (one.builds or role is Role.PLAN):\n",
        wrong="            if build_id not in one.builds and role is Role.PLAN:\n",
        tests=(f"{_ROLES}::test_a_version_that_lacks_a_part_is_not_made_current",),
    ),
)
