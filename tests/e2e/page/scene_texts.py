"""The texts of the stand-in's plans, in both languages: titles, preview lines, guests. All of it is invented."""

from collections.abc import Mapping
from typing import Any

PREVIEWS: Mapping[str, Mapping[str, list[dict[str, Any]]]] = {
    "en": {
        "move": [{"field": "When", "before": "Fri 27 Nov, 2:00 pm", "after": "Sat 28 Nov, 3:00 pm"}],
        "count": [
            {"field": "Guests", "before": "12", "after": "14"},
            {"field": "Total", "before": "$264.00", "after": "$308.00"},
            {"field": "Left to pay", "before": "", "after": "$44.00", "lasting": True},
        ],
        "note": [{"field": "Note", "before": "", "after": "Nut allergy: keep the cake away from table 4"}],
        "cancel": [
            {"field": "Booking", "before": "Sat 28 Nov, 3:00 pm, 12 guests", "after": "Cancelled for good"},
            {"field": "Paid", "before": "$264.00 of $264.00", "after": "stays recorded; no money is moved by this"},
        ],
    },
    "it": {
        "move": [{"field": "Quando", "before": "ven 27 nov, 14:00", "after": "sab 28 nov, 15:00"}],
        "count": [
            {"field": "Ospiti", "before": "12", "after": "14"},
            {"field": "Totale", "before": "264,00 €", "after": "308,00 €"},
            {"field": "Ancora da pagare", "before": "", "after": "44,00 €", "lasting": True},
        ],
        "note": [{"field": "Nota", "before": "", "after": "Allergia alle noci: la torta lontano dal tavolo 4"}],
        "cancel": [
            {
                "field": "Prenotazione",
                "before": "sab 28 nov, 15:00, 12 ospiti",
                "after": "Annullata in modo definitivo",
            },
            {"field": "Pagato", "before": "264,00 € su 264,00 €", "after": "resta registrato; non si sposta denaro"},
        ],
    },
}

TITLES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "move": "Reschedule booking",
        "count": "Change guest count",
        "note": "Edit note",
        "cancel": "Cancel booking",
    },
    "it": {
        "move": "Sposta prenotazione",
        "count": "Cambia numero di ospiti",
        "note": "Modifica nota",
        "cancel": "Annulla prenotazione",
    },
}

LABELS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "move": "Move to Sat 28 Nov, 3:00 pm",
        "count": "Change to 14 guests",
        "note": "Save the note",
        "cancel": "Cancel for good",
    },
    "it": {
        "move": "Sposta a sab 28 nov, 15:00",
        "count": "Porta a 14 ospiti",
        "note": "Salva la nota",
        "cancel": "Annulla definitivamente",
    },
}

WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "which": "Which booking do you mean?",
        "summary": "Emma Winterbourne (booking 8231) is now on Sat 28 Nov, 3:00 pm.",
        "cancelled": "Booking 8231 (Emma Winterbourne) is cancelled.",
        "question": "How will the extra $44.00 be paid? (This fills in “Payment”.)",
        "full": "There is not enough room for 14 guests at that time.",
        "manual_move": "In Venue Manager, move booking 8231 (Emma Winterbourne) back to Fri 27 Nov, 2:00 pm.",
        "manual_pay": "Check whether the $44.00 was charged, and give it back if it was.",
        "person": "I have handed this to a colleague: a refund needs somebody at the venue to decide.",
        "answer": "Emma Winterbourne, Sat 28 Nov, 3:00 pm, 14 guests; Noah Brown, Sat 28 Nov, 4:30 pm, 8 guests.",
        "venue": "Thunder Alley",
        "note_line": "Reading line {n} of the venue's list…",
        "away": "ROLLER is not available right now. No booking was changed by this message. Try again in a few minutes",
        "bad_edit": "11:00 pm is outside opening hours: a booking can start from 9:00 am and before 8:00 pm.",
    },
    "it": {
        "which": "Quale prenotazione intende?",
        "summary": "Emma Winterbourne (prenotazione 8231) è ora sab 28 nov alle 15:00.",
        "cancelled": "La prenotazione 8231 (Emma Winterbourne) è annullata.",
        "question": "Come saranno pagati i 44,00 € in più? (Serve a compilare “Pagamento”.)",
        "full": "A quell'ora non c'è posto per 14 ospiti.",
        "manual_move": "In Venue Manager, riporti la prenotazione 8231 (Emma Winterbourne) a ven 27 nov, 14:00.",
        "manual_pay": "Controlli se i 44,00 € sono stati addebitati e, in tal caso, li restituisca.",
        "person": "Ho passato la richiesta a un collega: per un rimborso deve decidere qualcuno del locale.",
        "answer": "Emma Winterbourne, sab 28 nov, 15:00, 14 ospiti; Noah Brown, sab 28 nov, 16:30, 8 ospiti.",
        "venue": "Vicolo del Tuono",
        "note_line": "Leggo la riga {n} dell'elenco del locale…",
        "away": "ROLLER non è disponibile in questo momento. Nessuna prenotazione è stata modificata. Riprovi tra poco",
        "bad_edit": "Alle 23:00 la struttura è chiusa: si può cominciare dalle 9:00 e prima delle 20:00.",
    },
}

TRIES: Mapping[str, list[str]] = {
    "en": [
        "move the Winterbourne party to Saturday at 3pm",
        "make the Brown booking 14 kids, with a note about nuts",
        "who is coming on Saturday?",
    ],
    "it": [
        "sposta la festa Winterbourne a sabato alle 15",
        "porta la prenotazione Brown a 14 bambini, con una nota sulle noci",
        "chi viene sabato?",
    ],
}

GUESTS = [
    ("09:30", "Ava Nguyen", 6),
    ("10:00", "Liam O'Connor", 10),
    ("10:30", "Mia Rossi", 4),
    ("11:00", "Zoë Müller-Lüdenscheidt", 18),
    ("12:00", "Jack Harris", 2),
    ("13:30", "Olivia Chen", 9),
    ("15:00", "Amelia Kaur", 7),
    ("16:30", "Noah Brown", 8),
    ("17:00", "<b>Robert</b> & Sons", 5),
]
