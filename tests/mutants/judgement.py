"""Bugs in what a model may make of an operator's message, in the critique, and in escalations."""

from tests.mutants.bug import Bug

_CRITIQUE = "tests/unit/reasoning/test_critique.py"
_ESCALATION = "tests/workflows/test_escalation.py"
_WEBHOOK = "tests/integration/stack/test_webhooks.py"

GROUNDS: tuple[Bug, ...] = (
    Bug(
        name="another-value-sent",
        guarantee="A confirmed step is sent with the confirmed values only",
        at="reasoning:judge",
        right="not same_meaning(parameter.role, wanted[name], given)",
        wrong="False",
        tests=("tests/unit/reasoning/test_guard.py",),
    ),
    Bug(
        name="gap-filled-by-the-model",
        guarantee="A gap in a confirmed step is filled only with what the operator's answer says",
        at="reasoning:judge",
        right="values[name] = call.filled[name]",
        wrong="values[name] = given",
        tests=("tests/unit/reasoning/test_guard.py",),
    ),
    Bug(
        name="verb-of-another-booking",
        guarantee="A verb that was said of one booking asks for no high-risk step on another",
        at="reasoning:_has_own_words",
        right="about.asks_about(message, span, step.booking)",
        wrong="True",
        tests=("tests/unit/reasoning/test_coverage.py",),
    ),
    Bug(
        name="high-risk-unasked",
        guarantee="A high-risk step is planned only where the operator asked for it in words",
        at="reasoning:_unasked",
        right="not _has_own_words(evidence, step, bookings, _written(steps))",
        wrong="False",
        tests=("tests/unit/reasoning/test_coverage.py",),
    ),
    Bug(
        name="note-taken-for-an-order",
        guarantee="What a note takes down asks for no step",
        at="reasoning:_has_own_words",
        right="inside(span, taken_down(message, written))",
        wrong="False",
        tests=("tests/unit/reasoning/test_coverage.py",),
    ),
    Bug(
        name="quote-taken-for-an-order",
        guarantee="What an operator quotes of somebody else is no order",
        at="reasoning:_has_own_words",
        right="decides(message, span)",
        wrong="True",
        tests=("tests/unit/reasoning/test_quotes_and_names.py",),
    ),
)

SECOND_LOOK: tuple[Bug, ...] = (
    Bug(
        name="ambiguous-critique-is-a-yes",
        guarantee="A critique that names more than one decision is never a yes",
        at="reasoning:_decides_two_things",
        right="len(named) > 1",
        wrong="False",
        tests=(_CRITIQUE,),
    ),
    Bug(
        name="failed-critique-is-a-yes",
        guarantee="A critique that fails hands the message to a person",
        at="workflows:CritiqueGate._look",
        right="return self._hands(_why_failed(error) if not self._activities.late else EscalationReason.NO_TIME)",
        wrong="return Proceed()",
        tests=("tests/workflows/test_second_look.py::test_a_critique_that_dies_is_never_a_yes",),
    ),
    Bug(
        name="model-calls-it-harmless",
        guarantee="A model cannot clear what the overlay calls destructive",
        at="reasoning:triggers",
        right="destroys or (judged is not None and judged.is_destructive)",
        wrong="judged.is_destructive if judged is not None else destroys",
        tests=(_CRITIQUE,),
    ),
    Bug(
        name="last-answer-counts",
        guarantee="Of several people's answers the first one counts",
        at="workflows:EscalationWorkflow._may_resolve",
        right="self._status is not EscalationStatus.OPEN",
        wrong="self._status is EscalationStatus.LAPSED",
        tests=(f"{_ESCALATION}::test_the_second_answer_is_refused_and_the_first_one_again_is_not",),
    ),
    Bug(
        name="answer-shown-to-another",
        guarantee="A person's answer is shown to the operator that it is for, and to no other",
        at="workflows:StaffReplies._show",
        right="memory.owner not in (None, says.user_id)",
        wrong="False",
        tests=(f"{_ESCALATION}::test_no_one_else_is_reported",),
    ),
    Bug(
        name="webhook-into-a-private-network",
        guarantee="No webhook reaches a private network",
        at="clients:WebhookClient._resolved",
        right="not self._private",
        wrong="False",
        tests=(f"{_WEBHOOK}::test_a_private_network_is_not_reached",),
    ),
)
