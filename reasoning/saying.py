"""What a model says to an operator, as it may be passed on: what it claims to have done is the core's to tell.

Judged in the activity and carried in the reply, because the grammar behind it changes with deploys and a replay must
not judge anew.
"""

from contracts.model import ModelReply, ModelWords
from language import effects
from reasoning.prompting import ASK, REFUSE

_SPEAKING = {ASK: "question", REFUSE: "message"}


def said_by(reply: ModelReply) -> str:
    """A reply's words to the operator: of the first call that speaks, else its text."""
    for call in reply.tool_calls:
        if call.name in _SPEAKING and not call.problems:
            return str(call.arguments.get(_SPEAKING[call.name]) or reply.text)
    return reply.text


def plain_words(text: str, locale: str) -> ModelWords:
    """A text without its claims about effects."""
    plain = effects.without_effect_claims(text, locale)
    return ModelWords(plain=plain, only_asks=plain == text.strip() and effects.only_asks(plain))
