"""Invented riders, with lessons over the next weeks: the same on one day, on any machine."""

import itertools
import random
from datetime import timedelta

from sandbox.bookeo.bookings import (
    BookeoBookings,
    BookingBody,
    NewCustomer,
    Option,
    Participants,
    PeopleNumber,
    PhoneNumber,
)
from sandbox.bookeo.schedule import BEGINNERS, JUMPING, LESSONS, PONIES, TRAIL, BookeoClock, Lesson, slot

KNOWN_NUMBER = "2558611204417"
"""Marco Bianchi's booking."""
_ORDINARY = 40
_FIRST_NUMBER = 2558300000000
_FIRST = ("Alice", "Bruno", "Chiara", "Dario", "Elena", "Fabio", "Gaia", "Ivo", "Lucia", "Nicolò", "Sara", "Tommaso")
_LAST = ("Barbieri", "Caruso", "De Luca", "Esposito", "Fontana", "Greco", "Leone", "Moretti", "Ricci", "Serra")
_LEVELS = ("first time", "walk and trot", "canter")


def seed(bookings: BookeoBookings, clock: BookeoClock) -> None:
    """Fill an empty school."""
    source = random.Random(f"poggio {clock.now().date().isoformat()}")
    _book(bookings, clock, "Marco Bianchi", TRAIL, 5, "09:00", {"Cadults": 2}, number=KNOWN_NUMBER, paid=70)
    others = (
        ("Giulia Rossi", BEGINNERS, 3, "15:00", {"Cadults": 2}, 35),
        ("Giulia Ferri", JUMPING, 4, "18:00", {"Cadults": 1}, 0),
        ("Paola Conti", PONIES, 6, "10:00", {"Cadults": 1, "Cchildren": 2}, 0),
        ("Stefano Villa", PONIES, 2, "16:00", {"Cchildren": 5}, 125),
    )
    numbers = (str(number) for number in itertools.count(_FIRST_NUMBER + source.randrange(10**6), 7919))
    for name, lesson, ahead, at, people, paid in others:
        _book(bookings, clock, name, lesson, ahead, at, people, number=next(numbers), paid=paid)
    for _ in range(_ORDINARY):
        name = f"{source.choice(_FIRST)} {source.choice(_LAST)}"
        lesson, ahead = source.choice(LESSONS), source.randint(7, 28)
        at, people = source.choice(lesson.times), {source.choice(("Cadults", "Cchildren")): source.randint(1, 2)}
        day = clock.now().date() + timedelta(days=ahead)
        if bookings.seats_left(slot(clock, lesson, day, at)) > lesson.seats // 2:
            level = source.choice(_LEVELS)
            _book(bookings, clock, name, lesson, ahead, at, people, number=next(numbers), level=level)


def _book(
    bookings: BookeoBookings,
    clock: BookeoClock,
    name: str,
    lesson: Lesson,
    ahead: int,
    at: str,
    people: dict[str, int],
    *,
    number: str,
    paid: int = 0,
    level: str = "walk and trot",
) -> None:
    first, _, last = name.partition(" ")
    when = slot(clock, lesson, clock.now().date() + timedelta(days=ahead), at)
    phone = f"+39 320 {sum(map(ord, name)) % 1000:03} {len(name) * 7919 % 10000:04}"
    customer = NewCustomer(
        firstName=first,
        lastName=last,
        emailAddress=f"{first}.{last}@riders.example".lower().replace(" ", ""),
        phoneNumbers=[PhoneNumber(number=phone)],
    )
    numbers = [PeopleNumber(peopleCategoryId=c, number=n) for c, n in people.items()]
    body = BookingBody(
        productId=lesson.id,
        eventId=when.event_id,
        customer=customer,
        participants=Participants(numbers=numbers),
        options=[Option(id="41551LEVEL", name="Level", value=level)],
    )
    bookings.make(body, number=number, paid=paid)
