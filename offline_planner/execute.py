"""Execution: the next confirmed call with exactly its values, repaired once, or one question for what is missing."""

import re
from collections.abc import Mapping
from datetime import date, time

from contracts.enums import ParameterRole as Role
from contracts.identifiers import step_output
from language import to_e164
from language.locales import alternatives
from language.text.lexer import fold
from offline_planner import replies as wording
from offline_planner.brief import Brief, BriefStep
from offline_planner.orders.slots import match_choice
from offline_planner.protocol import ASK, REFUSE, Arguments, Call, ModelAnswer, ProtocolMessage, as_json
from offline_planner.tools import Param, Tool, Toolbox

_NEEDED = re.compile(alternatives("planner_tools", "NEEDED"), re.IGNORECASE)
_TIME = re.compile(r"HH:MM(:SS)?", re.I)
_DAY = re.compile(r"YYYY-MM-DD|ISO|DD/MM/YYYY", re.I)
_PHONE = re.compile(rf"\+|E\.?164|{alternatives('planner_tools', 'INTERNATIONAL')}", re.I)

_OVER = ("completed", "failed", "skipped")

_QUESTIONS = 3
"""Maximum questions for one step's missing value."""

Exchange = tuple[Call, Mapping[str, object]]
"""A call and its result."""


def execute(messages: list[ProtocolMessage], brief: Brief, toolbox: Toolbox) -> ModelAnswer:
    """Return the next reply of an executing turn."""
    exchanges = _exchanges(messages)
    outputs: dict[int, object] = {}
    rest = list(exchanges)
    for step in brief.steps:
        done = step.status in _OVER and not any(c.name == step.tool for c, _ in rest)
        attempts: list[Exchange] = []
        while rest and not done:
            call, result = rest.pop(0)
            attempts.append((call, result))
            status = str(result.get("status", ""))
            if call.name == step.tool and status == "done":
                outputs[step.number] = result.get("result")
            done = (call.name == step.tool and status == "done") or status.startswith(("not done", "skipped"))
        done = done or step.status in ("failed", "skipped")
        if not done:
            return _next(step, attempts, outputs, brief, toolbox)
    return ModelAnswer(text=wording.say("done"))


def _exchanges(messages: list[ProtocolMessage]) -> list[Exchange]:
    """Return each call with its result, in order."""
    calls = {c.id: c for m in messages for c in m.calls}
    found: list[Exchange] = []
    for message in messages:
        if message.role == "tool" and message.call_id in calls:
            result = as_json(message.content)
            found.append((calls[message.call_id], result if isinstance(result, dict) else {}))
    return found


def _next(
    step: BriefStep, attempts: list[Exchange], outputs: Mapping[int, object], brief: Brief, toolbox: Toolbox
) -> ModelAnswer:
    tool = toolbox.get(step.tool)
    if tool is None:
        return _refuse({"error": f"there is no {step.tool}"})
    arguments = _resolved(step.arguments, outputs)
    if not attempts:
        return ModelAnswer(calls=(Call(tool.name, arguments),))
    call, result = attempts[-1]
    if call.name == ASK:
        return _filled(tool, arguments, attempts, str(result.get("operator", "")), brief)
    error = str(result.get("error", ""))
    tried = [c.arguments for c, _ in attempts if c.name == tool.name]
    last = tried[-1] if tried else arguments
    lacking = _lacking(tool, last, error)
    if lacking is not None and _may_ask(attempts):
        return _question(lacking, brief)
    mended = _mended(tool, last, error, brief)
    return ModelAnswer(calls=(Call(tool.name, mended),)) if mended not in (last, *tried) else _refuse(result)


def _may_ask(attempts: list[Exchange]) -> bool:
    return sum(c.name == ASK for c, _ in attempts) < _QUESTIONS


def _question(lacking: Param, brief: Brief) -> ModelAnswer:
    """Ask for one value, and name its parameter."""
    question: Arguments = {
        "question": wording.say("value", text=lacking.name.replace("_", " ")),
        "parameter": lacking.name,
    }
    if lacking.choices:
        question["choices"] = [str(c) for c in lacking.choices]
    return ModelAnswer(calls=(Call(ASK, question),))


def _refuse(result: Mapping[str, object]) -> ModelAnswer:
    """Give up on a step after its last call: only a result with a status is the venue's answer."""
    key = "not_accepted" if result.get("status") is not None else "not_sent"
    return ModelAnswer(calls=(Call(REFUSE, {"message": wording.say(key, text=str(result.get("error", "")))}),))


def _resolved(arguments: Mapping[str, object], outputs: Mapping[int, object]) -> Arguments:
    """Replace placeholders by the output of the step they name; an unresolved one stays, and the guard refuses it."""
    values: Arguments = {}
    for name, value in arguments.items():
        target = step_output(value)
        found = _dig(outputs.get(int(target[0])), target[1]) if target else None
        values[name] = value if found is None else found
    return values


def _dig(data: object, path: str) -> object:
    for part in path.split("."):
        data = data.get(part) if isinstance(data, dict) else None
    return data


def _filled(tool: Tool, arguments: Arguments, attempts: list[Exchange], answer: str, brief: Brief) -> ModelAnswer:
    """Return the call with the operator's answer in the parameter that the venue found missing."""
    result: Mapping[str, object] = next((r for c, r in reversed(attempts) if c.name == tool.name), {})
    lacking = _lacking(tool, arguments, str(result.get("error", "")))
    if lacking is None or not answer.strip():
        return _refuse(result)
    value: object = match_choice(lacking, answer) if lacking.choices else answer.strip()
    if value is None:
        return _question(lacking, brief) if _may_ask(attempts) else _refuse(result)
    if lacking.type in ("integer", "number") and not lacking.choices:
        figures = re.findall(r"\d+", answer)
        value = int(figures[0]) if figures else answer
    return ModelAnswer(calls=(Call(tool.name, {**arguments, lacking.name: value}),))


def _lacking(tool: Tool, given: Mapping[str, object], error: str) -> Param | None:
    """Return the parameter that an error names and the call omits: "refundType is required" is `refund_type`.

    An error that only states in words that something is missing names the parameter whose words it contains.
    """
    absent = [p for p in tool.params if p.name not in given]
    squeezed = re.sub(r"[\W_]", "", fold(error))
    named = [p for p in absent if re.sub(r"[\W_]", "", fold(p.name)) in squeezed]
    if named:
        return max(named, key=lambda p: len(p.name))
    if not _NEEDED.search(error):
        return None
    likely = [p for p in absent if set(p.name.split("_")) & set(re.findall(r"[a-z]+", fold(error)))]
    return next((p for p in likely if p.choices), likely[0] if likely else None)


def _mended(tool: Tool, given: Mapping[str, object], error: str, brief: Brief) -> Arguments:
    """Return the same values, in the format that the error asks for."""
    texts = [(p, v) for p in tool.params if isinstance(v := given.get(p.name), str)]
    return {**given, **{p.name: _rewritten(p, v, error, brief) for p, v in texts}}


def _rewritten(param: Param, value: str, error: str, brief: Brief) -> str:
    if param.role is Role.TIME and (wanted := _TIME.search(error)):
        match = re.fullmatch(r"(\d{1,2})[:.](\d{2})(?::\d{2})?", value.strip())
        if match is not None and int(match[1]) < 24 and int(match[2]) < 60:
            at = time(int(match[1]), int(match[2]))
            return at.strftime("%H:%M:%S" if wanted[1] else "%H:%M")
    if param.role is Role.DATE and (style := _DAY.search(error)):
        day = _day(value)
        if day is not None:
            return day.strftime("%d/%m/%Y") if style[0].upper().startswith("DD") else day.isoformat()
    if param.role is Role.PHONE and _PHONE.search(error):
        return to_e164(value, brief.country).e164 or value
    return value


def _day(value: str) -> date | None:
    iso = re.match(r"(\d{4})-(\d\d)-(\d\d)", value)
    spoken = re.fullmatch(r"(\d{1,2})[/.](\d{1,2})[/.](\d{4})", value)
    parts = iso.groups() if iso else spoken.groups()[::-1] if spoken else None
    if parts is None:
        return None
    try:
        return date(*(int(p) for p in parts))
    except ValueError:
        return None
