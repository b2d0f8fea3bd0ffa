"""Labels by which a plan is found, where everybody can read them."""

from temporalio import activity

from clients.attributes import Attributes
from contracts.effects import MarkCall, MarkReply
from infra.keyring import KeyRing
from infra.search_attributes import SINCE, USER


class Marks:
    """Labels, made with the keys of this deployment."""

    def __init__(self, ring: KeyRing, attributes: Attributes) -> None:
        self._ring = ring
        self._attributes = attributes

    @activity.defn(name="mark_user")
    async def mark_user(self, call: MarkCall) -> MarkReply:
        """See `signatures.mark_user`."""
        since = await self._attributes.has(SINCE)
        if not await self._attributes.has(USER):
            return MarkReply(since_is_known=since)
        return MarkReply(mark=self._ring.pseudonyms(call.venue_id, call.user_id)[0], since_is_known=since)
