"""Claims about contact details, as written or as spoken."""

from __future__ import annotations

from language import check_email, find_emails, find_phones, to_e164
from language.contacts.spoken import spoken_emails, spoken_phones
from language.dates.resolution import Span
from language.extraction.mention import Mention, MentionKind, stated
from language.extraction.message import Message


def contacts(message: Message, locale: str, country: str) -> list[Mention]:
    """Return every address and phone number. `values`: the form that the venue keeps; the figures where it is no
    number."""
    claims = []
    for email in find_emails(message.text):
        claims.append(
            _contact(message, MentionKind.EMAIL, email.span, check_email(email.text).normalised or email.text)
        )
    for spoken in spoken_emails(message.text, locale):
        if not _over(spoken.span, claims) and (normalised := check_email(spoken.written).normalised):
            claims.append(_contact(message, MentionKind.EMAIL, spoken.span, normalised))
    for phone in find_phones(message.text, country):
        if not _over(phone.span, claims):
            claims.append(_contact(message, MentionKind.PHONE, phone.span, phone.phone.e164 or phone.phone.text))
    for spoken in spoken_phones(message.text, locale):
        if not _over(spoken.span, claims):
            reading = to_e164(spoken.written, country)
            claims.append(_contact(message, MentionKind.PHONE, spoken.span, reading.e164 or reading.digits))
    return sorted(claims, key=lambda claim: claim.span)


def _over(span: Span, mentions: list[Mention]) -> bool:
    return any(mention.span[0] < span[1] and span[0] < mention.span[1] for mention in mentions)


def _contact(message: Message, kind: MentionKind, span: Span, value: str) -> Mention:
    return stated(message, kind, span, values=(value,), certain=True)
