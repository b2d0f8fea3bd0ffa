"""Values that an answer grounds (`reasoning/grounding/answers.py`): the guard sends a value only if the operator has
just given it. Guarantees:

- yes and no apply to the parameter of the question; without a question they apply to nothing;
- a choice counts when it alone is named, in full or by a distinctive word, and the answer has nothing else;
- contacts, numbers and texts count as whole tokens of the answer;
- an answer about one parameter grounds no other; the latest answer counts.
"""

from datetime import UTC, datetime

import pytest

from contracts.action import ActionParameter
from contracts.base import Json
from contracts.chat_completion import AnswerGiven
from contracts.enums import ParameterRole
from reasoning.grounding.answers import ground_answer
from tests.support.tables import table
from tests.unit.reasoning.actions import a_venue, an_action

NOW = datetime(2026, 11, 22, 3, 0, tzinfo=UTC)
REFUNDS = ["CreditCard", "Cash", "Eftpos", "Cheque", "BankTransfer", "GiftCard", "Other"]


def parameter(name: str, role: ParameterRole | None = None, **schema: Json) -> ActionParameter:
    return ActionParameter(name=name, target=None, json_schema=schema, required=False, description=name, role=role)


ACTION = an_action(
    parameters=(
        parameter("refund", type="boolean"),
        parameter("how", ParameterRole.CHOICE, type="string", enum=REFUNDS),
        parameter("email", ParameterRole.EMAIL, type="string"),
        parameter("last_name", ParameterRole.LAST_NAME, type="string"),
        parameter("table", type="integer"),
        parameter("reason", type="string"),
    )
)


def filled(name: str, value: Json, *answers: AnswerGiven, confirmed: dict[str, Json] | None = None) -> Json:
    return ground_answer(ACTION, {name: value}, confirmed or {}, answers, NOW, a_venue()).get(name)


def message(text: str, about: str | None = None) -> AnswerGiven:
    return AnswerGiven(text=text, parameter=about)


@pytest.mark.parametrize("text", ["yes", "Yes please", "sì", "ok", "sì, va bene"])
def test_yes_speaks_for_what_was_asked(text: str) -> None:
    assert filled("refund", True, message(text, "refund")) is True
    assert filled("refund", False, message(text, "refund")) is None
    assert filled("refund", True, message(text)) is None
    assert filled("refund", True, message(text, "how")) is None


@pytest.mark.parametrize("text", ["no", "No, leave them alone", "nope", "no grazie", "non serve"])
def test_no_speaks_for_what_was_asked(text: str) -> None:
    assert filled("refund", False, message(text, "refund")) is False
    assert filled("refund", True, message(text, "refund")) is None


@table(
    "text",
    [
        "maybe",
        "yes and no",
        "yes?",
        "cash",
        "",
        "the yes man",
        "ok, leave them alone",
        "sure, skip it",
        "ok but later",
        "yes if the manager agrees",
    ],
)
def test_what_is_neither_fills_in_nothing(text: str) -> None:
    assert filled("refund", True, message(text, "refund")) is None
    assert filled("refund", False, message(text, "refund")) is None


@pytest.mark.parametrize(("text", "choice"), [
    ("in cash", "Cash"), ("Cash.", "Cash"), ("by bank transfer", "BankTransfer"), ("bank", "BankTransfer"),
    ("credit card", "CreditCard"), ("creditcard please", "CreditCard"), ("gift card", "GiftCard"),
    ("they paid cash", "Cash"), ("con GiftCard, grazie", "GiftCard"),
])  # fmt: skip
def test_a_choice_that_is_named(text: str, choice: str) -> None:
    assert [c for c in REFUNDS if filled("how", c, message(text)) == c] == [choice]


@table(
    "text",
    [
        "card",
        "cash or card",
        "cashew",
        "not cash",
        "non cash",
        "cash or cheque",
        "dunno",
        "avoid cash",
        "instead of cash",
        "cash? no way",
        "keep the cash",
        "maybe cash",
        "they paid cash, leave it, no refund",
    ],
)
def test_a_choice_that_is_not(text: str) -> None:
    assert [c for c in REFUNDS if filled("how", c, message(text)) == c] == []


def test_whole_tokens_count() -> None:
    assert filled("email", "emma@new.com", message("it is emma@new.com")) == "emma@new.com"
    assert filled("last_name", "Green", message("Green it is")) == "Green"
    assert filled("last_name", "Green", message("Greenwood")) is None
    assert filled("table", 4, message("table 4")) == 4
    assert filled("table", 4, message("table 14")) is None
    assert filled("reason", "running late", message("they are running late")) == "running late"
    assert filled("reason", "running late", message("they are not running late")) is None
    assert filled("reason", "late", message("translate it")) is None


def test_only_gaps_are_filled_and_the_latest_answer_counts() -> None:
    assert filled("how", "Cash", message("cash"), confirmed={"how": "Other"}) is None
    assert filled("how", "Cash", message("cash"), message("cheque, please")) is None
    assert filled("how", "Cheque", message("cash"), message("cheque, please")) == "Cheque"
    assert filled("how", "Cash", message("cash", "reason")) is None


def test_a_value_that_no_one_asked_about_or_that_has_no_place_costs_no_other() -> None:
    given: dict[str, Json] = {"colour": "red", "reason": "late", "how": "Cash"}
    answers = (message("red", "colour"), message("cash", "how"))
    assert ground_answer(ACTION, given, {}, answers, NOW, a_venue()) == {"how": "Cash"}
