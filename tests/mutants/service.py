"""Bugs in what several processes share, in the ledger and in what watchers get; in the registry, the restaurant service
and the page."""

from tests.mutants.bug import Bug

_DOORS = "tests/integration/restaurant/test_doors.py"
_STATUSES = "tests/integration/restaurant_providers/test_no_status_is_believed.py"
_UNITS = "tests/e2e/page/test_sources.py::test_the_units_under_node"

SHARED: tuple[Bug, ...] = (
    Bug(
        name="lock-of-an-emptied-store",
        guarantee="A store that has lost its locks gives none until their holders have taken them again",
        at="infra:Locks._settled",
        right="bool(now - int(since) > _TAKEN_AGAIN_WITHIN)",
        wrong="True",
        tests=("tests/integration/infra/test_locks.py::test_an_emptied_store_gives_no_lock_to_a_second_holder",),
    ),
    Bug(
        name="write-beside-the-rate-limit",
        guarantee="A write counts towards how fast a venue may be asked",
        at="clients:VenueRateLimit.acquire",
        right="rate is None",
        wrong="rate is None or write",
        tests=("tests/integration/infra/test_pace.py::test_reads_wait_and_writes_count",),
    ),
    Bug(
        name="one-venue-takes-every-place",
        guarantee="One venue's messages leave room for those of the others",
        at="clients:AdmissionControl._most_of",
        right="self.share.slots if several else self._number",
        wrong="self._number",
        tests=("tests/integration/clients/test_places.py::test_others_find_room_while_a_venue_s_own_wait",),
    ),
)

RECORDS: tuple[Bug, ...] = (
    Bug(
        name="call-counted-twice",
        guarantee="A model call that is recorded twice is billed once",
        at="infra:_call_row",
        right="usage.call_id",
        wrong="usage.call_id + str(id(record))",
        tests=("tests/integration/ledger/test_usage.py::test_a_call_that_is_written_twice_is_there_once",),
    ),
    Bug(
        name="slow-reader-misses-events",
        guarantee="A watcher gets every event of a plan, however slowly it reads",
        at="clients:PlanStreams.batches",
        right="after += len(fresh)",
        wrong="after = max(after, len(watch.events))",
        tests=("tests/integration/clients/test_watching.py",),
    ),
    Bug(
        name="cut-off-told-as-published",
        guarantee="A step whose write was sent is never told as not begun, where its plan was cut off",
        at="clients:_Past.seen",
        right="under_way or self._at[action.step] > self._published",
        wrong="False",
        tests=("tests/histories/test_cut_off.py::test_what_was_done_is_reported_before_the_plan_has_published_it",),
    ),
    Bug(
        name="standing-step-is-settled",
        guarantee="A step that a person says stands is left until it was seen to",
        at="cli:_is_settled",
        right="words[-1].decision is not ManualDecisionKind.APPLIED",
        wrong="True",
        tests=("tests/integration/oncall/test_resolve.py",),
    ),
)

REGISTRY: tuple[Bug, ...] = (
    Bug(
        name="compensation-by-any-id",
        guarantee="An overlay whose compensation could take away somebody else's thing is refused",
        at="registry:run_all_checks",
        right="check_whose(action, findings)",
        wrong="pass",
        tests=("tests/unit/registry/test_whose.py",),
    ),
    Bug(
        name="value-confirmed-unread",
        guarantee="An overlay that sends a value which no preview line shows is refused",
        at="registry:check_previewed",
        right="parameter.name not in shown",
        wrong="False",
        tests=("tests/unit/registry/test_previewed.py",),
    ),
    Bug(
        name="unknown-path-taken",
        guarantee="A template path that the document does not know is an error",
        at="registry:PathLocation.child",
        right='say(f"there is no {path} {where}", hint, True)',
        wrong="pass",
        tests=("tests/unit/registry/test_answer_paths.py",),
    ),
    Bug(
        name="cancelled-booking-comes-back-changed",
        guarantee="A cancellation is undone with the number of people that the booking had",
        at="overlays/restaurant/actions/cancel_booking.yaml",
        right='people: "{{ before.booking.people }}"',
        wrong="people: 2",
        tests=("tests/integration/stack/test_restaurant.py::test_a_table_is_cancelled_and_booked_again",),
    ),
)

RESTAURANT: tuple[Bug, ...] = (
    Bug(
        name="another-phones-booking",
        guarantee="A caller sees and changes only bookings of their own phone number",
        at="restaurant:own_booking",
        right="not found.live or not caller.may(found.phone)",
        wrong="not found.live",
        tests=(f"{_DOORS}::test_a_caller_books_for_another_number_and_touches_nothing_of_it",),
    ),
    Bug(
        name="lost-booking-called-refused",
        guarantee="A booking whose answer was lost is looked for before the guest hears that it failed",
        at="restaurant:_landed",
        right="_is_same(request, booking)",
        wrong="False",
        tests=("tests/integration/restaurant/test_outages.py::test_lost_and_landed",),
    ),
    Bug(
        name="one-look-at-a-restaurants-write",
        guarantee="A restaurant's write that lands after its answer and the first look is found by another look",
        at="restaurant:Restaurant.read_back",
        right="self.looks",
        wrong="self.looks[:1]",
        tests=("tests/integration/restaurant/test_outages.py::test_a_look_that_fails_is_followed_by_another",),
    ),
    Bug(
        name="restaurants-refusal-believed",
        guarantee="A restaurant's write that was refused is looked for, whatever the status of the refusal",
        at="restaurant:not_accepted",
        right="OutcomeUnknownError(what, None if busy else FailedError(what))",
        wrong="UnavailableError(what)",
        tests=(f"{_STATUSES}::test_what_is_there_is_answered[resos-create-403-landed]",),
    ),
    Bug(
        name="copy-called-duplicate",
        guarantee="A reservation that a gateway makes twice is no duplicate of its own, and the copy is taken out",
        at="restaurant:OctoTableProvider._settled",
        right="replace(one, booking_id=written.booking_id) == written",
        wrong="False",
        tests=(f"{_STATUSES}::test_a_create_that_is_sent_on_twice_is_one_booking[octotable]",),
    ),
)

PAGE: tuple[Bug, ...] = (
    Bug(
        name="nothing-reversed-called-put-back",
        guarantee="The page says that a plan was put back only where something was reversed",
        at="api/web/plan_view_model.js",
        right='rows.some((row) => row.outcome === "reversed")',
        wrong="rows.length > 0",
        tests=(_UNITS,),
    ),
    Bug(
        name="only-step-offered-to-skip",
        guarantee="The page does not offer to leave out the only step that a plan has left",
        at="api/web/skip_rule.js",
        right='return [...without.values()].some((status) => status !== "skipped");',
        wrong="return true;",
        tests=(_UNITS,),
    ),
)
