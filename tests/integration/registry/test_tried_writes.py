"""`iq actions try --write --undo` behind a gateway that lies or hangs up. Guarantees:

- Whatever the answer to a write or its undo was, the command reports what a read shows: done, not so far, or unknown
  and where to check. A change that shows is undone. It says "nothing was sent" only of what was not.
"""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.integration.registry.test_try_command import SIGNED_IN, attempt, note_of, pack, school
from tests.support.hostile_proxy import HostileProxy, Trick
from tests.support.stacks import free_base
from tests.support.venue_proxy import Call

pytestmark = pytest.mark.slow

__all__ = ["pack", "school"]


@pytest.fixture
def gateway(school: str) -> Iterator[HostileProxy]:
    """A hostile proxy in front of the school."""
    started, ended = threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()
    proxy = HostileProxy(free_base(1), int(school.rpartition(":")[2]))

    async def stand() -> None:
        async with proxy:
            started.set()
            await ended.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(stand()), daemon=True)
    thread.start()
    started.wait()
    yield proxy
    loop.call_soon_threadsafe(ended.set)
    thread.join(10)


def through(gateway: HostileProxy, pack: Path, *more: str) -> tuple[int, str]:
    """Write and undo a note through the gateway."""
    address = f"http://127.0.0.1:{gateway.port}"
    return attempt(pack, address, "update_booking", "--write", "--undo", *more, booking_id="k-1", note="Sunny")


@pytest.mark.parametrize("undo", [False, True])
@pytest.mark.parametrize("trick", [Trick(status=503), Trick(status=409), Trick(status=302), Trick(cut=True)], ids=str)
def test_what_was_done_is_reported_whatever_it_was_answered_with(
    pack: Path, school: str, gateway: HostileProxy, trick: Trick, undo: bool
) -> None:
    gateway.play(trick, skip=int(undo))
    code, text = through(gateway, pack)
    assert [played.effects for played in gateway.played] == [1]
    assert code == 0 and "Worked: yes, a new read shows it" in text and "Undone: yes, it is as before" in text
    assert "Refused" not in text and note_of(school) == "Needs two wetsuits"


def test_a_write_that_shows_later_is_waited_for(pack: Path, school: str, gateway: HostileProxy) -> None:
    venue = pack / "venue.yaml"
    venue.write_text(venue.read_text().replace("settle_seconds: 0", "settle_seconds: 60"))
    gateway.play(Trick(forwards=0, status=503))

    async def done_behind_the_first_look(call: Call) -> None:
        if gateway.played and call.method == "GET":
            gateway.let_go()
            async with httpx.AsyncClient(base_url=school, headers=SIGNED_IN) as direct:
                await direct.patch("/v1/bookings/k-1", json={"note": "Sunny"})

    gateway.after = done_behind_the_first_look
    code, text = through(gateway, pack)
    assert code == 0 and "Worked: yes, a new read shows it" in text and "Undone: yes" in text
    assert note_of(school) == "Needs two wetsuits"


@pytest.mark.parametrize(("status", "shown"), [
    (503, "which does not prove that it will not be made"),
    (409, "Operator sees: The booking system reports a conflict"),
])  # fmt: skip
def test_what_does_not_show_is_stated_not_to_show_so_far(
    pack: Path, gateway: HostileProxy, status: int, shown: str
) -> None:
    gateway.play(Trick(forwards=0, status=status))
    code, text = through(gateway, pack)
    assert code == 1 and "Worked: NO: a new read does not show it so far" in text and shown in text
    assert "If it was done after all: " in text
    assert "Nothing was sent" not in text and "Way back: PATCH" not in text


def test_an_undo_that_does_not_show_is_reported_with_what_to_do(pack: Path, school: str, gateway: HostileProxy) -> None:
    gateway.play(Trick(forwards=0, status=503), skip=1)
    code, text = through(gateway, pack)
    assert code == 1 and "Undone: NO: it is not as before so far" in text and "By hand: " in text
    assert note_of(school) == "Sunny"


@pytest.mark.parametrize(
    ("looks", "shown"), [(1, "Worked: not known: it could not"), (2, "Undone: not known: it could not")]
)
def test_what_cannot_be_read_back_is_not_known(pack: Path, gateway: HostileProxy, looks: int, shown: str) -> None:
    gateway.play(Trick(status=503), skip=looks - 1)
    gateway.play(Trick(forwards=0, status=503), method="GET", skip=looks, times=99)
    code, text = through(gateway, pack)
    assert code == 1 and shown in text and "Look in the venue's system" in text
    assert "If it was done after all: " in text or "By hand: " in text


@pytest.mark.parametrize("looks", [1, 2])
def test_only_what_never_left_was_not_sent(pack: Path, school: str, gateway: HostileProxy, looks: int) -> None:
    async def shut_behind_the_look(_: Call) -> None:
        if sum(call.method == "GET" for call in gateway.calls) == looks:
            gateway.shut()

    gateway.after = shut_behind_the_look
    code, text = through(gateway, pack)
    shown = "Nothing was sent." if looks == 1 else "Undone: NO: nothing was sent to undo it. The change stays"
    assert code == 1 and shown in text
    assert note_of(school) == ("Needs two wetsuits" if looks == 1 else "Sunny")
