"""Knowledge bases and the files generated from code.

Guarantees:
- The three that ship have the data of the contract's examples.
- A wrong, missing or unknown key is rejected with file and key; the files that ship pass the schema for editors.
- Special hours override holidays and closures, and those override weekdays, for `is_open_now` and the next open day,
  too.
- `openapi.json` and `kb.schema.json` are what the code generates.
"""

import json
from datetime import date, datetime
from pathlib import Path

import jsonschema
import pytest
from ruamel.yaml import YAML

from infra.config.settings import ROOT
from restaurant.generate import documents
from restaurant.hours import hours_of, next_open, open_now
from restaurant.knowledge import KnowledgeBase, KnowledgeError, read_file, read_folder
from restaurant.messages_it import written

FOLDER = ROOT / "restaurant" / "kb"
ALL = read_folder(FOLDER)
FACTS = {
    # max_people, cut-off, at once, stay, nearest, provider
    "roma": (8, 45, 3, 60, 2, "database"),
    "modena01": (4, 30, 3, 90, 3, "database"),
    "octodemo": (4, 30, 3, 60, 3, "database"),
}
LUNCH, EARLY, LONG = ("12:30", "14:30"), ("19:00", "22:30"), ("19:00", "23:00")
WEEKS = {
    # Monday to Sunday: (lunch, dinner)
    "roma": [(None, EARLY)] * 4 + [(LUNCH, LONG)] * 2 + [(None, None)],
    "modena01": [(None, None)] + [(LUNCH, EARLY)] * 3 + [(("12:00", "15:00"), ("19:00", "23:30"))] * 2 + [(None, None)],
    "octodemo": [(("12:00", "15:00"), LONG)] * 6 + [(None, None)],
}


@pytest.mark.parametrize("name", FACTS)
def test_what_ships(name: str) -> None:
    kb = ALL[name]
    found = (kb.max_people, kb.cutoff_minutes, kb.max_concurrent_bookings, kb.avg_stay_minutes, kb.nearest_slots)
    assert (*found, kb.provider) == FACTS[name]
    assert (kb.time_zone, kb.slot_step_minutes) == ("Europe/Rome", 30)
    for number, (lunch, dinner) in enumerate(WEEKS[name]):
        openings = hours_of(kb, date(2026, 2, 16 + number)).openings
        for service, pair in ((openings.lunch, lunch), (openings.dinner, dinner)):
            assert (service and (f"{service.first:%H:%M}", f"{service.last:%H:%M}")) == pair
    assert {"animals", "gluten", "outdoor", "parking"} <= {entry.id for entry in kb.faq}


def test_holidays() -> None:
    for name in ("roma", "modena01"):
        assert hours_of(ALL[name], date(2026, 12, 25)).closed and hours_of(ALL[name], date(2027, 1, 1)).closed
        assert [written(one) for one in hours_of(ALL[name], date(2026, 12, 31)).slots][-1] == "23:30"
    assert not hours_of(ALL["octodemo"], date(2026, 12, 25)).closed


BASE = YAML(typ="safe", pure=True).load((FOLDER / "roma.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"max_peopel": 3}, "max_peopel"),
        ({"max_people": 0}, "max_people"),
        ({"cutoff_minutes": None}, "cutoff_minutes"),
        ({"time_zone": "Europe/Roma"}, "IANA"),
        ({"phone": "06 1234"}, "phone"),
        ({"provider": "excel"}, "provider"),
        ({"openings": {"mondai": {}}}, "mondai"),
        ({"openings": {"monday": {"dinner": ["22:00", "19:00"]}}}, "before the first"),
        ({"openings": {"monday": {"dinner": ["19.00", "22:00"]}}}, "19:30"),
        ({"holidays": ["13-01"]}, "holidays"),
        ({"special_days": [{"dinner": ["19:00", "22:00"]}]}, "every_year"),
        ({"openings": {"monday": {"lunch": ["00:00", "23:30"]}}}, "next"),
        ({"restaurant_id": "other"}, "must be called so"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, change: dict[str, object], message: str) -> None:
    path = tmp_path / "roma.yaml"
    path.write_text(json.dumps({**BASE, **change}), encoding="utf-8")
    with pytest.raises(KnowledgeError, match=message) as caught:
        read_file(path)
    assert str(path) in str(caught.value)


def test_no_restaurant_at_all(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match="no knowledge base"):
        read_folder(tmp_path)
    (tmp_path / "a.yaml").write_text("{", encoding="utf-8")
    with pytest.raises(KnowledgeError, match="not YAML"):
        read_folder(tmp_path)


def test_special_hours_win() -> None:
    kb = KnowledgeBase.model_validate(
        {
            **BASE,
            "closures": [{"first": "2026-02-19", "last": "2026-02-21", "reason": "ferie"}],
            "special_days": [
                {"day": "2026-02-20", "lunch": ["12:00", "13:00"]},
                {"day": "2026-12-25", "dinner": ["20:00", "21:00"]},
            ],
        }
    )
    assert hours_of(kb, date(2026, 2, 19)).closed
    assert [written(one) for one in hours_of(kb, date(2026, 2, 20)).slots] == ["12:00", "12:30", "13:00"]
    assert not hours_of(kb, date(2026, 12, 25)).closed
    assert open_now(kb, datetime(2026, 2, 20, 13, 29)).open and not open_now(kb, datetime(2026, 2, 20, 13, 30)).open
    assert open_now(kb, datetime(2026, 2, 20, 20)).next_opening is None
    following = next_open(kb, date(2026, 2, 18))
    assert following is not None and following.day == date(2026, 2, 20)


def test_an_evening_beyond_midnight() -> None:
    kb = KnowledgeBase.model_validate(
        {**BASE, "openings": {"monday": {"dinner": ["19:00", "23:45"]}}, "slot_step_minutes": 15}
    )
    kb = kb.model_copy(update={"slot_step_minutes": 57})
    assert open_now(kb, datetime(2026, 2, 17, 0, 5)).open and not open_now(kb, datetime(2026, 2, 17, 1)).open


def test_a_restaurant_that_never_opens() -> None:
    kb = KnowledgeBase.model_validate({**BASE, "openings": {}, "special_days": []})
    assert next_open(kb, date(2026, 2, 18)) is None
    assert next_open(kb, date(9999, 12, 31)) is None


@pytest.mark.parametrize("name", FACTS)
def test_the_files_pass_the_schema_for_editors(name: str) -> None:
    schema = json.loads((FOLDER / "kb.schema.json").read_text(encoding="utf-8"))
    data = YAML(typ="safe", pure=True).load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))
    jsonschema.validate(json.loads(json.dumps(data, default=str)), schema)


def test_the_files_are_what_the_code_makes() -> None:
    for path, text in documents().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: run python -m restaurant.generate"
