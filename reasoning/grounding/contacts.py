"""Grounds e-mail addresses and phone numbers: whole, as written, and in the one form that a venue stores."""

from __future__ import annotations

import re

from contracts.action import ActionParameter
from contracts.base import Json
from contracts.enums import ParameterRole
from language import check_email, to_e164
from language.contacts.spoken import spoken_figures
from language.extraction import Mention, MentionKind
from reasoning.grounding.context import Accepted, GroundingContext, Ungrounded, ungrounded

_SHORT_TAIL = 2
"""Digits of the shortest ending that can be corrected by itself."""


def ground_email(context: GroundingContext, parameter: ActionParameter, value: Json) -> Accepted | Ungrounded:
    """Ground an address. A mistyped one is replaced by the only one that the operator wrote."""
    given = check_email(str(value))
    mentions = context.evidence.asserted(MentionKind.EMAIL)
    options = tuple(sorted(claim.values[0] for claim in mentions))
    if given.normalised is None:
        return ungrounded(parameter, (), ParameterRole.EMAIL)
    for mention in mentions:
        if mention.values[0].casefold() == given.normalised.casefold():
            return Accepted(mention.values[0])
    if len(mentions) == len(context.evidence.of(MentionKind.EMAIL)) == 1 and "@" in mentions[0].text:
        return Accepted(mentions[0].values[0])
    return ungrounded(parameter, options, ParameterRole.EMAIL)


def ground_phone(context: GroundingContext, parameter: ActionParameter, value: Json) -> Accepted | Ungrounded:
    """Ground a phone number in any spelling. A country that the operator did not give makes it another number."""
    country = context.evidence.setting.profile.country
    mentions = context.evidence.asserted(MentionKind.PHONE)
    same = [mention for mention in mentions if _same(str(value), mention, country)]
    forms = {claim.values[0] for claim in same}
    if not forms and len(context.evidence.of(MentionKind.PHONE)) == len(mentions):
        forms = {claim.values[0] for claim in mentions if re.search(r"\d{3}", claim.text)}
    if len(forms) == 1:
        return Accepted(forms.pop())
    mended = to_e164(str(value), country)
    if not mentions and _is_a_new_ending(context, mended.e164 or mended.digits, context.pending(parameter)):
        return Accepted(mended.e164 or str(value))
    return ungrounded(parameter, tuple(claim.text for claim in mentions), ParameterRole.PHONE)


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
