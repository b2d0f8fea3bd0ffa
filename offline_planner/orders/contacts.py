"""Contact details of an order as arguments of a tool, and the error for unclear values."""

from __future__ import annotations

from contracts.enums import ParameterRole as Role
from language import check_email
from language.extraction import MentionKind
from offline_planner.orders.order import Order
from offline_planner.protocol import Arguments
from offline_planner.tools import Tool


class UnclearError(Exception):
    """Report a value that cannot be used as stated; `code` is the sentence to ask with, `text` the words it names."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(code)
        self.code = code
        self.text = text


def contact_of(order: Order, tool: Tool) -> Arguments:
    """Return the new e-mail address, phone number and name. Raises `UnclearError`."""
    found: Arguments = {}
    for mention in order.claims:
        if mention.kind in (MentionKind.EMAIL, MentionKind.PHONE):
            role = Role.EMAIL if mention.kind is MentionKind.EMAIL else Role.PHONE
            if role is Role.EMAIL and not check_email(mention.values[0]).ok:
                raise UnclearError("bad_email", mention.text)
            found |= _put(tool, role, mention.values[0], mention.text)
    for name in order.names:
        words = name.text.split()
        if name.part == "whole" and len(words) < 2:
            raise UnclearError("name_part", name.text)
        if name.part in ("last", "whole"):
            found |= _put(tool, Role.LAST_NAME, " ".join(words[1:]) if name.part == "whole" else name.text, name.text)
        if name.part in ("first", "whole"):
            found = _put(tool, Role.FIRST_NAME, words[0] if name.part == "whole" else name.text, name.text) | found
    return found


def _put(tool: Tool, role: Role, value: str, text: str) -> Arguments:
    param = tool.with_role(role)
    if param is None:
        raise UnclearError("unclear", text)
    return {param.name: value}
