"""Runs every template of an overlay on its own sample when it is loaded, so that no template first runs in use."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from pydantic import ValidationError

from contracts.action import AtomicAction
from contracts.base import Answer
from contracts.booking import BookingSummary
from contracts.venue import VenueProfile
from registry.errors import TemplateRenderError
from registry.http.compensation import compensation_request
from registry.http.paging import goes_on, joined, next_page
from registry.http.request import build_read, build_request
from registry.overlays.findings import Findings
from registry.overlays.models import SampleOverlay
from registry.presentation.error_rules import preflight_rejection, rule_message, rule_suggestions
from registry.presentation.preview import (
    LONGEST_LABEL,
    answer_text,
    confirm_label,
    observation,
    preview_lines,
    summary_line,
)
from registry.templating.scope import Scope, with_undo_key
from registry.templating.templates import render_text, render_tree, rows_of
from registry.tools.arguments import argument_problems
from registry.verification.snapshot import has_marker, matches_request, unchanged
from registry.verification.undo_state import is_ours, own_changes_removed, own_changes_separable

SAMPLE_KEY = "sample-key"
"""The idempotency key of samples."""
_TODAY = "2026-11-18"

T = TypeVar("T")


def try_sample(action: AtomicAction, sample: SampleOverlay, venue: VenueProfile, findings: Findings) -> None:
    """Run every template of `action` on its sample and report each failure, and a `verify` that gives no result."""
    problems = argument_problems(action, sample.call)
    for problem in problems:
        findings.error(("sample", "call"), problem)
    if problems:
        return
    scope = Scope.of(action, sample.call, venue, SAMPLE_KEY).with_(before=sample.before, seen=sample.seen)
    if action.read_only:
        scope = scope.with_(today=_TODAY)
    request = _tried(findings, lambda: build_request(action, scope))
    if request is None:
        return
    scope = scope.with_(request=request, response=sample.response)
    for read in (*(action.snapshot.reads if action.snapshot else ()), *action.preview_reads):
        _tried(findings, partial(build_read, read, scope))
    _tried(findings, lambda: preview_lines(action, scope))
    label = _tried(findings, lambda: confirm_label(action, scope))
    if action.confirm and label is not None and label.endswith("…"):
        findings.warning(
            ("confirm",), f"is longer than {LONGEST_LABEL} characters on the sample: {label}", "shorten it"
        )
    _tried(findings, lambda: summary_line(action, scope))
    _tried(findings, lambda: preflight_rejection(action, scope))
    if action.availability is not None:
        _tried(findings, partial(build_read, action.availability.read, scope))
    for rule in action.errors:
        # A rejection by the venue has no response of its own to compare with.
        _tried(findings, partial(rule_message, action, rule, scope.with_(response=None)))
        _tried(findings, partial(rule_suggestions, action, rule, scope))
        if rule.alternatives is not None:
            _tried(findings, partial(build_read, rule.alternatives, scope))
    if sample.response is not None:
        _tried(findings, lambda: observation(action, sample.response, scope))
        _tried(findings, lambda: _every_row(action, scope))
        _tried(findings, lambda: answer_text(action, sample.response, scope))
        _tried(findings, lambda: _pages(action, scope))
    if sample.after is not None:
        _try_after(action, scope, sample.after, findings)


def _every_row(action: AtomicAction, scope: Scope) -> None:
    """Check that every field of every row of a sample is present."""
    names, where = scope.names(action), f"{action.name}: output.candidates"
    for tree, inner in rows_of(action.output.candidates, names, where) if action.output.candidates else ():
        try:
            BookingSummary.model_validate(render_tree(tree, inner, where))
        except ValidationError as error:
            first = error.errors()[0]
            raise TemplateRenderError(f"{where}.{'.'.join(map(str, first['loc']))}", first["msg"]) from error


def _pages(action: AtomicAction, scope: Scope) -> None:
    if goes_on(action, scope) and next_page(action, scope, 2) is not None:
        joined(action, scope.response, scope.response)


def _try_after(action: AtomicAction, scope: Scope, after: Answer, findings: Findings) -> None:
    early, late = scope.with_(now=scope.before), scope.with_(now=after)
    if action.verify:
        _expect(findings, ("verify",), False, lambda: matches_request(action, early), "holds before anything was done")
        _expect(
            findings, ("verify",), True, lambda: matches_request(action, late), "does not hold on the sample's `after`"
        )
    if action.marker:
        _expect(
            findings, ("marker", "present"), False, lambda: has_marker(action, early), "holds before anything was done"
        )
    if action.verify and action.verify.reads and action.marker is None:
        _expect(findings, ("verify", "known_by"), True, lambda: is_ours(action, late), "does not hold on `after`")
    undo = action.compensation
    if undo is None:
        return
    _tried(findings, lambda: render_text(undo.manual, late.names(action), f"{action.name}: compensation.manual"))
    if undo.request is None:
        return
    if action.snapshot is not None and not (action.verify and action.verify.reads) and unchanged(action, late):
        findings.error(("snapshot", "covers"), "sees no difference between the sample's `before` and `after`")
    late = late.with_(left=after)
    outgoing = with_undo_key(action, late, SAMPLE_KEY)
    _tried(findings, lambda: compensation_request(action, outgoing))
    if undo.partial_undo is not None:
        key = ("compensation", "partial_undo")
        _expect(findings, (*key, "when"), True, lambda: own_changes_separable(action, late), "does not hold on `after`")
        _tried(findings, lambda: compensation_request(action, outgoing, own_part=True))
        _expect(
            findings,
            (*key, "gone"),
            False,
            lambda: own_changes_removed(action, late),
            "holds although the change is still there",
        )
        undone = late.with_(now=scope.before)
        _expect(
            findings, (*key, "gone"), True, lambda: own_changes_removed(action, undone), "does not hold on `before`"
        )


def _tried(findings: Findings, run: Callable[[], T]) -> T | None:
    try:
        return run()
    except TemplateRenderError as fault:
        key = fault.where.partition(": ")[2].partition("[")[0].split(".")
        findings.error(tuple(key), f"on the sample: {fault.reason} (at {fault.where})")
        return None


def _expect(findings: Findings, key: tuple[str, ...], wanted: bool, run: Callable[[], bool | None], wrong: str) -> None:
    value = _tried(findings, run)
    if value is not None and value is not wanted:
        findings.error(key, wrong)
