"""Puts the activities together for one process, and hands a worker their list."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from temporalio.client import Client

from activities.chats import Chats
from activities.desk import Desk
from activities.lookups import LookUps
from activities.model import Model
from activities.registries import Registries
from activities.steps import Steps
from activities.undo import Undo
from activities.venue_client import VenueClient
from activities.words import Words
from infra.claims import Claims, open_claims
from infra.locks import Locks, open_locks
from infra.offers import Offers, open_offers
from infra.settings import Settings
from infra.shared import open_noticeboard
from infra.tracing import Tracer
from infra.vault import Vault, open_vault
from registry import Registry


@dataclass(frozen=True)
class Parts:
    """What one process shares between its facade and its worker."""

    settings: Settings
    vault: Vault
    registries: Registries
    venues: VenueClient
    model: Model
    tracer: Tracer
    desk: Desk
    claims: Claims
    locks: Locks
    offers: Offers
    words: Words

    def activities(self) -> Sequence[Callable[..., Any]]:
        """Every activity's implementation."""
        lookups, steps = LookUps(self.registries, self.venues), Steps(self.venues, self.locks)
        chats = Chats(self.settings, self.desk, self.words, self.vault, self.claims)
        undo = Undo(self.settings, self.venues, self.locks)
        return (
            self.model.reason,
            lookups.look_up,
            lookups.draft,
            steps.take_snapshot,
            steps.act,
            steps.read_back,
            undo.undo_step,
            chats.wipe_token,
            chats.claim_confirm,
            chats.recall_chat,
            chats.confirm_pending,
            chats.drop_pending,
            chats.plan_state,
            chats.question_slot,
        )

    async def close(self) -> None:
        """Let go of every connection and send what is still buffered."""
        await self.venues.close()
        await self.model.close()
        await self.vault.close()
        await self.claims.close()
        await self.locks.close()
        await self.offers.close()
        await self.registries.close()
        self.tracer.flush()


def assemble(settings: Settings, client: Client) -> Parts:
    """Build the parts. Raises `registry.PackError` when a pack cannot be loaded at all."""
    tracer, vault = Tracer(settings), open_vault(settings.redis_url, settings.ring())
    claims = open_claims(settings.redis_url)
    registries = Registries(
        Registry(settings.packs, settings.venue_urls, settings.data / "registry-cache"),
        open_noticeboard(settings.redis_url),
    )
    desk = Desk(client, settings.task_queue)
    return Parts(
        settings=settings,
        vault=vault,
        registries=registries,
        venues=VenueClient(vault, tracer, timeout=settings.call_timeout),
        model=Model(settings, registries, tracer),
        tracer=tracer,
        desk=desk,
        claims=claims,
        locks=open_locks(settings.redis_url),
        offers=open_offers(settings.redis_url),
        words=Words(desk, vault, claims, settings.token_ttl),
    )
