"""What the providers of third-party systems guarantee when those are in trouble (each its stand-in over HTTP).
Guarantees:

- An answer that is lost on its way back leaves one booking, one change, one cancellation, never two, and is reported as
  done or as unknown, never as "nothing was changed"; a request that is lost on its way there changes nothing.
- An outage or a missing server is `ProviderUnavailableError`, and nothing is changed; a 503 to a write proves nothing:
  `OutcomeUnknownError`.
- A read that is cut off is repeated.
- No call waits for the answer of a server that is an hour late.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import time as clock

import pytest

from restaurant.providers import Booking, OutcomeUnknownError, Provider, ProviderUnavailableError
from restaurant.providers.timeouts import Timeouts
from tests.integration.restaurant_providers.benches import DAY, OPERATIONS, PHONE, REMOTE, Bench, a_booking

pytestmark = [pytest.mark.parametrize("bench", REMOTE, indirect=True), pytest.mark.slow]
HOUR = 3600


async def outcome(write: Awaitable[object]) -> object:
    try:
        return await write
    except OutcomeUnknownError as error:
        return error


async def live(bench: Bench) -> list[Booking]:
    return [booking for booking in await bench.provider().of_day(DAY) if booking.live]


@pytest.mark.parametrize("effect", ["drop_after", "status"])
async def test_a_create_of_which_no_one_knows(bench: Bench, provider: Provider, effect: str) -> None:
    bench.fault("create", effect)
    wanted = a_booking()
    shown = await outcome(bench.create(provider, wanted))
    found = await live(bench)
    assert len(found) == (1 if effect == "drop_after" else 0)
    assert bench.requests()[OPERATIONS[bench.kind]["create"]] == 1
    assert isinstance(shown, OutcomeUnknownError) or [shown] == found


async def test_a_create_that_never_arrived(bench: Bench, provider: Provider) -> None:
    bench.fault("create", "drop_before")
    assert isinstance(await outcome(bench.create(provider, a_booking())), OutcomeUnknownError)
    assert await live(bench) == []
    assert (await bench.create(provider, a_booking())) in await live(bench)


@pytest.mark.parametrize(("effect", "lands"), [("drop_after", True), ("drop_before", False)])
async def test_a_change_of_which_no_one_knows(bench: Bench, provider: Provider, effect: str, lands: bool) -> None:
    before = await bench.create(provider, a_booking())
    after = replace(before, time=clock(21, 30), people=3)
    bench.fault("change", effect)
    shown = await outcome(bench.change(provider, before, after))
    assert await live(bench) == [after if lands else before]
    assert isinstance(shown, OutcomeUnknownError) or (lands and shown == after)


@pytest.mark.parametrize(("effect", "lands"), [("drop_after", True), ("drop_before", False)])
async def test_a_cancellation_of_which_no_one_knows(bench: Bench, provider: Provider, effect: str, lands: bool) -> None:
    made = await bench.create(provider, a_booking())
    below = await bench.create(provider, a_booking("21:30"))
    bench.fault("cancel", effect)
    shown = await outcome(provider.cancel(made.booking_id))
    assert await live(bench) == ([below] if lands else [made, below])
    assert isinstance(shown, OutcomeUnknownError) or (lands and shown is None)


Call = Callable[[Bench, Provider, Booking], Awaitable[object]]
CALLS: dict[str, Call] = {
    "create": lambda bench, provider, made: bench.create(provider, a_booking("22:00")),
    "change": lambda bench, provider, made: bench.change(provider, made, replace(made, people=7)),
    "cancel": lambda bench, provider, made: provider.cancel(made.booking_id),
    "list": lambda bench, provider, made: provider.of_phone(PHONE, DAY),
    "day": lambda bench, provider, made: provider.of_day(DAY),
    "one": lambda bench, provider, made: provider.by_id(made.booking_id),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("effect", ["status", "drop_before"])
async def test_an_outage_changes_nothing(bench: Bench, call: str, effect: str) -> None:
    made = await bench.create(bench.provider(), a_booking())
    provider = bench.provider()
    bench.fault("*", effect, status=503, times=1000)
    with pytest.raises(ProviderUnavailableError):
        await CALLS[call](bench, provider, made)
    bench.mended()
    assert await live(bench) == [made]


@pytest.mark.parametrize("call", ["create", "change", "cancel"])
async def test_a_refusal_of_a_write_proves_nothing(bench: Bench, call: str) -> None:
    provider = bench.provider()
    made = await bench.create(provider, a_booking())
    bench.fault(call, "status", status=503)
    with pytest.raises(OutcomeUnknownError):
        await CALLS[call](bench, provider, made)
    assert await live(bench) == [made]


@pytest.mark.parametrize("call", CALLS)
async def test_a_server_that_is_not_there(bench: Bench, call: str) -> None:
    names = ("IQ_RESOS_URL", "IQ_OCTOTABLE_URL", "IQ_OCTOTABLE_AUTH_URL", "IQ_SHEETS_URL")
    closed = dict.fromkeys(names, "http://127.0.0.1:9")
    made = Booking("1000", DAY, clock(20), 2, "Mario Rossi", PHONE)
    with pytest.raises(ProviderUnavailableError) as shown:
        await CALLS[call](bench, bench.provider(**closed), made)
    assert not isinstance(shown.value, OutcomeUnknownError)


async def test_a_read_that_is_cut_off_is_read_again(bench: Bench, provider: Provider) -> None:
    made = await bench.create(provider, a_booking())
    fresh = bench.provider()
    bench.fault("list", "drop_before")
    assert await fresh.of_day(DAY) == [made]
    fresh = bench.provider()
    bench.fault("one", "status", status=500)
    assert await fresh.by_id(made.booking_id) == made


@pytest.mark.parametrize("call", CALLS)
async def test_an_answer_that_is_an_hour_late_is_not_waited_for(bench: Bench, call: str) -> None:
    made = await bench.create(bench.provider(), a_booking())
    provider = bench.provider(Timeouts(read=0.5, write=0.5))
    bench.fault("*", "delay", seconds=HOUR, times=3)
    with pytest.raises(ProviderUnavailableError):
        await CALLS[call](bench, provider, made)


async def test_what_was_slow_is_not_stated_not_to_have_landed(bench: Bench) -> None:
    bench.fault("create", "delay", seconds=HOUR)
    shown = await outcome(bench.create(bench.provider(Timeouts(read=60, write=8)), a_booking()))
    found = await live(bench)
    assert len(found) == 1 and (isinstance(shown, OutcomeUnknownError) or [shown] == found)
