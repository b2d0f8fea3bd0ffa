"""iQ sends no write to a venue before a person has confirmed it, over HTTP against a running stack and a real server
that records its requests. The venue's API has only POSTs. Guarantees:

- A pack with a write for its sign-in check is not served at all.
- With the pack as `iq pack init` drafts it, and its questions answered by a person, a greeting, a question and a search
  send only reads.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.commands.actions import app as actions
from cli.commands.pack import app as packs
from registry import PackError
from tests.support.hotel import PATHS, Hotel, document, serving
from tests.support.operator import Operator
from tests.support.stacks import a_stack

pytestmark = pytest.mark.asyncio

CHECK = "check_operation: {operation: reservations_search, read_only: true}"


@pytest.fixture
async def hotel() -> AsyncIterator[tuple[Hotel, str]]:
    """The hotel, and its address."""
    found = Hotel()
    async with serving(found) as address:
        yield found, address


def drafted(folder: Path, check: str) -> Path:
    """Return its pack as drafted, with the search enabled and this sign-in check."""
    pack = folder / "hotel"
    assert CliRunner().invoke(packs, ["init", str(document(folder)), "--out", str(pack)]).exit_code == 0
    for path, ours, theirs in (
        (pack / "venue.yaml", 'check_operation: ""', check),
        (pack / "actions" / "reservations_search.yaml", "iq_enabled: false", "iq_enabled: true"),
    ):
        text = path.read_text()
        assert ours in text
        path.write_text(text.replace(ours, theirs))
    return pack


async def test_a_greeting_and_a_look_send_reads_alone(tmp_path: Path, hotel: tuple[Hotel, str]) -> None:
    found, address = hotel
    pack = drafted(tmp_path, CHECK)
    checked = CliRunner().invoke(actions, ["check", "--pack", str(pack)])
    assert " 0 errors" in checked.stdout, checked.stdout
    assert found.sent == [], "checking a pack asks nobody"
    async with (
        a_stack(tmp_path / "data", packs=(pack,), venue_urls={"hotel": address}) as stack,
        Operator(f"http://127.0.0.1:{stack.ports.facade}", token="t") as operator,
    ):
        for words in ("hello", "what can you do?", "find Ann Smith", "cancel the reservation of Ann Smith"):
            await operator.say(words)
    assert found.sent[0][0] == f"/{PATHS[0]}", "the sign-in was checked"
    assert found.writes == []


async def test_a_pack_with_a_write_for_its_sign_in_check_is_not_served(
    tmp_path: Path, hotel: tuple[Hotel, str]
) -> None:
    found, address = hotel
    pack = drafted(tmp_path, "check_operation: reservations_cancel")
    with pytest.raises(PackError, match=r"hotel/venue.yaml, line \d+, check_operation: reservations_cancel \(POST\)"):
        async with a_stack(tmp_path / "data", packs=(pack,), venue_urls={"hotel": address}):
            pass
    assert found.sent == []
