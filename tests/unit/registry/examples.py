"""Example documents as ROLLER returns them, and overlay texts to break."""

from collections.abc import Mapping

from contracts.base import Json
from infra.config.settings import ROOT

ROLLER = ROOT / "overlays" / "roller"

BOOKING: dict[str, Json] = {
    "uniqueId": "7d0c-1",
    "bookingReference": "8231",
    "name": "John Smith",
    "customerId": 77388293,
    "status": "Paid",
    "comments": "First visit",
    "metadata": {"reservationSource": "phone"},
    "items": [
        {
            "bookingItemId": 501,
            "productId": 61001,
            "quantity": 12,
            "bookingDate": "2026-11-28",
            "sessionStartTime": "14:00",
            "tickets": [{"ticketId": "1-1"}],
            "cost": 24.0,
        },
        {
            "bookingItemId": 502,
            "productId": 61090,
            "quantity": 12,
            "bookingDate": "2026-11-28",
            "tickets": [{"ticketId": "1-2"}],
            "cost": 3.5,
        },
    ],
}
GUEST: dict[str, Json] = {
    "firstName": "John",
    "lastName": "Smith",
    "email": "john@example.com",
    "phone": "+61400000000",
    "dateOfBirth": None,
    "gender": None,
    "acceptMarketing": False,
    "acceptMarketingSms": True,
    "address": {"street": "1 High St", "suburb": "Fitzroy", "postcode": "3065"},
    "flags": [{"type": "Medical", "comment": "peanuts", "expiryDate": None}],
}

MINIMAL = """
action: {name}
operation: get-booking-detail
iq_enabled: true
title: A look
description: Look at one booking.
parameters:
  booking_id: {{in: path.uniqueId, role: booking}}
"""


def edited(name: str, changes: Mapping[str, str]) -> str:
    """Return the text of a ROLLER overlay with some of it replaced; each old text must be there."""
    text = (ROLLER / "actions" / f"{name}.yaml").read_text(encoding="utf-8")
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    return text
