"""A phone as a provider has it, in E.164 form where it can be brought to it, so that two of them can be compared."""

import re

import phonenumbers

_BETWEEN = re.compile(r"[\s().\-/]+")
_E164 = re.compile(r"\+[1-9][0-9]{6,14}")


class Phones:
    """Reads phones as they are written in the country of a restaurant, known by its own number (E.164)."""

    def __init__(self, own: str) -> None:
        self._region = phonenumbers.region_code_for_country_code(phonenumbers.parse(own).country_code or 0)

    def e164(self, text: object) -> str:
        """E.164; the text as it is where it cannot be brought to that form; "" for none.

        No numbering plan is asked: a number that is out of use, or of nine digits, is a number."""
        if not isinstance(text, str):
            return "" if text is None else str(text)
        bare = _BETWEEN.sub("", text)
        bare = f"+{bare[2:]}" if bare.startswith("00") else bare
        if _E164.fullmatch(bare):
            return bare
        try:
            number = phonenumbers.parse(bare, self._region)
        except phonenumbers.NumberParseException:
            return text.strip()
        return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
