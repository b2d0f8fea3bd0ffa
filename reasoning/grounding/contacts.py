"""Grounds e-mail addresses and phone numbers: whole, as written, and in the one form that a venue stores."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import partial

from contracts.action import ActionParameter
from contracts.base import Json
from contracts.enums import ParameterRole
from language import check_email, to_e164
from language.contacts.contacts import spoken_figures
from language.extraction import Mention, MentionKind
from language.extraction.booking_references import name_words
from language.extraction.message import Message
from language.locales import alternatives
from reasoning.grounding.context import GroundingContext, Ungrounded, ungrounded

_of = partial(alternatives, "grounding")
_NOUN = _of("CONTACT_NOUN")
_ALONE = 2
"""Words beside an address in a message that has little else."""
_GIVEN = re.compile(rf"(?:\b(?:{_of('GIVES_CONTACT')})|\b(?:{_NOUN})(?: (?:to|as|in|a))?|->|=>|[=:→>])$")
_LINK = re.compile(rf"\b(?:{_of('CONTACT_LINK')})$")
_CHANGES = re.compile(rf"\b(?:{_of('CHANGES_CONTACT')})\b")
_REACHES = re.compile(rf"\b(?:{_of('REACHES_GUEST')})\b")
_TAKES_OVER = re.compile(_of("CONTACT_TAKES_OVER"))
_OF_WHOM = re.compile(
    rf"\b(?:{_NOUN})(?: (?:{_of('NEW_CONTACT')}))? (?:{_of('CONTACT_OF')})(?: |(?<=')) *(?P<whom>\w[\w' -]{{0,40}})$"
)
"""Matches the guest whose address or number follows: "phone of Ann Pryor 0400 772 815"."""
_SHORT_TAIL = 2
"""Digits of the shortest ending that can be corrected by itself."""


def ground_email(context: GroundingContext, parameter: ActionParameter, value: Json) -> Json | Ungrounded:
    """Ground an address. A mistyped one is replaced by the only one that the operator wrote."""
    given = check_email(str(value))
    mentions = _of_the_guest(context, MentionKind.EMAIL)
    options = tuple(sorted(claim.values[0] for claim in mentions))
    if given.normalised is None:
        return ungrounded(parameter, (), ParameterRole.EMAIL)
    for mention in mentions:
        if mention.values[0].casefold() == given.normalised.casefold():
            return mention.values[0]
    if len(mentions) == len(context.evidence.of(MentionKind.EMAIL)) == 1 and "@" in mentions[0].text:
        return mentions[0].values[0]
    return ungrounded(parameter, options, ParameterRole.EMAIL)


def ground_phone(context: GroundingContext, parameter: ActionParameter, value: Json) -> Json | Ungrounded:
    """Ground a phone number in any spelling. A country that the operator did not give makes it another number."""
    country = context.evidence.setting.profile.country
    mentions = _of_the_guest(context, MentionKind.PHONE)
    same = [mention for mention in mentions if _same(str(value), mention, country)]
    forms = {claim.values[0] for claim in same}
    if not forms and len(context.evidence.of(MentionKind.PHONE)) == len(mentions):
        forms = {claim.values[0] for claim in mentions if re.search(r"\d{3}", claim.text)}
    if len(forms) == 1:
        return forms.pop()
    mended = to_e164(str(value), country)
    if not mentions and _is_a_new_ending(context, mended.e164 or mended.digits, context.pending(parameter)):
        return mended.e164 or str(value)
    return ungrounded(parameter, tuple(claim.text for claim in mentions), ParameterRole.PHONE)


def _of_the_guest(context: GroundingContext, kind: MentionKind) -> list[Mention]:
    """Return the mentions that the words make the guest's new address or number. The operator's own ("email me at"),
    an old one and one that something went to have no such words around them. A new booking has any."""
    mentions = context.evidence.asserted(kind)
    if context.booking is None or context.expected in (ParameterRole.EMAIL, ParameterRole.PHONE):
        return list(mentions)
    names = name_words(context.booking)
    return [mention for mention in mentions if _is_given(context.evidence.messages[mention.message], mention, names)]


def _is_given(message: Message, mention: Mention, names: Collection[str]) -> bool:
    start, end = mention.span
    beside = sum(not start <= word.start < end for word in message.words)
    clause = max((stop for stop in message.stops if stop < start and message.text[stop] != ":"), default=0)
    front = message.plain[clause:start].rstrip(" ('\"")
    return (
        beside <= _ALONE
        or _GIVEN.search(front) is not None
        or (_LINK.search(front) is not None and _CHANGES.search(front) is not None)
        or (_LINK.search(front) is not None and _REACHES.search(front) is not None)
        or _TAKES_OVER.match(message.plain, end) is not None
        or ((of := _OF_WHOM.search(front)) is not None and set(re.findall(r"\w+", of["whom"])) <= set(names))
    )


def _is_a_new_ending(context: GroundingContext, value: str, pending: Json) -> bool:
    """Return the waiting number with another ending: "It ends in 094"."""
    if not isinstance(pending, str) or not context.evidence.messages:
        return False
    old, new = re.sub(r"\D", "", pending), re.sub(r"\D", "", value)
    latest = context.evidence.messages[0]
    for run in spoken_figures(latest.text, latest.locale):
        tail = len(run.written)
        if _SHORT_TAIL <= tail < len(new) and new.endswith(run.written) and new[:-tail] == old[:-tail]:
            return True
    return False


def _same(value: str, mention: Mention, country: str) -> bool:
    given = to_e164(value, country)
    if given.e164 is not None or mention.values[0].startswith("+"):
        return given.e164 == to_e164(mention.values[0], country).e164
    return given.digits.lstrip("0") == re.sub(r"\D", "", mention.values[0]).lstrip("0")
