"""E-mail addresses and phone numbers: whole, as said, and in the one form that a venue keeps."""

from __future__ import annotations

import re

from contracts.action import ActionParameter
from contracts.base import Json
from contracts.enums import ParameterRole
from language import check_email, to_e164
from language.spoken import figures_said
from reasoning.bearing.context import Context, Doubt, Held, doubt
from reasoning.evidence import Claim, Kind

_SHORT_TAIL = 2
"""Figures of the shortest ending that can be put right by itself."""


def email(context: Context, parameter: ActionParameter, value: Json) -> Held | Doubt:
    """An address. One that is mistyped gives way to the only one that was written."""
    given = check_email(str(value))
    said = context.evidence.standing(Kind.EMAIL)
    options = tuple(sorted(claim.values[0] for claim in said))
    if given.normalised is None:
        return doubt(parameter, (), ParameterRole.EMAIL)
    for claim in said:
        if claim.values[0].casefold() == given.normalised.casefold():
            return Held(claim.values[0])
    if len(said) == len(context.evidence.of(Kind.EMAIL)) == 1 and "@" in said[0].text:
        return Held(said[0].values[0])
    return doubt(parameter, options, ParameterRole.EMAIL)


def phone(context: Context, parameter: ActionParameter, value: Json) -> Held | Doubt:
    """A phone number, whatever the spelling; a country that nobody said makes it another number."""
    country = context.evidence.setting.profile.country
    said = context.evidence.standing(Kind.PHONE)
    same = [claim for claim in said if _same(str(value), claim, country)]
    forms = {claim.values[0] for claim in same}
    if not forms and len(context.evidence.of(Kind.PHONE)) == len(said):
        forms = {claim.values[0] for claim in said if re.search(r"\d{3}", claim.text)}
    if len(forms) == 1:
        return Held(forms.pop())
    mended = to_e164(str(value), country)
    if not said and _is_a_new_ending(context, mended.e164 or mended.digits, context.pending(parameter)):
        return Held(mended.e164 or str(value))
    return doubt(parameter, tuple(claim.text for claim in said), ParameterRole.PHONE)


def _is_a_new_ending(context: Context, value: str, pending: Json) -> bool:
    """ "It ends in 094": the number that waits, with another ending."""
    if not isinstance(pending, str) or not context.evidence.messages:
        return False
    old, new = re.sub(r"\D", "", pending), re.sub(r"\D", "", value)
    latest = context.evidence.messages[0]
    for run in figures_said(latest.text, latest.locale):
        tail = len(run.written)
        if _SHORT_TAIL <= tail < len(new) and new.endswith(run.written) and new[:-tail] == old[:-tail]:
            return True
    return False


def _same(value: str, claim: Claim, country: str) -> bool:
    given = to_e164(value, country)
    if given.e164 is not None or claim.values[0].startswith("+"):
        return given.e164 == to_e164(claim.values[0], country).e164
    return given.digits.lstrip("0") == re.sub(r"\D", "", claim.values[0]).lstrip("0")
