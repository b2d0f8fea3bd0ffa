"""A phone as a provider has it, in E.164 form where it can be brought to it, so that two of them can be compared."""

import phonenumbers

from language.contacts import one_number


class Phones:
    """Reads phones as they are written in the country of a restaurant, known by its own number (E.164)."""

    def __init__(self, own: str) -> None:
        self._region = phonenumbers.region_code_for_country_code(phonenumbers.parse(own).country_code or 0)

    def e164(self, text: object) -> str:
        """E.164; the text as it is where it cannot be brought to that form; "" for none."""
        if not isinstance(text, str):
            return "" if text is None else str(text)
        return one_number(text, self._region) or text.strip()
