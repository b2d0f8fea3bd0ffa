"""An operator's messages when something goes wrong.

Guarantees:
- every `ErrorType` has a sentence and a way out, in every language, with the content of the specification's table;
- 429 gives the seconds until the retry, never too few, and "a minute" when the venue gives none;
- a failed look-up becomes the matching service error and keeps its text and its wait;
- a question lists possible values in the operator's language: days by name, times in the local clock format;
- an unavailable dependency is named; only a caller that knows it reports that nothing was changed.
"""

from collections.abc import Iterator
from datetime import date

import pytest

from contracts.enums import ErrorType, ParameterRole, ServiceErrorType
from contracts.errors import VenueFailure
from language.messages.catalogue import activate_locale, translate
from reasoning import error_messages
from reasoning.grounding.grounding import Ungrounded
from tests.support.tables import table


@pytest.mark.parametrize("locale", ["en-AU", "it-IT"])
@pytest.mark.parametrize("kind", ErrorType)
def test_every_error_has_a_sentence_and_a_way_out(kind: ErrorType, locale: str) -> None:
    activate_locale(locale)
    message, suggestions = error_messages.failure_message(kind)

    assert message.endswith(".")
    assert message[0].isupper()
    assert suggestions
    assert all(suggestions)
    activate_locale("en")
    assert error_messages.failure_message(kind)[0] == message or locale == "it-IT"
    assert not any(jargon in message.lower().split() for jargon in ("http", "4xx", "5xx", "exception", "none", "null"))


@pytest.mark.parametrize(("kind", "says"), [
    (ErrorType.UNAUTHORIZED, "sign in again"), (ErrorType.FORBIDDEN, "sign in again"),
    (ErrorType.NOT_FOUND, "no longer exists"), (ErrorType.NOT_FOUND, "changed or deleted"),
    (ErrorType.CONFLICT, "refresh the booking and try again"), (ErrorType.SERVER_ERROR, "temporarily unavailable"),
    (ErrorType.TIMEOUT, "connection"), (ErrorType.NETWORK, "connection"), (ErrorType.UNKNOWN_OUTCOME, "not certain"),
])  # fmt: skip
def test_the_words_are_the_specifications(kind: ErrorType, says: str) -> None:
    message, suggestions = error_messages.failure_message(kind)

    assert says in f"{message} {' '.join(suggestions)}".lower()


@pytest.mark.parametrize(("wait", "text"), [
    (5, "Retry in 5 seconds"), (1, "Retry in 1 second"), (29.4, "Retry in 30 seconds"), (0.2, "Retry in 1 second"),
    (90, "Retry in 90 seconds"), (None, "Retry in a minute"), (0, "Retry in a minute"),
])  # fmt: skip
def test_a_busy_venue_says_when_to_retry(wait: float | None, text: str) -> None:
    message, suggestions = error_messages.failure_message(ErrorType.RATE_LIMITED, wait)

    assert message.endswith(f"{text}.")
    assert suggestions == (text,)


@table("kind, service", [
    (ErrorType.UNAUTHORIZED, ServiceErrorType.UNAUTHORIZED), (ErrorType.FORBIDDEN, ServiceErrorType.FORBIDDEN),
    (ErrorType.NOT_FOUND, ServiceErrorType.NOT_FOUND), (ErrorType.CONFLICT, ServiceErrorType.CONFLICT),
    (ErrorType.RATE_LIMITED, ServiceErrorType.RATE_LIMITED),
    (ErrorType.BAD_REQUEST, ServiceErrorType.SERVICE_UNAVAILABLE),
    (ErrorType.SERVER_ERROR, ServiceErrorType.SERVICE_UNAVAILABLE),
    (ErrorType.TIMEOUT, ServiceErrorType.SERVICE_UNAVAILABLE),
    (ErrorType.NETWORK, ServiceErrorType.SERVICE_UNAVAILABLE),
    (ErrorType.UNKNOWN_OUTCOME, ServiceErrorType.SERVICE_UNAVAILABLE),
])  # fmt: skip
def test_a_failed_look_up_becomes_the_matching_service_error(kind: ErrorType, service: ServiceErrorType) -> None:
    words = {"message": "Words.", "suggestions": ("A way out",), "retry_after_seconds": 7}
    failure = VenueFailure.model_validate({"error_type": kind, "status": 401, **words})

    error = error_messages.service_error(failure)

    assert error.error_type is service
    assert (error.message, error.suggestions, error.retry_after_seconds) == ("Words.", ["A way out"], 7)


def test_what_is_down_is_named_and_what_that_means_is_stated_apart() -> None:
    error = error_messages.unavailable_error("venue")

    assert error.error_type is ServiceErrorType.SERVICE_UNAVAILABLE
    assert error.message == "The booking system is not available right now."
    shown = error_messages.unavailable_error("venue", "unavailable.no_booking_changed").message
    assert shown == "The booking system is not available right now. No booking was changed by this message."
    assert error.retry_after_seconds
    assert error.suggestions
    activate_locale("it")
    assert error_messages.unavailable_error("venue").message != error.message


def test_advice_to_rephrase_offers_the_venues_shortcuts() -> None:
    assert error_messages.rephrase(("Move a booking", "Add a note")).endswith(
        "You can also try: Move a booking, Add a note."
    )
    assert "also try" not in error_messages.rephrase(())


@pytest.fixture
def _english_again() -> Iterator[None]:
    yield
    activate_locale("en")


@pytest.mark.usefixtures("_english_again")
@pytest.mark.parametrize(("locale", "role", "options", "asked"), [
    ("en-AU", ParameterRole.TIME, ("16:00", "04:00"), "It could be 4pm or 4am."),
    ("en-GB", ParameterRole.TIME, ("16:30", "12:00"), "It could be 4:30pm or 12pm."),
    ("it-IT", ParameterRole.TIME, ("16:00", "04:00"), "16:00 o 04:00"),
    ("en-AU", ParameterRole.DATE, ("2026-11-28", "2026-12-05"), "Saturday 28 November or Saturday 5 December."),
    ("en-AU", ParameterRole.DATE, ("2026-12-28", "2027-01-02"), "Monday 28 December or Saturday 2 January 2027."),
    ("it-IT", ParameterRole.DATE, ("2026-11-28", "2027-01-02"), "sabato 28 novembre o sabato 2 gennaio 2027"),
    ("en-AU", ParameterRole.DATE, ("2026-11-03",), "Tuesday 3 November has already passed. Which day should it be?"),
    ("it-IT", ParameterRole.DATE, ("2026-11-03",), "martedì 3 novembre: è un momento già passato. Che giorno"),
    ("en-AU", ParameterRole.COUNT, ("10", "12"), "It could be 10 or 12."),
    ("en-AU", ParameterRole.TIME, ("16:00", "after lunch"), "It could be 4pm or after lunch."),
])  # fmt: skip
def test_what_it_could_be_is_stated_as_people_say_it(
    locale: str, role: ParameterRole, options: tuple[str, ...], asked: str
) -> None:
    activate_locale(locale)
    assert asked in error_messages.doubt(Ungrounded(role, "new_value", options), date(2026, 11, 22))


@pytest.mark.parametrize("kind", [ErrorType.NETWORK, ErrorType.TIMEOUT, ErrorType.SERVER_ERROR])
def test_a_write_that_was_sent_and_does_not_show_is_looked_at_before_it_is_repeated(kind: ErrorType) -> None:
    message, again = error_messages.failure_message(kind)
    failure = VenueFailure(error_type=kind, message=message, suggestions=(*again, "Say another time."))
    text = error_messages.not_shown(failure)
    assert text.message.startswith(message) and "Nothing of this change shows so far" in text.message
    assert text.suggestions == (translate("next.unknown_outcome"), "Say another time.")


def test_a_refusal_that_says_what_is_wrong_stays_as_it_is() -> None:
    failure = VenueFailure(error_type=ErrorType.CONFLICT, message="It is full.", suggestions=("Say another time.",))
    assert error_messages.not_shown(failure) == failure
