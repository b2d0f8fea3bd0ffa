"""`/v1/actions`: the catalogue, the skipped actions with reasons, and the refresh that loads new overlays."""

from typing import Annotated

from fastapi import APIRouter, Query

from api.dependencies import RegistriesDep
from api.errors import documented
from clients.errors import api_error
from contracts.action import Finding
from contracts.base import StrictModel
from contracts.enums import SafetyTier
from contracts.enums import ServiceErrorType as E
from language.messages.catalogue import translate
from registry import PackError, Registry

router = APIRouter(prefix="/actions", tags=["actions"])


class ActionRow(StrictModel):
    """One action at a glance."""

    name: str
    title: str
    venue_id: str
    category: str
    description: str
    read_only: bool
    safety_tier: SafetyTier
    reversible: bool
    parameters: list[str]


class Catalogue(StrictModel):
    """Every action that can be used, and what could not be loaded."""

    version: str
    actions: list[ActionRow]
    skipped: list[str]
    findings: list[Finding]


def _catalogue(registry: Registry, category: str | None) -> Catalogue:
    packs = registry.packs
    return Catalogue(
        version=registry.version,
        actions=[
            ActionRow(
                name=a.name,
                title=a.title,
                venue_id=pack.profile.venue_id,
                category=a.category,
                description=a.description,
                read_only=a.read_only,
                safety_tier=a.safety,
                reversible=a.reversible,
                parameters=[p.name for p in a.parameters],
            )
            for pack in packs
            for a in pack.actions.values()
            if category in (None, a.category)
        ],
        skipped=[name for pack in packs for name in pack.skipped],
        findings=list(registry.findings),
    )


@router.get("", responses=documented(E.UNAUTHORIZED), summary="List the actions")
async def catalogue(registries: RegistriesDep, category: Annotated[str | None, Query()] = None) -> Catalogue:
    """Return the actions of every venue, only those of a category if one is given."""
    await registries.take_up()
    return _catalogue(registries.registry, category)


@router.post(
    "/refresh", responses=documented(E.UNAUTHORIZED, E.SERVICE_UNAVAILABLE), summary="Take up changed overlays"
)
async def refresh(registries: RegistriesDep) -> Catalogue:
    """Read API documents and overlays again, and let every worker load them. Plans already drafted keep theirs, and
    so does an action whose file is broken: the findings say which."""
    try:
        await registries.refresh()
    except PackError as error:
        raise api_error(E.SERVICE_UNAVAILABLE, translate("refuse.not_loaded", why=error)) from None
    return _catalogue(registries.registry, None)
