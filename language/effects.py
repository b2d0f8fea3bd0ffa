"""Stub until the money branch lands."""


def without_effect_claims(text: str, locale: str) -> str:
    """As it is."""
    return text
