"""One object for an action at run time: what is known of it so far, and all that can be done with it."""

from dataclasses import dataclass
from typing import Self

from contracts.action import ReadTemplate
from contracts.base import Answer
from contracts.credentials import HttpRequest
from registry.http.request import build_read, build_request, compensation_request, manual_instruction, with_request
from registry.presentation.error_rules import (
    alternatives,
    availability_error,
    availability_text,
    compensating,
    preflight_rejection,
    rule_message,
    rule_suggestions,
)
from registry.presentation.preview import (
    answer_text,
    candidates,
    confirm_label,
    goal_lines,
    guest_name,
    is_cancelled,
    known_output,
    observation,
    preview_lines,
    state_lines,
)
from registry.templating.scope import Scope, marker_of
from registry.verification.outcome import applied_reply, kept_response, misapplied_reply, shape_changed, write_outcome
from registry.verification.snapshot import matches_request, unchanged
from registry.verification.undo_state import UndoCheck, left_digest


@dataclass(frozen=True)
class BoundAction(Scope):
    """An action with its parameters at a venue, made by `of`. What is read or answered is added by `with_`.

    Most methods are functions of other modules: requests, texts of a step, results of a look-up, texts of errors, and
    the outcome of a write, in this order.
    """

    with_request = with_request
    compensation = compensation_request

    preview = preview_lines
    goal_lines = goal_lines
    state_lines = state_lines
    confirm_label = confirm_label
    preflight_rejection = preflight_rejection
    manual_instruction = manual_instruction

    candidates = candidates
    is_cancelled = is_cancelled
    guest_name = guest_name
    observation = observation
    answer_text = answer_text
    known_output = known_output

    rule_message = rule_message
    rule_suggestions = rule_suggestions
    alternatives = alternatives
    availability_error = availability_error
    availability_text = availability_text

    outcome = write_outcome
    applied_reply = applied_reply
    misapplied_reply = misapplied_reply
    kept_response = kept_response
    matches_request = matches_request
    unchanged = unchanged
    shape_changed = shape_changed

    def request(self) -> HttpRequest:
        """Return the request that does the action: the one that was sent, else the one that the parameters and `before`
        make. Raises TemplateRenderError."""
        return self.sent if self.sent is not None else build_request(self)

    def read(self, read: ReadTemplate) -> HttpRequest:
        """Return the request of one read. Raises TemplateRenderError."""
        return build_read(read, self.names())

    def compensating(self, key: str) -> Self:
        """Return the action as its `compensation` is sent: with an idempotency key of its own, derived from its step's
        `key`, and with the rules for its rejection."""
        return self.with_(action=compensating(self.action), marker=marker_of(self.action, f"{key}-undo"))

    def left_digest(self, document: Answer) -> str | None:
        """Return the hash of all that matters for the undo in a document; None when nothing is read back."""
        return left_digest(self.action, document)

    def undo_check(self, left: str | None = None, whole: str | None = None) -> UndoCheck:
        """Return what `now` shows for an undo. `left`, `whole`: see `UndoCheck`."""
        return UndoCheck(self, left, whole)
