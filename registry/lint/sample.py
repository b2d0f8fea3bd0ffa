"""Runs every template of an overlay on its own sample when it is loaded, so that no template first runs in use."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from pydantic import ValidationError

from contracts.action import AtomicAction
from contracts.base import Answer
from contracts.booking import BookingSummary
from contracts.venue import VenueProfile
from registry.bound_action import BoundAction
from registry.errors import TemplateRenderError
from registry.http.request import joined, next_page
from registry.overlays.findings import Findings
from registry.overlays.models import SampleOverlay
from registry.presentation.preview import LONGEST_LABEL, summary_line
from registry.templating.templates import render_text, render_tree, rows_of
from registry.tools.arguments import argument_problems
from registry.verification.snapshot import has_marker, is_ours

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
    bound = sample_of(action, sample, venue)
    if action.read_only:
        bound = bound.with_(today=_TODAY)
    requested = _tried(findings, bound.with_request)
    if requested is None:
        return
    bound = requested.with_(response=sample.response)
    for read in (*(action.snapshot.reads if action.snapshot else ()), *action.preview_reads):
        _tried(findings, partial(bound.read, read))
    _tried(findings, bound.preview)
    label = _tried(findings, bound.confirm_label)
    if action.confirm and label is not None and label.endswith("…"):
        findings.warning(
            ("confirm",), f"is longer than {LONGEST_LABEL} characters on the sample: {label}", "shorten it"
        )
    _tried(findings, partial(summary_line, bound))
    _tried(findings, bound.preflight_rejection)
    if action.availability is not None:
        _tried(findings, partial(bound.read, action.availability.read))
    for rule in action.errors:
        # A rejection by the venue has no response of its own to compare with.
        _tried(findings, partial(bound.with_(response=None).rule_message, rule))
        _tried(findings, partial(bound.rule_suggestions, rule))
        if rule.alternatives is not None:
            _tried(findings, partial(bound.read, rule.alternatives))
    if sample.response is not None:
        _tried(findings, bound.observation)
        _tried(findings, partial(_every_row, bound))
        _tried(findings, bound.answer_text)
        _tried(findings, partial(_pages, bound))
    if sample.after is not None:
        _try_after(bound, sample.after, findings)


def sample_of(action: AtomicAction, sample: SampleOverlay, venue: VenueProfile) -> BoundAction:
    """Return an action with the values of its sample."""
    return BoundAction.of(action, sample.call, venue, SAMPLE_KEY).with_(before=sample.before, seen=sample.seen)


def _every_row(bound: BoundAction) -> None:
    """Check that every field of every row of a sample is present."""
    action, names, where = bound.action, bound.names(), f"{bound.action.name}: output.candidates"
    for tree, inner in rows_of(action.output.candidates, names, where) if action.output.candidates else ():
        try:
            BookingSummary.model_validate(render_tree(tree, inner, where))
        except ValidationError as error:
            first = error.errors()[0]
            raise TemplateRenderError(f"{where}.{'.'.join(map(str, first['loc']))}", first["msg"]) from error


def _pages(bound: BoundAction) -> None:
    if next_page(bound, 2) is not None:
        joined(bound.action, bound.response, bound.response)


def _try_after(bound: BoundAction, after: Answer, findings: Findings) -> None:
    action, early, late = bound.action, bound.with_(now=bound.before), bound.with_(now=after)
    if action.verify:
        _expect(findings, ("verify",), False, early.matches_request, "holds before anything was done")
        _expect(findings, ("verify",), True, late.matches_request, "does not hold on the sample's `after`")
    if action.marker:
        _expect(findings, ("marker", "present"), False, lambda: has_marker(early), "holds before anything was done")
    if late.creates and action.marker is None:
        _expect(findings, ("verify", "known_by"), True, lambda: is_ours(late), "does not hold on `after`")
    undo = action.compensation
    if undo is None:
        return
    _tried(findings, lambda: render_text(undo.manual, late.names(), f"{action.name}: compensation.manual"))
    if undo.request is None:
        return
    if action.snapshot is not None and not late.creates and late.unchanged():
        findings.error(("snapshot", "covers"), "sees no difference between the sample's `before` and `after`")
    late = late.with_(left=after)
    outgoing = late.compensating(SAMPLE_KEY)
    _expect(findings, ("compensation", "when"), True, lambda: late.undo_check().is_whole, "does not hold on `after`")
    _tried(findings, outgoing.compensation)
    if undo.partial_undo is not None:
        when, gone = (("compensation", "partial_undo", name) for name in ("when", "gone"))
        check, undone = late.undo_check(), late.with_(now=bound.before).undo_check()
        _expect(findings, when, True, lambda: check.own_part_separable, "does not hold on `after`")
        _tried(findings, partial(outgoing.compensation, own_part=True))
        _expect(findings, gone, False, lambda: check.own_part_removed, "holds although the change is still there")
        _expect(findings, gone, True, lambda: undone.own_part_removed, "does not hold on `before`")


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
