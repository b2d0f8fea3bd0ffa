"""What people say ↔ values: days, times, counts, contacts and labels, in English and Italian. Pure, no I/O.

resolve, find_when        a phrase, or a longer text, → days and times
parse_count, find_counts  head counts, absolute or relative to a booking
find_emails, find_phones, to_e164, one_number, check_email
day_label … time_label     values → words
"""

from __future__ import annotations

from language.contacts.contacts import PhoneReading, check_email, find_emails, find_phones, one_number, to_e164
from language.dates.resolution import Candidate, Resolution, Shift, Status, VenuePolicy, When
from language.dates.resolver import find_when, resolve
from language.locales import SUPPORTED, UnsupportedLocaleError
from language.messages.formatting import (
    count_label,
    day_and_time_label,
    day_label,
    join_labels,
    relative_day_label,
    spoken_day_label,
    spoken_time_label,
    time_label,
)
from language.numbers.counts import Count, CountError, find_counts, parse_count

__all__ = [
    "SUPPORTED",
    "Candidate",
    "Count",
    "CountError",
    "PhoneReading",
    "Resolution",
    "Shift",
    "Status",
    "UnsupportedLocaleError",
    "VenuePolicy",
    "When",
    "check_email",
    "count_label",
    "day_and_time_label",
    "day_label",
    "find_counts",
    "find_emails",
    "find_phones",
    "find_when",
    "join_labels",
    "one_number",
    "parse_count",
    "relative_day_label",
    "resolve",
    "spoken_day_label",
    "spoken_time_label",
    "time_label",
    "to_e164",
]
