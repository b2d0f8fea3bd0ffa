"""Every model, found by walking `contracts/`, so that a new one is covered the day it is written.

Guarantees, each one probe:
- an unknown field is refused, by name;
- a frozen model cannot be changed: no assignment, and no list or set in it that could be;
- the actions of a confirmed plan (its steps) are frozen;
- every model survives JSON, and every kind of `Turn` comes back as itself;
- numbers that venues give as ids become text; caller ids are short and plain.
"""

import importlib
import pkgutil
import typing
from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from typing import Any

import pytest
from pydantic import AwareDatetime, BaseModel, TypeAdapter, ValidationError

import contracts
from contracts.base import FrozenModel
from contracts.booking import BookingSearchQuery, BookingSummary
from contracts.chat_messages import TurnReply
from contracts.identifiers import Identifier
from contracts.plan import ExecutionPlan, PlannedAction
from contracts.turn import Turn
from tests.support.tables import table

MODULES = [importlib.import_module(f"contracts.{m.name}") for m in pkgutil.iter_modules(contracts.__path__)]
MODELS: list[type[BaseModel]] = sorted(
    {
        found
        for module in MODULES
        for found in vars(module).values()
        if isinstance(found, type) and issubclass(found, BaseModel) and found.__module__ == module.__name__
    }
    - {FrozenModel, importlib.import_module("contracts.base").StrictModel},
    key=lambda model: (model.__module__, model.__name__),
)
FROZEN = [model for model in MODELS if issubclass(model, FrozenModel)]
NOW = datetime(2026, 11, 27, 9, tzinfo=UTC)


def example(model: type[BaseModel], *, full: bool) -> BaseModel:
    """Return an instance built from the field types: required fields only, or as many as can be filled together."""
    if model is TurnReply:
        return TurnReply.model_validate({"turn": {"type": "answer", "message": "Hello"}})
    values = {
        name: sample(field.annotation, name)
        for name, field in model.model_fields.items()
        if field.is_required() or (full and model not in (ExecutionPlan,))
    }
    return model.model_validate(values)


def sample(kind: Any, name: str) -> Any:
    """Return a value of a type, by hand where a rule restricts it."""
    by_name = {"outcome": None, "json_schema": {"type": "string"}, "locale": "en-AU", "deadline": NOW}
    if by_name.get(name) is not None:
        return by_name[name]
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if kind is Any or kind is None:
        return {"any": ["thing", 1, None]}
    if origin is typing.Annotated:
        return sample(arguments[0], name)
    if origin is typing.Literal:
        return arguments[0]
    if origin is tuple:
        return tuple(sample(a, "") for a in arguments if a is not Ellipsis)
    if origin is list:
        return [sample(arguments[0], "")]
    if origin in (dict, Mapping):
        return {sample(arguments[0], ""): sample(arguments[1], "")}
    if origin is not None:
        return sample(next(a for a in arguments if a is not type(None)), name)
    if issubclass(kind, BaseModel):
        return example(kind, full=False)
    if hasattr(kind, "__members__"):
        return next(iter(kind))
    simple = {str: "text", int: 1, float: 2.5, bool: True, AwareDatetime: NOW, date: NOW.date(), time: time(9, 30)}
    return simple[kind]


def name_of(model: type[BaseModel]) -> str:
    return model.__name__


def test_the_nouns_of_the_design_are_here() -> None:
    names = {m.__name__ for m in MODELS}

    assert names >= {
        "AtomicAction", "ActionParameter", "ExecutionPlan", "PlannedAction", "ActionResult", "RollbackReport",
        "StepRollback", "BlockingPrompt", "BookingSearchQuery", "BookingSummary", "ServiceError", "VenueProfile",
        "PlanTurn", "ClarificationTurn", "AnswerTurn", "EscalationTurn",
    }  # fmt: skip


@table("model", MODELS)
def test_every_noun_says_what_it_is(model: type[BaseModel]) -> None:
    assert model.__dict__.get("__doc__"), f"{model.__name__} has no docstring"


@table("model", MODELS)
def test_an_unknown_field_is_refused_by_name(model: type[BaseModel]) -> None:
    values = example(model, full=False).model_dump()

    with pytest.raises(ValidationError, match="misspelt_field"):
        model.model_validate({**values, "misspelt_field": 1})


@table("model", FROZEN)
def test_no_field_of_a_frozen_noun_can_be_set(model: type[BaseModel]) -> None:
    one = example(model, full=False)

    for name in model.model_fields:
        with pytest.raises(ValidationError, match="frozen"):
            setattr(one, name, None)


@table("model", FROZEN)
def test_a_frozen_noun_holds_no_list_or_set(model: type[BaseModel]) -> None:
    soft = {name for name, field in model.model_fields.items() if _holds(field.annotation, (list, set))}

    assert not soft, f"a list inside a frozen model can still be changed: {soft}"


def _holds(kind: Any, containers: tuple[type, ...]) -> bool:
    return typing.get_origin(kind) in containers or any(_holds(a, containers) for a in typing.get_args(kind))


@pytest.mark.parametrize("model", [ExecutionPlan, PlannedAction])
def test_what_a_confirmed_plan_will_do_is_frozen(model: type[BaseModel]) -> None:
    assert issubclass(model, FrozenModel)


@pytest.mark.parametrize("full", [False, True], ids=["required", "full"])
@pytest.mark.parametrize("model", MODELS, ids=name_of)
def test_every_noun_survives_json(model: type[BaseModel], full: bool) -> None:
    one = example(model, full=full)

    again = model.model_validate_json(one.model_dump_json())

    assert again == one
    assert again.model_dump_json() == one.model_dump_json()


TURNS: dict[str, dict[str, Any]] = {
    "plan": {
        "type": "plan",
        "plan": {
            "plan_id": "p", "session_id": "s", "user_id": "u", "venue_id": "v", "status": "pending_confirmation",
            "intent": "Move it", "created_at": "2026-11-27T09:00:00Z", "expires_at": "2026-11-27T09:15:00Z",
            "actions": [{
                "step": 1, "action_id": "a", "title": "A", "parameters": {"n": 1}, "safety_tier": "high_risk",
                "reversible": False, "preview": [{"field": "When", "before": None, "after": "Sat 3pm"}],
            }],
        },
    },
    "clarification": {
        "type": "clarification", "question": "Which Emma?", "candidates": [{"booking_id": "b-1",
        "label": "Emma White"}],
    },
    "answer": {"type": "answer", "message": "There are 12 guests.", "quick_actions": [{"label": "Move",
    "say": "Move it"}]},
    "escalation": {"type": "escalation", "message": "A colleague will call.", "reason": "refund"},
}  # fmt: skip


@pytest.mark.parametrize("kind", TURNS)
def test_each_kind_of_turn_comes_back_as_itself(kind: str) -> None:
    adapter: TypeAdapter[Any] = TypeAdapter(Turn)

    turn = adapter.validate_python(TURNS[kind])
    again = adapter.validate_json(adapter.dump_json(turn))

    assert again == turn
    assert type(again) is type(turn)
    assert again.type == kind


def test_a_turn_of_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValidationError, match="does not match any of the expected tags"):
        TypeAdapter(Turn).validate_python({"type": "poem", "message": "…"})


@pytest.mark.parametrize("both", [{}, {"turn": {"type": "answer", "message": "x"}, "error": {
    "error_type": "conflict", "message": "y"}}])  # fmt: skip
def test_a_reply_is_a_turn_or_an_error_never_both_or_neither(both: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="exactly one of turn and error"):
        TurnReply.model_validate(both)


def test_ids_that_a_venue_gives_as_numbers_become_text() -> None:
    found = BookingSummary.model_validate({"booking_id": 501, "reference": 8231})

    assert (found.booking_id, found.reference) == ("501", "8231")


def test_true_is_not_an_id() -> None:
    with pytest.raises(ValidationError):
        BookingSummary.model_validate({"booking_id": True})


def test_a_search_of_two_letters_is_refused() -> None:
    with pytest.raises(ValidationError):
        BookingSearchQuery(keywords="Jo")


@pytest.mark.parametrize("good", ["u-1", "a", "ops@venue.example", "tenant:42", "+61", "x" * 128])
def test_callers_ids_are_plain(good: str) -> None:
    assert TypeAdapter(Identifier).validate_python(good) == good


@pytest.mark.parametrize("bad", ["", "x" * 129, "a b", "a/b", "a\n", "a'--", "<b>", "a\0"])
def test_callers_ids_that_are_not_plain_are_refused(bad: str) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(Identifier).validate_python(bad)
