"""What a model says to an operator, as it may be passed on: what it claims to have done is the core's to tell.

Judged in the activity and carried in the reply, because the grammar behind it changes with deploys and a replay must
not judge anew.
"""

from contracts.model import ModelReply, ModelWords
from language import effects
from language.catalogue import say
from language.questions import questions_in
from reasoning.prompting import ASK, REFUSE

_SPEAKING = {ASK: "question", REFUSE: "message"}


def said_by(reply: ModelReply) -> str:
    """A reply's words to the operator: of the first call that speaks, else its text."""
    for call in reply.tool_calls:
        if call.name in _SPEAKING and not call.problems:
            return str(call.arguments.get(_SPEAKING[call.name]) or reply.text)
    return reply.text


def only_asking(reply: ModelReply, locale: str) -> ModelReply:
    """A reply that is too unsure of itself for anything but a question, reduced to that: whatever it states or
    announces beside is not said. Where it asks nothing that way, the core's own question stands for it. One that does
    not mean to ask is left as it is: a person decides about that."""
    asking = next((call for call in reply.tool_calls if call.name in _SPEAKING and not call.problems), None)
    if asking is not None and asking.name != ASK:
        return reply
    if asking is None and (reply.tool_calls or not reply.text.rstrip().endswith("?")):
        return reply
    question = question_of(said_by(reply), locale)
    words = ModelWords(plain=question, only_asks=True)
    calls = tuple(
        call.model_copy(update={"arguments": {**call.arguments, "question": question}}) if call is asking else call
        for call in reply.tool_calls
    )
    return reply.model_copy(update={"text": question, "words": words, "tool_calls": calls})


def question_of(text: str, locale: str) -> str:
    """What a text asks and nothing else; the core's own question where that is nothing. The language must have been
    said (`speak`)."""
    return questions_in(text, locale) or say("ask.unsure")


def plain_words(text: str, locale: str) -> ModelWords:
    """A text without its claims about effects."""
    plain = effects.without_effect_claims(text, locale)
    return ModelWords(plain=plain, only_asks=plain == text.strip() and effects.only_asks(plain))
