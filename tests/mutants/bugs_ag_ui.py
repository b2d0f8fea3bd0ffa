"""Deliberate bugs in what an AG-UI client may do and is told; `bugs.py` tells of what they are made."""

from tests.mutants.bugs import Bug

_RULES = ("tests/integration/ag_ui/test_interrupt_rules.py",)
_RUNS = ("tests/integration/ag_ui/test_runs.py",)
_HOSTILE = ("tests/integration/ag_ui/test_hostile_input.py",)

AG_UI: tuple[Bug, ...] = (
    Bug(
        name="a message alone is said while something waits",
        about="done",
        file="api/ag_ui/run.py",
        right="(said is not None and not await self._was_answered(said))",
        wrong="False",
        tests=_RULES,
    ),
    Bug(
        name="one resume need not name all that waits",
        about="done",
        file="api/ag_ui/run.py",
        right="any(not answer.settled for answer in answers) or",
        wrong="",
        tests=_RULES,
    ),
    Bug(
        name="a yes with the plan cancelled confirms it",
        about="done",
        file="api/ag_ui/run.py",
        right="if read is not None and read.kind in (ShortReply.YES, ShortReply.YES_CANCEL):",
        wrong="if read is not None and read.kind in (ShortReply.YES_CANCEL,):",
        tests=_RULES,
    ),
    Bug(
        name="a message and an answer are taken together",
        about="done",
        file="api/ag_ui/run.py",
        right="if not all(answer.cancelled for answer in answers):",
        wrong="if not any(answer.cancelled for answer in answers) and len(answers) > 1:",
        tests=_RULES,
    ),
    Bug(
        name="an interrupt is answered from another thread",
        about="done",
        file="api/ag_ui/settling.py",
        right="if (view.plan.session_id, view.plan.venue_id) != (self._asked.thread_id, self._venue_id):",
        wrong="if view.plan.venue_id != self._venue_id:",
        tests=_RULES,
    ),
    Bug(
        name="what was refused is told as confirmed",
        about="said",
        file="api/ag_ui/settling.py",
        right="    if yes != confirmed:\n",
        wrong="    if confirmed and not yes:\n",
        tests=_RULES,
    ),
    Bug(
        name="another answer to a settled question is a success",
        about="said",
        file="api/ag_ui/settling.py",
        right="    if text != (given.text if given is not None else None):\n",
        wrong="    if given is None and text is not None:\n",
        tests=_RULES,
    ),
    Bug(
        name="an answer need not be one of the choices",
        about="done",
        file="api/ag_ui/settling.py",
        right="    if text is not None and opened.choices and text not in opened.choices:\n",
        wrong="    if text is not None and opened.choices and not text:\n",
        tests=_RULES,
    ),
    Bug(
        name="a run that is told again says its messages twice",
        about="said",
        file="api/ag_ui/transcript.py",
        right="        new = message_id not in self._held\n",
        wrong="        new = True\n",
        tests=_RULES,
    ),
    Bug(
        name="a run ends as a success while something waits",
        about="said",
        file="api/ag_ui/run.py",
        right="        if interrupts:\n",
        wrong="        if interrupts and self._asked.said is not None:\n",
        tests=_RUNS,
    ),
    Bug(
        name="a message that is sent again is said again",
        about="done",
        file="api/ag_ui/asked.py",
        right="    if restored := _RESTORED.fullmatch(message_id):\n",
        wrong="    if (restored := _RESTORED.fullmatch(message_id)) and not text:\n",
        tests=_RUNS,
    ),
    Bug(
        name="messages under one id are one message",
        about="done",
        file="api/ag_ui/asked.py",
        right='f"{message_id}\\n{ordinal}\\n{text}"',
        wrong='f"{message_id}"',
        tests=_HOSTILE,
    ),
)
