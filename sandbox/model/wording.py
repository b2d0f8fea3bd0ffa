"""What the offline planner says to an operator, in English and Italian."""

import re
from collections.abc import Sequence

from sandbox.model.kinds import Kind
from sandbox.model.phrases import phrases
from sandbox.model.tools import Toolbox

_TEXT: dict[str, dict[str, str]] = {
    "en": {
        "which": "Which booking do you mean?",
        "which_of": "Which booking do you mean: {rows}?",
        "no_ref": "Which booking is it: what is the name, the booking number, or the day and time?",
        "nobody": "No matching booking found for “{said}”. Check the spelling, or give the number, phone or e-mail?",
        "too_short": "“{said}” is too short to search for. What is the full name or the booking number?",
        "what": "What should I change on that booking?",
        "when": "Which day or time should it be moved to?",
        "count": "How many guests should it be in all?",
        "email": "What is the new e-mail address?",
        "bad_email": "“{said}” does not look like an e-mail address. What is the right one?",
        "phone": "What is the new phone number?",
        "name": "What is the new name?",
        "name_part": "Is “{said}” the first name or the surname? What is the full name?",
        "note": "What should the note say?",
        "unclear": "I did not understand “{said}”. Could you say it another way?",
        "which_day": "Which day do you mean by “{said}”?",
        "which_time": "Which time do you mean by “{said}”: morning or afternoon?",
        "in_past": "“{said}” is in the past. Which day and time should it be?",
        "vague": "“{said}” is not exact. Which day and time should it be?",
        "mismatch": "In “{said}” the weekday and the date do not agree. Which day should it be?",
        "range": "“{said}” is a range. Which one time should it be?",
        "invalid": "“{said}” does not exist. Which day and time should it be?",
        "value": "What should the {said} be?",
        "all_dropped": "That was all of the plan. To drop it, say “no”. What should be changed instead?",
        "cancel_what": "Should I drop this plan (say “no”) or cancel the booking itself (say “cancel the booking”)?",
        "guests_or_time": "Do you mean {said} guests or {said} o'clock?",
        "cannot": "I cannot help with that here. I can: {can}.",
        "done": "All steps are done.",
        "gave_up": "The venue did not accept this: {said}",
    },
    "it": {
        "which": "Quale prenotazione intende?",
        "which_of": "Quale prenotazione intende: {rows}?",
        "no_ref": "Di quale prenotazione si tratta: nome, numero, oppure giorno e ora?",
        "nobody": "Nessuna prenotazione trovata per “{said}”. Può controllare, o darmi numero, telefono o email?",
        "too_short": "“{said}” è troppo corto per cercare. Qual è il nome completo o il numero di prenotazione?",
        "what": "Che cosa devo cambiare in quella prenotazione?",
        "when": "A quale giorno o a che ora devo spostarla?",
        "count": "Quanti ospiti devono essere in tutto?",
        "email": "Qual è il nuovo indirizzo email?",
        "bad_email": "“{said}” non sembra un indirizzo email. Qual è quello giusto?",
        "phone": "Qual è il nuovo numero di telefono?",
        "name": "Qual è il nuovo nome?",
        "name_part": "“{said}” è il nome o il cognome? Qual è il nome completo?",
        "note": "Che cosa devo scrivere nella nota?",
        "unclear": "Non ho capito “{said}”. Può dirlo in un altro modo?",
        "which_day": "Quale giorno intende con “{said}”?",
        "which_time": "Quale ora intende con “{said}”: mattina o pomeriggio?",
        "in_past": "“{said}” è già passato. Quale giorno e ora devo mettere?",
        "vague": "“{said}” non è preciso. Quale giorno e ora devo mettere?",
        "mismatch": "In “{said}” il giorno della settimana e la data non coincidono. Quale giorno devo mettere?",
        "range": "“{said}” è un intervallo. Quale ora esatta devo mettere?",
        "invalid": "“{said}” non esiste. Quale giorno e ora devo mettere?",
        "value": "Quale valore devo mettere per {said}?",
        "all_dropped": "Era tutto il piano. Per lasciarlo perdere, dica “no”. Che cosa devo cambiare invece?",
        "cancel_what": "Devo lasciar perdere questo piano (dica “no”) o annullare proprio la prenotazione "
        "(dica “annulla la prenotazione”)?",
        "guests_or_time": "Intende {said} ospiti o le ore {said}?",
        "cannot": "Qui non posso aiutare con questo. Posso: {can}.",
        "done": "Tutti i passi sono completati.",
        "gave_up": "La sede non ha accettato: {said}",
    },
}

_UNUSABLE = {
    "bad_email": "email",
    "invalid": "invalid_date|invalid_time|nonexistent_time",
    "mismatch": "weekday_mismatch",
    "range": "range_not_supported",
    "vague": "vague_day|vague_time|recurring_not_supported|duration_only",
    "when": "relative_to_booking",
    "which_day": "which_day|which_reading|several_dates|several_times",
    "which_time": "which_time|repeated_time",
}
_KEY_OF = {code: code for code in phrases("count|in_past|name_part|nobody|too_short")} | {
    code: key for key, codes in _UNUSABLE.items() for code in phrases(codes)
}


def say(locale: str, key: str, **values: str) -> str:
    """One sentence in the operator's language."""
    texts = _TEXT.get(locale[:2].lower(), _TEXT["en"])
    return texts[key].format(**values)


def gap(locale: str, kind: Kind) -> str:
    """The question for a value that is missing."""
    return say(locale, "what" if kind in (Kind.TOOL, Kind.REF) else kind.value)


def unclear(locale: str, code: str, said: str) -> str:
    """The question for a value that cannot be used as said."""
    return say(locale, _KEY_OF.get(code, "unclear"), said=said)


def which_of(locale: str, labels: Sequence[str]) -> str:
    """The question for one of several bookings."""
    shown = [label for label in labels if label][:5]
    return say(locale, "which_of", rows="; ".join(shown)) if shown else say(locale, "which")


def cannot(locale: str, can: Sequence[str], toolbox: Toolbox) -> str:
    """What can be done instead, as the prompt names it, else from the tools' own names."""
    named = [name[:1].lower() + name[1:] for name in can] or [re.sub("[_-]", " ", t.name) for t in toolbox.writes]
    return say(locale, "cannot", can=", ".join(named) or "—")
