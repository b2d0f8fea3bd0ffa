"""A critique against a real endpoint. Guarantees: one for which the model is too slow fails with its own kind, and no
other failure has that kind; a reply without a decision is a failure that says so and quotes nothing; both can be
retried; below a confidence of six only the question of a reply is kept.
"""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

from activities.reason import CritiqueActivity
from clients.model import ModelClient
from clients.modes import Modes
from contracts.chat_completion import Assessment, CritiqueRequest, ParsedAssessment
from contracts.errors import MODEL_TOO_SLOW
from infra.config.settings import Settings
from infra.observability.observer import Observer
from tests.integration.activities.raw_server import DRIP, DROP, HANG, running
from tests.support.shipped import served

REQUEST = CritiqueRequest(
    venue_id="roller-demo", now=datetime.now(UTC), operator_messages=("cancel it",), steps=(), triggers=(),
    assessed=ParsedAssessment(contradictions=("there is no assessment",)), settled=(), open=(), trace_id="r-1",
)  # fmt: skip


def answered(text: str) -> bytes:
    """Return a completion with this text, as it goes over the wire."""
    message = {"role": "assistant", "content": text}
    body = json.dumps({"choices": [{"index": 0, "finish_reason": "stop", "message": message}]}).encode()
    head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    return head.encode() + body


@pytest.mark.parametrize(("how", "kind", "reported"), [
    (DRIP, MODEL_TOO_SLOW, "TimeoutError"), (HANG, MODEL_TOO_SLOW, "Timeout"),
    (DROP, "model_unavailable", "the model did not answer"),
    (answered("I would rather not say."), "model_unavailable", "no JSON object"),
    (answered(json.dumps({"decision": "MAYBE", "reasoning": "John"})), "model_unavailable", "names no decision"),
    (answered(json.dumps({"decision": "ASK_USER", "message": " "})), "model_unavailable", "nothing that may be said"),
], ids=["dripping", "hanging", "dropped", "no JSON", "no decision", "no question"])  # fmt: skip
async def test_each_way_of_failing_is_named(how: Any, kind: str, reported: str) -> None:
    async with running() as raw:
        raw.reply = how
        limit = 0.7 if how in (DRIP, HANG) else 60
        settings = Settings(_env_file=None, model_base_url=f"{raw.url}/v1", model="m", model_timeout=limit)
        client = ModelClient(settings, Observer())
        registries = served("roller")
        critiques = CritiqueActivity(client, registries, Modes())
        with pytest.raises(ApplicationError) as failed:
            await ActivityEnvironment().run(critiques.critique, REQUEST)
        await client.close()
    assert failed.value.type == kind and reported in failed.value.message
    assert "John" not in failed.value.message and not failed.value.non_retryable


@pytest.mark.parametrize(("confidence", "shown"), [(5, "Which one?"), (6, "It is for Ada. Which one?")])
async def test_of_an_unsure_reply_only_the_question_is_put(confidence: int, shown: str) -> None:
    asks = json.dumps({"decision": "ASK_USER", "message": "It is for Ada. Which one?"})
    judged = REQUEST.model_copy(update={"assessed": ParsedAssessment(assessment=Assessment(confidence=confidence))})
    async with running() as raw:
        raw.reply = answered(asks)
        settings = Settings(_env_file=None, model_base_url=f"{raw.url}/v1", model="m", model_timeout=60)
        client = ModelClient(settings, Observer())
        registries = served("roller")
        made = await ActivityEnvironment().run(CritiqueActivity(client, registries, Modes()).critique, judged)
        await client.close()
    assert made.message == shown
