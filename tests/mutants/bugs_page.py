"""Deliberate bugs in who may sign in to the page, what it may ask, and in values typed into a plan; see `bugs.py`."""

from tests.mutants.bugs import Bug

_SIGN_IN = "tests/stack/test_page_session.py"
_EDITS = "tests/stack/test_edits.py"

PAGE: tuple[Bug, ...] = (
    Bug(
        name="a page asks as anybody",
        about="said",
        file="api/page_session.py",
        right="    if any(user != page.user_id for user in users) or names_none",
        wrong="    if names_none",
        tests=(_SIGN_IN,),
    ),
    Bug(
        name="a page asks of any venue",
        about="said",
        file="api/page_session.py",
        right=" or any(v != page.venue_id for v in venues):",
        wrong=":",
        tests=(_SIGN_IN,),
    ),
    Bug(
        name="a ticket is good twice",
        about="said",
        file="infra/vault.py",
        right="        del self._kept[reference]\n        return token\n",
        wrong="        return token\n",
        tests=(_SIGN_IN,),
    ),
    Bug(
        name="another site's page is heard",
        about="said",
        file="api/page_session.py",
        right='        return site == "same-origin"\n',
        wrong='        return site != "cross-site"\n',
        tests=(_SIGN_IN,),
    ),
    Bug(
        name="a ticket is a session",
        about="said",
        file="api/page_session.py",
        right='        return found if found is not None and found.kind == "session" else None\n',
        wrong="        return found\n",
        tests=(_SIGN_IN,),
    ),
    Bug(
        name="a page lists a whole venue's plans",
        about="said",
        file="api/plan_list.py",
        right="    if page is None and authorization is None and",
        wrong="    if authorization is None and",
        tests=(_SIGN_IN,),
    ),
    Bug(
        name="the demo operator is everybody's",
        about="said",
        file="api/page.py",
        right="    if demo is None or not at_this_machine(request) or",
        wrong="    if demo is None or",
        tests=(_SIGN_IN,),
    ),
    Bug(
        name="a typed value changes which booking is meant",
        about="done",
        file="reasoning/editing.py",
        right="        if parameter is None or parameter.role is ParameterRole.BOOKING:\n",
        wrong="        if parameter is None:\n",
        tests=(_EDITS,),
    ),
    Bug(
        name="a typed value reaches a plan that no longer waits",
        about="done",
        file="workflows/turns.py",
        right="        pending = self._memory.pending_steps if edit.plan_id == self._memory.pending_plan_id else ()\n",
        wrong="        pending = self._memory.pending_steps\n",
        tests=(_EDITS,),
    ),
)
