"""Several steps under one name (multi-step messaging, "Step Templates"): a file in `templates/` names actions of its
pack and the values of each. A model calls it like an action, but its steps are planned, shown, confirmed and undone.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import Field, ValidationError

from contracts.action import ActionExample, ActionParameter, AtomicAction, Finding, TemplateStep
from contracts.base import StrictModel
from contracts.enums import ParameterRole, SafetyTier
from registry.errors import YamlSyntaxError, did_you_mean
from registry.overlays.findings import Findings, unreadable
from registry.overlays.models import Name, Text
from registry.overlays.yaml_file import read_limited_yaml
from registry.tools.arguments import argument_problems


class TemplateParameter(StrictModel):
    """A value that the template takes: that of the parameter `of` an action (`action.parameter`)."""

    of: str
    describe: str = ""
    required: bool | None = None


class TemplateStepOverlay(StrictModel):
    """One step: its action, and by each of that action's parameters the template's own. `required`, `only_if_failed`
    and `only_if_done` are as in a plan; steps count from 1. A step is left out where a value that it needs is
    missing, and the plan does not require it."""

    action: Name
    values: dict[Name, Name] = Field(alias="with")
    required: bool = True
    only_if_failed: int | None = Field(default=None, ge=1)
    only_if_done: int | None = Field(default=None, ge=1)


class StepTemplateFile(StrictModel):
    """One file of `templates/`."""

    template: Name
    iq_enabled: bool = False
    title: Text
    category: Text = "general"
    description: Text
    when_to_use: str = ""
    parameters: dict[Name, TemplateParameter] = Field(min_length=1)
    steps: list[TemplateStepOverlay] = Field(min_length=2, max_length=8)
    examples: list[ActionExample] = Field(default_factory=list)


@dataclass
class Templates:
    """The usable templates of a pack, the findings, and the names of the unusable ones."""

    usable: dict[str, AtomicAction] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)


def templates_of(folder: Path, actions: Mapping[str, AtomicAction]) -> Templates:
    """Return the templates of the pack in `folder`, over its usable `actions`."""
    found = Templates()
    for path in sorted((folder / "templates").glob("*.yaml")):
        label = f"{folder.name}/templates/{path.name}"
        try:
            file = read_limited_yaml(path)
        except (OSError, YamlSyntaxError) as error:
            found.findings.append(unreadable(label, error))
            found.skipped.append(path.stem)
            continue
        name = str(file.data.get("template") or path.stem) if isinstance(file.data, dict) else path.stem
        findings = Findings(file, label, name)
        template = _read(file.data, findings)
        if template is not None and (name in actions or name in found.usable):
            findings.error(("template",), f"something else is called {name}", "give one of them another name")
        made = _made(template, actions, findings) if template is not None and not findings.fatal else None
        found.findings += findings.rows
        if made is not None and not findings.fatal:
            found.usable[name] = made
        else:
            found.skipped.append(name)
    return found


def _read(data: object, findings: Findings) -> StepTemplateFile | None:
    try:
        file = StepTemplateFile.model_validate(data)
    except ValidationError as error:
        for problem in error.errors():
            known = did_you_mean(str(problem["loc"][-1]), StepTemplateFile.model_fields) if problem["loc"] else ""
            hint = known if problem["type"] == "extra_forbidden" else ""
            findings.error(problem["loc"], problem["msg"][:1].lower() + problem["msg"][1:], hint)
        return None
    if not file.iq_enabled:
        findings.info("not enabled: `iq_enabled: true` turns it on")
        return None
    return file


def _made(file: StepTemplateFile, actions: Mapping[str, AtomicAction], findings: Findings) -> AtomicAction | None:
    parameters = {n: p for n, w in file.parameters.items() if (p := _parameter(n, w, actions, findings)) is not None}
    for number, step in enumerate(file.steps, 1):
        _check_step(number, step, file, actions, findings)
    _check_used(file, findings)
    if findings.fatal:
        return None
    own = [actions[step.action] for step in file.steps]
    made = own[0].model_copy(
        update={
            "name": file.template,
            "title": file.title,
            "category": file.category,
            "description": file.description,
            "when_to_use": file.when_to_use,
            "parameters": tuple(parameters.values()),
            "require_any": (),
            "safety": SafetyTier.HIGH_RISK if any(a.safety is SafetyTier.HIGH_RISK for a in own) else SafetyTier.NORMAL,
            "reversible": all(a.reversible for a in own),
            "examples": tuple(file.examples),
            "companions": (),
            "aliases": (),
            "steps": tuple(
                TemplateStep(
                    action=step.action,
                    values=step.values,
                    required=step.required,
                    only_if_failed=step.only_if_failed,
                    only_if_done=step.only_if_done,
                )
                for step in file.steps
            ),
        }
    )
    for number, example in enumerate(file.examples):
        for problem in argument_problems(made, example.call):
            findings.error(("examples", number, "call"), problem)
    return made


def _parameter(
    name: str, written: TemplateParameter, actions: Mapping[str, AtomicAction], findings: Findings
) -> ActionParameter | None:
    key = ("parameters", name, "of")
    owner, _, which = written.of.partition(".")
    action = actions.get(owner)
    if action is None:
        findings.error(key, f"there is no usable action {owner}", did_you_mean(owner, actions))
        return None
    parameter = action.parameter(which)
    if parameter is None:
        findings.error(
            key, f"{owner} has no parameter {which}", did_you_mean(which, [p.name for p in action.parameters])
        )
        return None
    required = parameter.required if written.required is None else written.required
    text = written.describe or parameter.description
    return parameter.model_copy(update={"name": name, "required": required, "description": text})


def _check_step(
    number: int,
    step: TemplateStepOverlay,
    file: StepTemplateFile,
    actions: Mapping[str, AtomicAction],
    findings: Findings,
) -> None:
    key = ("steps", number - 1)
    action = actions.get(step.action)
    if action is None or action.read_only:
        why = "is a look-up: only changes are steps" if action else "is no usable action"
        findings.error((*key, "action"), f"{step.action} {why}", "" if action else did_you_mean(step.action, actions))
        return
    for own, given in step.values.items():
        if action.parameter(own) is None:
            names = [p.name for p in action.parameters]
            findings.error((*key, "with", own), f"{step.action} has no parameter {own}", did_you_mean(own, names))
        if given not in file.parameters:
            findings.error((*key, "with", own), f"the template takes no {given}", did_you_mean(given, file.parameters))
    missing = [p.name for p in action.parameters if p.required and p.name not in step.values]
    if missing:
        findings.error((*key, "with"), f"{step.action} needs {', '.join(missing)}", "give each a value of the template")
    for way in ("only_if_failed", "only_if_done"):
        earlier = getattr(step, way)
        if earlier is not None and earlier >= number:
            findings.error((*key, way), f"step {earlier} does not come before step {number}")
    if step.only_if_failed is not None and step.only_if_done is not None:
        findings.error((*key, "only_if_done"), "one condition a step", "leave one of the two out")
    for own in (p.name for p in action.parameters if p.role is ParameterRole.BOOKING and p.name not in step.values):
        findings.error((*key, "with"), f"{step.action} is about {own}, which nothing gives")


def _check_used(file: StepTemplateFile, findings: Findings) -> None:
    used = {given for step in file.steps for given in step.values.values()}
    for name in file.parameters:
        if name not in used:
            findings.error(("parameters", name), "is taken by no step", "leave it out, or give it to one")
