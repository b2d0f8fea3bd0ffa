"""The venue's products: parent products, their variations, and the sessions of a day.

Places are counted for each parent product and session start time; two sessions that overlap on the clock do not share
places. Every day of the year has the same sessions.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True)
class Variation:
    """A child product, which a booking item names. `price` is per unit, tax included.

    `group_size` is the places and tickets of one unit. `inclusions` are (variation, quantity) of a package, `options`
    the choices of its guests.
    """

    id: int
    name: str
    price: float
    group_size: int = 1
    inclusions: tuple[tuple[int, int], ...] = ()
    options: tuple["OptionSet", ...] = ()


@dataclass(frozen=True)
class OptionSet:
    """Options of a package, of which a guest chooses one."""

    id: int
    name: str
    products: tuple[int, ...]


@dataclass(frozen=True)
class Product:
    """A parent product. `every` and `duration` are minutes; no `every` means no sessions.

    `capacity` is places in each session, None if unlimited; `last` the latest start of a day, in minutes.
    """

    id: int
    name: str
    description: str
    variations: tuple[Variation, ...]
    location_id: int | None = None
    every: int | None = None
    duration: int | None = None
    capacity: int | None = None
    type: str = "sessionpass"
    category: str = "Admission"
    last: int = 18 * 60 + 30

    @property
    def start_times(self) -> tuple[str, ...]:
        """Return the session starts of one day as HH:MM, the first at 09:00."""
        if self.every is None:
            return ()
        minutes = range(9 * 60, self.last + 1, self.every)
        return tuple(f"{minute // 60:02d}:{minute % 60:02d}" for minute in minutes)

    def end_time(self, start_time: str) -> str:
        """Return the end of the session that starts then, HH:MM; midnight is 00:00."""
        end = datetime.strptime(start_time, "%H:%M") + timedelta(minutes=self.duration or 0)
        return end.strftime("%H:%M")


_GRIP_SOCKS = Variation(65001, "Grip Socks", 3.5)
_SOCKS_EACH = ((_GRIP_SOCKS.id, 1),)
_LONGER = OptionSet(4471, "One more hour", (62001, 63001))
_PARTIES = (
    Variation(61001, "Classic Party", 32.0, inclusions=_SOCKS_EACH),
    Variation(61002, "Ultimate Party", 42.0, inclusions=_SOCKS_EACH, options=(_LONGER,)),
)
_JUMPS = (
    Variation(62001, "Child Jump", 19.5),
    Variation(62002, "Adult Jump", 22.5),
    Variation(62003, "Family Jump", 72.0, group_size=4),
)
_NINJA = (Variation(63001, "Ninja Entry", 24.0),)
_TODDLER = (Variation(64001, "Toddler Entry", 12.0),)
PARTY = Product(
    61000,
    "Birthday Party",
    "Two hours with a host, a party room and food",
    _PARTIES,
    7101,
    every=30,
    duration=120,
    capacity=60,
    type="partypackage",
    category="Parties",
)
JUMP = Product(62000, "Jump Session", "One hour on the trampolines", _JUMPS, 7102, every=30, duration=60, capacity=60)
NINJA = Product(
    63000, "Ninja Course", "One hour on the obstacle course", _NINJA, 7103, every=60, duration=60, capacity=40
)
TODDLER = Product(
    64000, "Toddler Open Play", "Soft play for the under-fives, never full", _TODDLER, 7104, every=60, duration=60
)
ROOM_HIRE = Product(
    66000,
    "Room Hire",
    "A party room by the hour, one of many",
    (Variation(66001, "Room Hire", 15.0),),
    7105,
    every=5,
    duration=60,
    last=20 * 60,
)
SOCKS = Product(65000, "Grip Socks", "Non-slip socks, one size", (_GRIP_SOCKS,), type="addon", category="Merchandise")

PRODUCTS = (PARTY, JUMP, NINJA, TODDLER, ROOM_HIRE, SOCKS)
BY_VARIATION: dict[int, tuple[Product, Variation]] = {
    variation.id: (product, variation) for product in PRODUCTS for variation in product.variations
}


def product_detail(product: Product) -> dict[str, object]:
    """Return one element of the response of `get-product-detail`."""
    return {
        "parentProductId": str(product.id),
        "parentProductName": product.name,
        "type": product.type,
        "stockProductType": "untagged",
        "products": _rows(product),
        "shortDescription": product.description,
        "description": product.description,
        "addOns": [str(SOCKS.variations[0].id)] if product.location_id else [],
        "minPurchase": 1,
        "isWaiverRequired": product.location_id is not None,
        "captureTicketHolderName": False,
        "duration": product.duration,
        "durationType": "PerSession",
        "id": str(product.id),
        "name": product.name,
    }


def product_info(product: Product) -> list[dict[str, object]]:
    """Return the `products` of one element of the response of `get-product-availability`."""
    return [{key: row[key] for key in _INFO} for row in _rows(product)]


_INFO = ("id", "name", "description", "cost", "tax", "isTaxInclusive", "isSuspended", "locations")


def _rows(product: Product) -> list[dict[str, object]]:
    return [
        {
            "id": str(variation.id),
            "name": variation.name,
            "description": product.description,
            "productCategoryIds": [product.category],
            "price": variation.price,
            "tax": 10.0,
            "groupSize": variation.group_size,
            "isTaxInclusive": True,
            "minPurchase": 1,
            "maxPurchase": None,
            "isSuspended": False,
            "locations": [] if product.location_id is None else [_location(product)],
            "cost": variation.price,
            **_package(variation),
        }
        for variation in product.variations
    ]


def _package(variation: Variation) -> dict[str, object]:
    """Return the contents and choices of a package; nothing for another product."""
    inclusions = [
        {
            "productId": str(product),
            "packageProductId": str(variation.id),
            "quantity": quantity,
            "quantityType": "Guest",
        }
        for product, quantity in variation.inclusions
    ]
    options = [
        {
            "productPackageOptionSetId": str(options.id),
            "packageProductId": str(variation.id),
            "productIds": [str(product) for product in options.products],
            "name": options.name,
            "quantity": 1,
        }
        for options in variation.options
    ]
    return {
        **({"packageItems": inclusions} if inclusions else {}),
        **({"packageOptionSets": options} if options else {}),
    }


def _location(product: Product) -> dict[str, object]:
    return {
        "id": str(product.location_id),
        "allowMultipleBookings": True,
        "bookingRestriction": "Multiple Products",
        "times": [{"startMinutes": 0, "endMinutes": product.duration}],
        "capacity": product.capacity,
    }
