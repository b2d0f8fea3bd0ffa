"""Bookings, found and told."""

from mcp_types import CallToolResult

from api.mcp.arguments import Find
from api.mcp.call import Call
from api.mcp.shapes import Bookings
from api.mcp.told import result
from clients.errors import RequestError
from clients.finding import find
from contracts.enums import ServiceErrorType as E
from reasoning import bookings


async def find_bookings(call: Call, args: Find) -> CallToolResult:
    """What the venue has by these words. It is counted as a message is: the venue counts, too. Raises
    `RequestError`."""
    who, parts = call.who, call.parts
    await parts.tokens.admit(who.pack, who.token)
    await parts.limits.count(venue=who.pack.profile.venue_id, user=who.user_id)
    try:
        found = await find(parts.services.venues, who.pack, who.token, args.query)
    except RequestError as refused:
        if refused.kind is E.UNAUTHORIZED:
            parts.tokens.forget(who.pack, who.token)
        raise
    message, more = bookings.told(found.rows, more=found.more), found.more or bookings.cut(found.rows)
    return result(Bookings(message=message, bookings=list(found.rows), more=more), message)
