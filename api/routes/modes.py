"""`/v1/modes`: the modes of venues and tariffs, and the switch."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path

from api.auth.staff_session import StaffDep, StaffName
from api.dependencies import FromState, RegistriesDep
from api.errors import documented
from clients.errors import ServiceUnavailableError, api_error, service_unavailable
from clients.modes import Kind, Modes, UnknownNameError
from clients.registry import Registries
from contracts.base import StrictModel
from contracts.enums import AiMode
from contracts.enums import ServiceErrorType as E
from contracts.identifiers import Seen
from contracts.usage import ModeChange, ModeRow
from contracts.venue import VenueProfile
from infra.errors import DependencyUnavailableError
from language.messages.catalogue import translate

ModesDep = Annotated[Modes, Depends(FromState(lambda app: app.services.modes))]

router = APIRouter(prefix="/modes", tags=["modes"])


class ModeList(StrictModel):
    """Every tariff and venue as it stands, and the latest switches."""

    rows: list[ModeRow]
    changes: list[ModeChange]


class SwitchBody(StrictModel):
    """`standard` or `adaptive` (`premium` reads as that), or null for what the tariff or its file says. `by` is for the
    audit log, without a sign-in."""

    mode: AiMode | None
    by: StaffName = "service key"


@router.get(
    "",
    responses=documented(E.UNAUTHORIZED, E.FORBIDDEN, E.SERVICE_UNAVAILABLE),
    summary="How tariffs and venues are served",
)
async def modes_now(modes: ModesDep, registries: RegistriesDep, _: StaffDep) -> ModeList:
    """For staff: with the service key, or signed in at `/staff/`."""
    return await _listed(modes, registries)


@router.put(
    "/{kind}/{name}",
    responses=documented(E.INVALID_REQUEST, E.UNAUTHORIZED, E.FORBIDDEN, E.NOT_FOUND, E.SERVICE_UNAVAILABLE),
    summary="Switch a venue or a tariff",
)
async def switch(
    kind: Kind,
    name: Annotated[str, Path(max_length=200), Seen],
    body: SwitchBody,
    modes: ModesDep,
    registries: RegistriesDep,
    staff: StaffDep,
) -> ModeList:
    """From the next message on, in every process. Answers how everything stands then. A 503 says whether the switch was
    made, was not, or may have been; making the same one again does no harm."""
    try:
        await modes.switch(kind, name, body.mode, by=staff or body.by, profiles=_profiles(registries))
    except UnknownNameError as unknown:
        message = translate("refuse.no_switch", kind=kind, name=name)
        raise api_error(E.NOT_FOUND, message, translate("refuse.no_switch_next", known=unknown.known)) from None
    except DependencyUnavailableError as away:
        then = "unavailable.switch_unknown" if away.perhaps_written else "unavailable.switch_not_made"
        raise ServiceUnavailableError("ledger", then) from None
    return await _listed(modes, registries, "unavailable.switch_made")


async def _listed(modes: Modes, registries: Registries, then: str = "") -> ModeList:
    with service_unavailable(then):
        return ModeList(rows=await modes.rows(_profiles(registries)), changes=await modes.changes())


def _profiles(registries: Registries) -> list[VenueProfile]:
    return [pack.profile for pack in registries.registry.packs]
