"""The draft activity: turns a model's write calls into the steps of a plan, or a question, or problems of the calls."""

import asyncio
from collections.abc import Mapping
from datetime import timedelta
from zoneinfo import ZoneInfo

from temporalio import activity
from temporalio.service import RPCError

from activities.drafting.pipeline import run_pipeline
from activities.drafting.state import DraftState
from activities.look_up import detail_look_ups, refresh_bookings
from clients.registry import Registries
from clients.venue.availability import check_availability
from clients.venue.client import VenueClient, VenueResponse
from clients.venue.reads import Snapshot, SnapshotReader, read_for_preview
from contracts.action import AtomicAction
from contracts.base import Json
from contracts.booking import BookingSummary
from contracts.drafting import DraftBegun, DraftReply, DraftRequest
from contracts.errors import VenueFailure
from contracts.persisted_names import Activity, Signal
from contracts.venue import VenueProfile
from infra.temporal.heartbeat import heartbeating
from language.messages.catalogue import activate_locale
from reasoning.drafting.alternatives import ConditionalRequest
from reasoning.drafting.new_bookings import creates_again
from reasoning.drafting.plan import intent_of
from registry import BoundAction, Pack

_AVAILABILITY_TIMEOUT = 3.0
"""Seconds for an availability check while drafting. It is short because an operator waits, and a full venue rejects the
write itself."""


_SIGNAL_TIMEOUT = timedelta(seconds=1)


class DraftActivity:
    """Drafts plans. It only reads from the venue."""

    def __init__(self, registries: Registries, venues: VenueClient) -> None:
        self._registries = registries
        self._venues = venues

    @activity.defn(name=Activity.DRAFT)
    async def draft(self, request: DraftRequest) -> DraftReply:
        """See `signatures.draft`."""
        async with heartbeating():
            pack = await self._registries.pack(request.venue_id)
            activate_locale(pack.profile.locale, pack.profile.words)
            return await run_pipeline(_begin(request, pack), _VenueReads(self._venues, request, pack.profile))


def _begin(request: DraftRequest, pack: Pack) -> DraftState:
    now = request.now.astimezone(ZoneInfo(pack.profile.time_zone))
    shown = [*request.bookings, *request.offered, *request.known, *(b for f in request.found for b in f.rows)]
    return DraftState(
        request=request,
        profile=pack.profile,
        now=now,
        actions=pack.actions,
        detail_look_ups=detail_look_ups(pack.actions),
        creating_actions=frozenset(n for n, a in pack.actions.items() if not a.read_only and creates_again(a)),
        conditional=ConditionalRequest(
            request.operator_messages, request.calls, request.arranged, now, pack.profile, request.before, shown
        ),
    )


class _VenueReads:
    """The reads of one draft, each made once."""

    def __init__(self, venues: VenueClient, request: DraftRequest, profile: VenueProfile) -> None:
        self._venues, self._request, self._profile = venues, request, profile
        self._cache: dict[str, VenueResponse] = {}
        self._reader = SnapshotReader(venues, request.token_ref, request.trace_id, self._cache)

    async def bookings(
        self, look_ups: Mapping[str, AtomicAction], known: tuple[BookingSummary, ...]
    ) -> dict[str, BookingSummary | None]:
        return await refresh_bookings(self._reader, look_ups, self._profile, known)

    async def snapshot(self, bound: BoundAction) -> Snapshot:
        return await self._reader.snapshot(bound)

    async def preview(self, bound: BoundAction) -> dict[str, Json]:
        request = self._request
        return await read_for_preview(self._venues, bound, request.token_ref, request.trace_id, self._cache)

    async def availability(self, bound: BoundAction) -> VenueFailure | str:
        async with asyncio.timeout(_AVAILABILITY_TIMEOUT):
            return await check_availability(self._reader, bound)

    async def announce(self, draft: DraftReply) -> None:
        """Signal the chat. It shows the reads; a chat that cannot be reached shows them with their results."""
        begun = DraftBegun(
            request_id=self._request.request_id,
            intent=intent_of(draft.steps, len(draft.reads)),
            reasoning=draft.reasoning,
            confidence=draft.confidence,
            reads=tuple(read.title for read in draft.reads),
        )
        chat = activity.client().get_workflow_handle(activity.info().workflow_id or "")
        try:
            await chat.signal(Signal.DRAFT_BEGUN, begun, rpc_timeout=_SIGNAL_TIMEOUT)
        except RPCError as error:
            activity.logger.warning("the chat cannot be shown that a read begins: %s", error.status.name)
