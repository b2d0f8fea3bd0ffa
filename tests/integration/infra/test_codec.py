"""What leaves the process for Temporal: payloads and failures, encrypted.

Guarantees:
- Pydantic models, plain values and no value at all go through the data converter and come back unchanged.
- None of their text is in the bytes; the metadata says "encrypted" and by which key, and nothing else.
- A failure's message and stack trace, and those of its causes, are encrypted with it; its type stays for on-call.
- A payload that we did not encrypt passes through. One that cannot be decrypted raises `KeyringError`; for a person who
  reads (`decode_readable`) it stays as it is beside the readable ones.
- A key that is no longer the first still decrypts; a big repetitive payload really shrinks.
"""

from datetime import UTC, datetime
from typing import Any

import pytest
from temporalio.api.common.v1 import Payload
from temporalio.api.failure.v1 import Failure
from temporalio.exceptions import ApplicationError

from contracts.booking import BookingSummary
from contracts.chat_completion import ChatMessage, ReasonRequest
from infra.crypto.keyring import KeyRing, KeyringError
from infra.temporal.client import ENCODING, KEY_ID, EncryptionCodec, data_converter

RING = KeyRing({"k1": bytes(32)})
CONVERTER = data_converter(RING)
CODEC = EncryptionCodec(RING)
REQUEST = ReasonRequest(
    venue_id="v-1",
    now=datetime(2026, 11, 27, 9, tzinfo=UTC),
    messages=(ChatMessage(role="user", content="Move John Smith's party, john@example.com"),),
)


@pytest.mark.parametrize(("value", "kind"), [
    (REQUEST, ReasonRequest), (BookingSummary(booking_id="b-1", guest_name="José"), BookingSummary), ("text", str),
    ("", str), (3, int), (None, type(None)), ([1, "zwei", None], list), ({"a": {"b": [1.5]}}, dict), (b"\0\xff", bytes),
])  # fmt: skip
async def test_values_come_back_as_they_were(value: Any, kind: type) -> None:
    sent = await CONVERTER.encode([value])

    assert await CONVERTER.decode(sent, [kind]) == [value]


async def test_nothing_readable_is_in_the_bytes() -> None:
    [sent] = await CONVERTER.encode([REQUEST])

    raw = sent.SerializeToString()
    for word in (b"John", b"example", b"v-1", b"messages", b"json", b"ReasonRequest"):
        assert word not in raw


async def test_the_metadata_names_the_key_and_nothing_else() -> None:
    [sent] = await CONVERTER.encode([REQUEST])

    assert dict(sent.metadata) == {"encoding": ENCODING, KEY_ID: b"k1"}
    assert (ENCODING, KEY_ID) == (b"binary/encrypted", "encryption-key-id"), "histories carry these words"


async def test_several_payloads_keep_their_order() -> None:
    sent = await CONVERTER.encode(["a", 2, None])

    assert await CONVERTER.decode(sent, [str, int, type(None)]) == ["a", 2, None]


async def test_failures_hide_message_and_stack_trace() -> None:
    failure = Failure()
    try:
        try:
            raise KeyError("john@example.com")
        except KeyError as cause:
            raise ApplicationError("could not move John Smith", {"phone": "+61491570156"}, type="conflict") from cause
    except ApplicationError as error:
        await CONVERTER.encode_failure(error, failure)

    raw = failure.SerializeToString()
    for word in (b"John", b"john@", b"+614", b"test_codec.py", b"raise ", b"could not"):
        assert word not in raw
    assert failure.message == failure.cause.message == "Encoded failure"
    assert failure.stack_trace == failure.cause.stack_trace == ""
    assert failure.encoded_attributes.metadata["encoding"] == ENCODING
    assert failure.application_failure_info.type == "conflict", "on-call searches by it"


async def test_failures_come_back_whole() -> None:
    failure = Failure()
    await CONVERTER.encode_failure(ApplicationError("could not move John", {"step": 2}, type="conflict"), failure)

    error = await CONVERTER.decode_failure(failure)

    assert isinstance(error, ApplicationError)
    assert (error.message, error.type, list(error.details)) == ("could not move John", "conflict", [{"step": 2}])


async def test_what_is_not_encrypted_passes_through() -> None:
    plain = Payload(metadata={"encoding": b"json/plain"}, data=b'"hello"')

    assert await CODEC.decode([plain]) == [plain]
    assert await CONVERTER.decode([plain], [str]) == ["hello"]


async def test_what_is_encrypted_already_is_encrypted_again_and_opens_twice() -> None:
    once = await CODEC.encode([Payload(data=b"x")])
    twice = await CODEC.encode(once)

    assert await CODEC.decode(await CODEC.decode(twice)) == [Payload(data=b"x")]


UNREADABLE = {
    "another key": Payload(metadata={"encoding": ENCODING, KEY_ID: b"k9"}, data=b"x" * 40),
    "no key": Payload(metadata={"encoding": ENCODING}, data=b"x" * 40),
    "a key id that is no text": Payload(metadata={"encoding": ENCODING, KEY_ID: b"\xff\xfe"}, data=b"x" * 40),
    "cut off": Payload(metadata={"encoding": ENCODING, KEY_ID: b"k1"}, data=b"x"),
    "empty": Payload(metadata={"encoding": ENCODING, KEY_ID: b"k1"}),
    "changed": Payload(metadata={"encoding": ENCODING, KEY_ID: b"k1"}, data=b"x" * 40),
}


@pytest.mark.parametrize("what", UNREADABLE)
async def test_what_cannot_be_opened_is_a_key_problem(what: str) -> None:
    with pytest.raises(KeyringError):
        await CODEC.decode([UNREADABLE[what]])


@pytest.mark.parametrize("what", UNREADABLE)
async def test_a_person_looking_sees_the_rest_and_the_unreadable_as_it_is(what: str) -> None:
    readable = Payload(metadata={"encoding": b"json/plain"}, data=b"1")
    [sealed] = await CODEC.encode([readable])
    before = UNREADABLE[what].SerializeToString(deterministic=True)

    shown = CODEC.decode_readable([sealed, UNREADABLE[what], readable])

    assert [shown[0], shown[2]] == [readable, readable]
    assert shown[1].SerializeToString(deterministic=True) == before


async def test_a_rotated_key_still_reads() -> None:
    sent = await CONVERTER.encode([REQUEST])
    rotated = data_converter(KeyRing({"k2": b"n" * 32, "k1": bytes(32)}))

    assert await rotated.decode(sent, [ReasonRequest]) == [REQUEST]
    assert (await rotated.encode(["x"]))[0].metadata[KEY_ID] == b"k2"


async def test_a_big_repetitive_payload_shrinks() -> None:
    rows = [
        {"productId": 61001, "quantity": 12, "bookingDate": "2026-11-28", "startTime": f"{h}:00"} for h in range(500)
    ]

    plain = CONVERTER.payload_converter.to_payloads([rows])
    sent = await CONVERTER.encode([rows])

    assert sent[0].ByteSize() < plain[0].ByteSize() / 8
