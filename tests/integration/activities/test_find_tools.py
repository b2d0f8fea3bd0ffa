"""A pack with too many actions to send them all: what the model gets of it, and how it finds the rest. Guarantees:

- The prompt lists the actions that are not sent in one line a resource, and offers a tool that finds them. A small pack
  has neither.
- Actions that the model searched for are sent with the next turn, in full, beside what fits the request; a blocked
  action never is.
- The search itself returns names and titles, whatever its arguments; these are checked like any other's.
"""

from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree
from unittest.mock import Mock

import pytest
from temporalio.testing import ActivityEnvironment

from activities.look_up import LookUpActivity
from clients.registry import _SENT, Registries
from clients.venue.client import VenueClient
from contracts.base import Json
from contracts.chat_completion import ChatMessage, ModelReply, ReasonRequest, ToolCall
from contracts.drafting import LookUpRequest
from infra.config.settings import ROOT
from infra.stores.registry_version import PublishedVersion
from infra.stores.store import Store
from reasoning.modes import planning
from reasoning.modes.base import ToolOffer
from registry.loading.folder_registry import FolderRegistry
from tests.support.shipped import served

VENUE = "roller-demo"
NOW = datetime(2026, 11, 27, tzinfo=UTC)
MANY = 40


@pytest.fixture(scope="module")
def registries(tmp_path_factory: pytest.TempPathFactory) -> Registries:
    """The ROLLER pack with forty more actions, among them one about llamas, one about badgers, and a blocked one about
    llamas.
    """
    pytest.importorskip("bm25s")
    folder = Path(copytree(ROOT / "overlays" / "roller", tmp_path_factory.mktemp("packs") / "roller"))
    text = (folder / "actions" / "get_booking.yaml").read_text()
    text = text.replace(
        "description: Read one booking in full, by its id or by its booking reference.", "description: X."
    )
    text = text.replace("when_to_use: the operator gives a booking reference, or asks what a booking holds\n", "")
    for n in range(MANY):
        title = {38: "Groom the llamas", 39: "Feed the badgers", 37: "Sell the llamas"}.get(n, f"Chore {n}")
        one = text.replace("action: get_booking", f"action: chore_{n}")
        one = one.replace("title: Look at a booking", f"title: {title}")
        one = one.replace("iq_enabled: true", "iq_enabled: true\nsafety: blocked") if n == 37 else one
        (folder / "actions" / f"chore_{n}.yaml").write_text(one)
    return Registries(FolderRegistry((folder,)), PublishedVersion(Store()))


def asking(*messages: ChatMessage) -> ReasonRequest:
    return ReasonRequest(venue_id=VENUE, now=NOW, messages=messages)


TEXT = ChatMessage(role="user", content="change the guest count of the booking")


def a_call(arguments: dict[str, Json]) -> ToolCall:
    return ToolCall(id="c1", name=planning.FIND_TOOLS, arguments=arguments, kind="read")


def tools_of(request: ReasonRequest, offer: ToolOffer) -> list[str]:
    return [tool["function"]["name"] for tool in planning.prompt(request, offer).tools]


async def test_what_is_not_sent_is_reported_and_can_be_looked_for(registries: Registries) -> None:
    request = asking(TEXT)
    offer = await registries.offer(request)
    assert len(offer.visible) == _SENT
    assert "change_guest_count" in [action.name for action in offer.visible]
    assert tools_of(request, offer)[-1] == planning.FIND_TOOLS
    left = len(offer.actions) - _SENT
    assert f"booking: {left} more actions" in offer.others or offer.others.count(":") > 1
    assert offer.others in planning.prompt(request, offer).system


async def test_a_small_pack_has_nothing_to_look_for() -> None:
    small = served("roller")
    request = asking(TEXT)
    offer = await small.offer(request)
    assert offer.others == ""
    assert planning.FIND_TOOLS not in tools_of(request, offer)


async def test_what_was_looked_for_is_sent_with_the_next_turn(registries: Registries) -> None:
    looked = ChatMessage(role="assistant", tool_calls=(a_call({"about": "badgers"}),))
    before = await registries.offer(asking(TEXT))
    after = await registries.offer(asking(TEXT, looked))
    names = [action.name for action in after.visible]
    assert "chore_39" not in [action.name for action in before.visible]
    assert "chore_39" in names
    assert len(names) == len(set(names)) == len(after.tools)
    assert names[:_SENT] == [action.name for action in before.visible], "what fits the request stays"
    assert "chore_39" not in after.others


async def test_a_blocked_action_is_never_found(registries: Registries) -> None:
    looked = ChatMessage(role="assistant", tool_calls=(a_call({"about": "sell the llamas"}),))
    offer = await registries.offer(asking(TEXT, looked))
    assert "chore_38" in [action.name for action in offer.visible]
    assert "chore_37" not in [*offer.actions, *(action.name for action in offer.visible)]


@pytest.mark.parametrize(
    "arguments", [{"about": "badgers"}, {"about": "nourish the badgers, please"}, {}, {"about": [1]}]
)
async def test_the_look_up_tells_names_and_titles(registries: Registries, arguments: dict[str, Json]) -> None:
    venues = Mock(spec=VenueClient)
    look_ups = LookUpActivity(registries, venues)
    request = LookUpRequest(venue_id=VENUE, token_ref="t", call=a_call(arguments), now=NOW)
    reply = await ActivityEnvironment().run(look_ups.look_up, request)
    found = reply.observation["found"]
    assert 0 < len(found) <= 10
    assert not venues.method_calls, "the venue is not asked"
    if "badgers" in str(arguments):
        assert next(iter(found.items())) == ("chore_39", "Feed the badgers")


async def test_the_call_is_a_look_up_and_is_checked(registries: Registries) -> None:
    request = asking(TEXT)
    offer = await registries.offer(request)
    written = [ToolCall(id="1", name=planning.FIND_TOOLS, arguments={"about": "badgers"}),
               ToolCall(id="2", name=planning.FIND_TOOLS, problems=("The arguments are no JSON.",))]  # fmt: skip
    completion = ModelReply(text="", tool_calls=tuple(written), model="m", input_tokens=1, output_tokens=1)
    good, bad = planning.read(request, offer, completion).tool_calls
    assert (good.kind, good.problems, good.arguments) == ("read", (), {"about": "badgers"})
    assert bad.problems
    assert planning.looked_for([ChatMessage(role="assistant", tool_calls=(good, bad))]) == ["badgers"]
