"""The mode in which a venue is served. Guarantees:

- Its tariff decides; no tariff, or an unknown one, is standard; `premium` is the specification's word for adaptive.
- The shipped packs are served in adaptive mode; a turn stays in the mode that it began in.
"""

import pytest

from activities.reason import ReasonActivity
from clients.model import ModelClient
from clients.modes import Modes
from contracts.chat_completion import ReasonRequest
from contracts.enums import AiMode
from contracts.plan import PlannedAction
from contracts.venue import Tariff
from infra.config.settings import Settings
from infra.observability.observer import Observer
from reasoning.modes import adaptive, executing, planning
from registry.tariffs import read_tariffs
from tests.support.shipped import served
from tests.unit.reasoning.actions import a_venue

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize(("tariff", "mode"), [
    ("", AiMode.STANDARD), ("basic", AiMode.STANDARD), ("pro", AiMode.ADAPTIVE), ("enterprise", AiMode.ADAPTIVE),
    ("unheard of", AiMode.STANDARD),
])  # fmt: skip
async def test_the_tariff_says(tariff: str, mode: AiMode) -> None:
    assert await Modes(read_tariffs()[0]).mode_of(a_venue(tariff=tariff)) is mode


async def test_premium_reads_as_adaptive() -> None:
    assert Tariff.model_validate({"mode": "premium"}).mode is AiMode.ADAPTIVE
    assert all(tariff.multiplier_in(mode) > 0 for tariff in read_tariffs()[0].values() for mode in AiMode)


@pytest.mark.parametrize("pack", ["roller", "bookeo", "calendar"])
async def test_a_request_is_asked_in_its_mode(pack: str) -> None:
    registries = served(pack)
    settings = Settings(_env_file=None)
    model = ReasonActivity(ModelClient(settings, Observer()), registries, Modes(read_tariffs()[0]))
    venue = registries.registry.default_venue.profile.venue_id
    first = ReasonRequest(venue_id=venue, now="2026-11-27T09:05:00+11:00", messages=())
    step: tuple[PlannedAction, ...] = ()

    async def asked_in(model: ReasonActivity, request: ReasonRequest) -> object:
        profile = registries.registry.default_venue.profile
        return model._way(request, request.mode or await model._modes.mode_of(profile))

    assert await asked_in(model, first) is adaptive
    assert await asked_in(model, first.model_copy(update={"mode": AiMode.STANDARD})) is planning
    assert await asked_in(model, first.model_copy(update={"goal": step})) is executing
    plain = ReasonActivity(ModelClient(settings, Observer()), registries, Modes({}))
    assert await asked_in(plain, first) is planning
    assert await asked_in(plain, first.model_copy(update={"mode": AiMode.ADAPTIVE})) is adaptive
