"""The contract as read by an author who has not seen the code: moments, spoken days and times, questions.

Guarantees:
- Open now, and the next opening today, at every edge of the hours, on holidays and days of hours of their own.
- The contract's spoken days and times in words and figures, with other accents, apostrophes, capitals, full stops and
  polite phrases; a vague one and one that is not understood have their own codes.
- A question in Italian or English finds its entry, and one that is not about the restaurant finds none.
"""

from typing import Any

import pytest

from tests.support.restaurants import RunningRestaurant

pytestmark = pytest.mark.slow

OPEN: list[tuple[str, str, bool, str | None]] = [
    ("roma", "2026-02-18T00:00", False, "19:00"),
    ("roma", "2026-02-18T18:59", False, "19:00"),
    ("roma", "2026-02-18T19:00", True, None),
    ("roma", "2026-02-18T22:59", True, None),
    ("roma", "2026-02-18T23:00", False, None),
    ("roma", "2026-02-20T12:29", False, "12:30"),
    ("roma", "2026-02-20T14:59", True, None),
    ("roma", "2026-02-20T15:00", False, "19:00"),
    ("roma", "2026-02-20T23:30", False, None),
    ("roma", "2026-02-22T20:00", False, None),
    ("roma", "2026-12-25T20:00", False, None),
    ("roma", "2026-12-31T13:00", False, "19:00"),
    ("roma", "2026-12-31T23:59", True, None),
    ("roma", "2027-01-01T13:00", False, None),
    ("modena01", "2026-02-23T20:00", False, None),
    ("modena01", "2026-02-20T15:29", True, None),
    ("modena01", "2026-02-20T15:30", False, "19:00"),
]
DAYS = {
    "18": ["oggi", "OGGI!", "stasera", "questa sera"],
    "19": ["domani", " Domani. ", "domani sera", "per domani", "tra un giorno", "giovedì", "giovedi", "GIOVEDI'"],
    "20": ["dopodomani", "dopo domani", "tra due giorni", "il prossimo venerdì"],
    "21": ["tra tre giorni", "fra 3 giorni", "sabato", "di sabato", "questo sabato", "sabato sera", "sabato prossimo"],
    "22": ["tra quattro giorni", "domenica", "prossima domenica"],
    "23": ["lunedì", "lunedi\u0300", "lunedì prossimo", "prossimo lunedì"],
    "25": ["tra una settimana", "fra una settimana", "tra 1 settimana", "fra sette giorni", "mercoledì"],
    "28": ["tra dieci giorni"],
}
NO_DAYS = ["boh", "tra giorni", "tra -3 giorni", "tra 99999999999 giorni", "il 30 febbraio", "sabato o domenica", "👻"]
RELATIVE = {
    "18:15": ["tra un quarto d'ora", "tra 15 minuti"],
    "18:30": ["tra mezz'ora", "fra mezzora", "tra mezz’ora", "Tra mezza ora"],
    "19:00": ["tra un'ora", "fra un’ora", "tra un ora", "tra 1 ora", "tra sessanta minuti"],
    "19:30": ["fra un'ora e mezza", "tra 90 minuti", "tra un'ora e trenta minuti"],
    "20:00": ["tra 2 ore", "fra due ore"],
    "20:15": ["tra 2 ore e 15 minuti", "tra due ore e un quarto", "tra due ore e quindici minuti"],
    "20:30": ["tra 2 ore e mezza", "tra due ore e mezzo"],
}
ABSOLUTE = {
    "12:00": ["12", "mezzogiorno", "a mezzogiorno"],
    "12:30": ["mezzogiorno e mezzo", "12 e mezza"],
    "19:30": ["19 e mezzo", "alle 19 e 30", "19.30"],
    "19:45": ["19 e 45", "19.45", "20 meno un quarto", "diciannove e quarantacinque"],
    "20:00": ["20", "ore 20", "alle ore 20", "20 in punto", "alle 20, grazie", "alle venti", "alle 8 di sera"],
    "20:05": ["20 e 5", "20 e 05", "venti e cinque", "alle 20 e cinque"],
    "20:15": ["20 e un quarto", "20 e quindici", "alle venti e un quarto"],
    "20:30": ["20:30", "20 e 30", "20 e mezza", "20,30", "20h30", "20 : 30", "venti trenta", "alle venti e trenta"],
    "20:45": ["20 e tre quarti"],
    "21:00": ["21", "alle 21", "Alle 21.", "per le 21", "ventuno"],
}
VAGUE = ["verso", "verso le 8", "verso le 20", "più tardi", "piu tardi", "piu' tardi", "piu\u0300 tardi", "tra un po'"]
VAGUE += ["fra un po’", "tra un po", "un po' più tardi", "circa alle 20", "intorno alle 20"]
NO_TIMES = ["boh", "25", "20:75", "99:99", "20 e 75", "domani", "tra ore", "tra mille ore", "20:3a", "{{time}}", "👻"]
ASKED = {
    "parking": [
        "Avete il parcheggio?",
        "dove posso parcheggiare",
        "dove lascio la macchina?",
        "veniamo in auto",
        "Do you have parking?",
        "parcheggio",
    ],
    "gluten": [
        "Avete opzioni per celiaci senza glutine?",
        "Do you have gluten free options?",
        "I have coeliac disease",
    ],
    "animals": ["Posso portare il cane?", "Accettate animali?", "Are dogs allowed?", "can I bring my dog"],
    "outdoor": ["Avete tavoli all'aperto?", "si può mangiare fuori?", "Can we sit outside?"],
}
NOT_ASKED = [
    "Qual è la capitale della Francia?",
    "xyz",
    "???",
    "ciao",
    "c'è",
    "Avete il wifi?",
    "Posso pagare con bitcoin?",
]
NOT_ASKED += [
    "Vorrei prenotare per domani sera",
    "tavolo per due",
    "Can I have a table?",
    "Avete posto per quattro domani?",
]
NOT_ASKED += ["Avete la macchina del caffè?"]


@pytest.mark.parametrize(("place", "now", "open_now", "opens"), OPEN)
async def test_open_now(door: RunningRestaurant, place: str, now: str, open_now: bool, opens: str | None) -> None:
    door.at(now)
    answer = await door.ask("is_open_now", restaurant_id=place)
    assert answer == {"ok": True, "open_now": open_now, "next_opening_time": opens}


async def shown(door: RunningRestaurant, tool: str, texts: list[str]) -> list[tuple[str, dict[str, Any]]]:
    return [(text, await door.ask(tool, text=text)) for text in texts]


@pytest.mark.parametrize("day", DAYS)
async def test_days(door: RunningRestaurant, day: str) -> None:
    door.at("2026-02-18T18:00")
    for text, answer in await shown(door, "resolve_relative_day", DAYS[day]):
        assert answer["ok"] and answer["date"] == f"2026-02-{day}", text
        assert set(answer) == {"ok", "date", "day_label", "ambiguous"}


async def test_no_days(door: RunningRestaurant) -> None:
    for text, answer in await shown(door, "resolve_relative_day", NO_DAYS):
        assert answer.get("error_code") == "UNSUPPORTED_RELATIVE_DAY", text


@pytest.mark.parametrize("time", [*RELATIVE, *ABSOLUTE])
async def test_times(door: RunningRestaurant, time: str) -> None:
    door.at("2026-02-18T18:00")
    for text, answer in await shown(door, "resolve_relative_time", RELATIVE.get(time, []) + ABSOLUTE.get(time, [])):
        assert answer == {"ok": True, "time": time, "day_offset": 0, "ambiguous": False}, text


async def test_over_midnight(door: RunningRestaurant) -> None:
    door.at("2026-02-18T23:30")
    for text, time in (("tra un'ora", "00:30"), ("tra mezz'ora", "00:00")):
        answer = await door.ask("resolve_relative_time", text=text)
        assert (answer["time"], answer["day_offset"]) == (time, 1)


@pytest.mark.parametrize(
    ("texts", "code"), [(VAGUE, "VAGUE_TIME"), (NO_TIMES, "UNSUPPORTED_RELATIVE_TIME")], ids=["vague", "none"]
)
async def test_no_times(door: RunningRestaurant, texts: list[str], code: str) -> None:
    for text, answer in await shown(door, "resolve_relative_time", texts):
        assert answer.get("error_code") == code, text


async def test_questions(door: RunningRestaurant) -> None:
    entries = {entry.id: entry.answer for entry in door.service.desk.restaurants["roma"].kb.faq}
    for entry, questions in ASKED.items():
        for question in questions:
            answer = await door.ask("faq", question=question)
            assert answer == {"ok": True, "answer": entries[entry], "source": "kb"}, question
    for question in ("Posso pagare con carta?", "accettate la carta?", "Avete la carta dei vini?"):
        answer = await door.ask("faq", restaurant_id="octodemo", question=question)
        assert (answer["answer"] is None) is ("vini" in question), question
    for question in NOT_ASKED:
        assert await door.ask("faq", question=question) == {"ok": True, "answer": None, "source": None}, question
