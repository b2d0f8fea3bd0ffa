"""Every sentence for guests, in Italian: the contract's own where it has one, similar ones elsewhere.

Days are labels without a year ("giovedì 19 febbraio", "domenica 1 marzo"), times are digits ("20 e 30", "12").
"""

from collections.abc import Sequence
from datetime import date, time

from language.messages.formatting import day_label, weekday_label
from restaurant.hours import DayHours
from restaurant.knowledge import MealService


def label(day: date) -> str:
    """Return a day as "giovedì 19 febbraio", "domenica 1 marzo"."""
    return day_label(day, "it")


def weekday(day: date) -> str:
    """Return a weekday as "giovedì"."""
    return weekday_label(day, "it")


def human(at: time) -> str:
    """Return a time as "20", "20 e 30", "12"."""
    return f"{at.hour} e {at.minute}" if at.minute else str(at.hour)


def clock(at: int) -> time:
    """Return minutes after midnight as a time; beyond 24:00 as a time of the next day."""
    return time(at // 60 % 24, at % 60)


def written(at: int) -> str:
    """Return minutes after midnight as HH:MM."""
    return f"{clock(at):%H:%M}"


def humans(slots: Sequence[int]) -> list[str] | None:
    """Return slots as they are spoken; None for none."""
    return [human(clock(slot)) for slot in slots] or None


def span(service: MealService | None) -> str | None:
    """Return a service as "19 alle 22 e 30"; None for no service."""
    return f"{human(service.first)} alle {human(service.last)}" if service else None


def people(count: int) -> str:
    """Return a count as "4 persone"."""
    return f"{count} {'persona' if count == 1 else 'persone'}"


def closed(hours: DayHours, following: DayHours | None) -> str:
    """Return the sentence for a closed day, with the next open one."""
    text = f"Il ristorante è chiuso {weekday(hours.day) if hours.by_weekday else label(hours.day)}."
    if following is None:
        return text
    lunch, dinner = span(following.openings.lunch), span(following.openings.dinner)
    services = " e ".join(f"{name} dalle {of}" for name, of in (("pranzo", lunch), ("cena", dinner)) if of is not None)
    return f"{text} Il prossimo giorno di apertura è {label(following.day)} con {services}."


def openings(hours: DayHours) -> str:
    """Return the hours of an open day."""
    lunch, dinner = span(hours.openings.lunch), span(hours.openings.dinner)
    services = ", ".join(f"{name} dalle {of}" for name, of in (("pranzo", lunch), ("cena", dinner)) if of is not None)
    return f"Orari di apertura: {services}."


AVAILABLE = "Disponibile."
NOT_IN_OPENINGS = "Questo orario non è disponibile."
CUTOFF = "Questo orario è troppo vicino alla chiusura."
FULL = "Nessun tavolo disponibile a quest'ora."


def with_nearest(text: str, slots: Sequence[int]) -> str:
    """Return a refusal with the times that are free instead."""
    found = humans(slots)
    return f"{text} Orari più vicini: {', '.join(found)}." if found else text


def mismatch(day: date, expected: str, corrected: date) -> str:
    """Return the sentence for a date that is not on the weekday that the guest named."""
    return (
        f"La data {day.isoformat()} è {label(day)}, non {expected}. Il prossimo {expected} è {label(corrected)}."
        if expected != "domenica"
        else f"La data {day.isoformat()} è {label(day)}, non domenica. La prossima domenica è {label(corrected)}."
    )


def booked(day: date, at: time, count: int, name: str) -> str:
    """Return the sentence for a new booking."""
    return f"Prenotazione confermata per {label(day)} alle {human(at)}, {people(count)} a nome {name}."


def modified(day: date, at: time) -> str:
    """Return the sentence for a changed booking."""
    return f"Prenotazione modificata: {label(day)} alle {human(at)}."


CANCELLED = "Prenotazione cancellata."


def listed(bookings: Sequence[tuple[date, time]]) -> str:
    """Return the sentence for the bookings of a phone."""
    if not bookings:
        return "Non ho trovato prenotazioni con questo numero."
    found = "1 prenotazione" if len(bookings) == 1 else f"{len(bookings)} prenotazioni"
    return f"Ho trovato {found}: {', '.join(f'{label(day)} alle {human(at)}' for day, at in bookings)}."


PAST_DATE = "La data indicata è già passata."
PAST_TIME = "L'orario indicato è già passato."
NOT_FOUND = "Non trovo quella prenotazione."
DUPLICATE = "Risulta già una prenotazione con questi dati."
NO_TABLE = "Non ci sono tavoli per quell'orario."
SLOT_FULL = "Capacità esaurita a quest'ora."
OUTSIDE_HOURS = "Orario fuori dagli orari di apertura."
NO_DAY = "Non riesco a capire il giorno. Mi può dire la data esatta?"
PAST_DAY = "Il giorno indicato è già passato. Mi può dire un'altra data?"
NO_TIME = "Non riesco a capire l'orario. Mi può dire l'ora esatta?"
VAGUE_TIME = "Mi indica un orario esatto?"
TECHNICAL = "C'è un problema tecnico. Mi dia un momento e riproviamo."
CREATE_ERROR = "Non riesco a completare la prenotazione."
PROVIDER_ERROR = "Errore tecnico: non riesco a completare la prenotazione."
UNAVAILABLE = "Sistema prenotazione non raggiungibile."
LATE = "Il registro delle prenotazioni non ha risposto in tempo: riprovi tra un minuto."
UPDATE_ERROR = "Non riesco a modificare la prenotazione."
DELETE_ERROR = "Non riesco a cancellare la prenotazione."
OTHER_PHONE = "Posso occuparmi solo delle prenotazioni del numero da cui sta chiamando."
UNAUTHORIZED = "Accesso non autorizzato: serve la chiave del servizio."
TOO_MANY = "Troppi tentativi con una chiave sbagliata: riprovi più tardi."
NOT_OFFERED = "Questo strumento non è disponibile."
TOO_MANY_CALLS = "Troppe richieste in un messaggio: questa non è stata eseguita."


def too_many(limit: int) -> str:
    """Return the sentence for more people than may book online."""
    return f"Per le prenotazioni online il massimo è {people(limit)}."


def unknown_restaurant(restaurant_id: str) -> str:
    """Return the sentence for an unknown restaurant."""
    return f"Il ristorante {restaurant_id} non esiste: controlli restaurant_id."


MISSING = {
    "restaurant_id": "Mi manca un dato: il ristorante (restaurant_id).",
    "day": "Mi manca un dato: il giorno.",
    "time": "Mi manca un dato: l'orario.",
    "people": "Mi manca un dato: il numero di persone.",
    "name": "Mi manca un dato: il nome.",
    "phone": "Mi manca un dato: il numero di telefono.",
    "booking_id": "Mi manca un dato: la prenotazione (booking_id).",
    "question": "Mi manca un dato: la domanda.",
    "text": "Mi manca un dato: il testo (text).",
}

WRONG = {
    "day": "Il giorno non è valido: serve una data nel formato AAAA-MM-GG.",
    "new_day": "Il nuovo giorno non è valido: serve una data nel formato AAAA-MM-GG.",
    "time": "L'orario non è valido: serve un'ora nel formato HH:MM.",
    "new_time": "Il nuovo orario non è valido: serve un'ora nel formato HH:MM.",
    "expected_weekday": "Il giorno della settimana non è valido: serve un nome come giovedì.",
    "people": "Il numero di persone non è valido: serve un numero intero maggiore di zero.",
    "new_people": "Il nuovo numero di persone non è valido: serve un numero intero maggiore di zero.",
    "phone": "Il numero di telefono non è valido: serve con il prefisso internazionale, per esempio +39.",
}

NOTHING_TO_CHANGE = "Mi manca un dato: che cosa cambiare, il giorno, l'orario o il numero di persone."
NOT_JSON = "La richiesta non è leggibile: serve un oggetto JSON."
TOO_LARGE = "La richiesta è troppo lunga."
NOT_A_PAGE = "Questo indirizzo non esiste."
METHOD = "Questo indirizzo esiste, ma non con questo metodo: gli strumenti si chiamano con POST."


def wrong(field: str) -> str:
    """Return the sentence for a field that cannot be read."""
    return WRONG.get(field, f"Un dato non è valido: {field}.")
