"""Filters a model's text for the operator: claims about effects are removed, because the core reports effects.

The activity filters and the reply carries the result, because the grammar changes with deploys and a replay must not
classify again.
"""

from contracts.chat_completion import ModelReply, ModelStatement
from language.messages.catalogue import translate
from language.replies import effect_claims
from language.replies.questions import questions_in
from reasoning.modes.prompts import ASK, REFUSE

SPEAKING = {ASK: "question", REFUSE: "message"}
"""The tools with a text for the operator, and the argument that holds it."""


def operator_text(reply: ModelReply) -> str:
    """Return a reply's words to the operator: from the first call with text, else its text."""
    for call in reply.tool_calls:
        if call.name in SPEAKING and not call.problems:
            return str(call.arguments.get(SPEAKING[call.name]) or reply.text)
    return reply.text


def question_only(reply: ModelReply, locale: str) -> ModelReply:
    """Reduce a reply that is too unsure of itself to its question, without statements or announcements. Without a
    question the core's own question is used. A reply that does not mean to ask is unchanged, because it is
    escalated."""
    asking = next((call for call in reply.tool_calls if call.name in SPEAKING and not call.problems), None)
    if asking is not None and asking.name != ASK:
        return reply
    if asking is None and (reply.tool_calls or not reply.text.rstrip().endswith("?")):
        return reply
    question = question_of(operator_text(reply), locale)
    statement = ModelStatement(plain=question, only_asks=True)
    calls = tuple(
        call.model_copy(update={"arguments": {**call.arguments, "question": question}}) if call is asking else call
        for call in reply.tool_calls
    )
    return reply.model_copy(update={"text": question, "statement": statement, "tool_calls": calls})


def question_of(text: str, locale: str) -> str:
    """Return only the question of a text; the core's own question if there is none. The locale must be active
    (`speak`)."""
    return questions_in(text, locale) or translate("ask.unsure")


def strip_effect_claims(text: str, locale: str) -> ModelStatement:
    """Return a text without its claims about effects."""
    plain = effect_claims.without_effect_claims(text, locale)
    return ModelStatement(plain=plain, only_asks=plain == text.strip() and effect_claims.only_asks(plain))
