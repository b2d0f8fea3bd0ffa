"""Coverage-guided fuzzing of everything that reads what people type, with atheris (`pip install '.[bench]'`).

Run as `iq bench when_fuzz [SECONDS]` (60 by default). Fails on an exception, and on a value read from a text without a
digit or a date word. The last line is JSON.
"""

import json
import os
import sys
from datetime import datetime
from zoneinfo import ZoneInfo

try:
    import atheris
except ModuleNotFoundError:
    sys.exit("iq: this needs atheris, on Linux: pip install '.[bench]'")

with atheris.instrument_imports(include=["language"]):
    from language import find_counts, find_emails, find_phones, find_when, resolve
    from language.locales import SUPPORTED, get_locale
    from language.text.lexer import fold

_NOW = datetime(2026, 11, 21, 10, tzinfo=ZoneInfo("Europe/Rome"))
_SAYING = frozenset(word for code in SUPPORTED for word in get_locale(code).words) | frozenset(
    word for code in SUPPORTED for word in get_locale(code).phrase_words
)
_runs = 0


class InventedError(AssertionError):
    """A value from nothing."""


def one(data: bytes) -> None:
    """One text, as the fuzzer makes it up."""
    global _runs  # noqa: PLW0603 - the fuzzer calls a plain function
    _runs += 1
    provider = atheris.FuzzedDataProvider(data)
    locale = SUPPORTED[provider.ConsumeIntInRange(0, len(SUPPORTED) - 1)]
    text = provider.ConsumeUnicodeNoSurrogates(200)
    found = resolve(text, now=_NOW, tz="Europe/Rome", locale=locale)
    find_when(text, now=_NOW, tz="Europe/Rome", locale=locale)
    find_counts(text, locale)
    find_emails(text)
    find_phones(text, "AU")
    says_something = any(c.isdigit() for c in text) or any(
        word in _SAYING for word in "".join(c if c.isalnum() else " " for c in fold(text)).split()
    )
    if found.ok and not says_something:
        raise InventedError(f"{text!r} became {found.date} {found.time}")


def main() -> None:
    """Fuzz for a while; the exit code is not 0 when something was found."""
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    child = os.fork()
    if child == 0:
        atheris.Setup([sys.argv[0], f"-max_total_time={seconds}", "-rss_limit_mb=0", "-print_final_stats=1"], one)
        atheris.Fuzz()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    print(json.dumps({"seconds": seconds, "found": code != 0}))
    sys.exit(1 if code else 0)


if __name__ == "__main__":
    main()
