"""Deliberate bugs in who may sign in to the page, what it may ask, and in values typed into a plan; see `bugs.py`."""

from tests.mutants.bugs import Bug

_SIGN_IN = "tests/stack/test_page_session.py"
_EDITS = "tests/stack/test_edits.py"
_LOOKS = "tests/stack/test_looks.py"
_AWAY = "tests/page/test_away.py"
_FOCUS = "tests/page/test_focus.py"
_UNITS = "tests/page/test_sources.py::test_the_units_under_node"

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
    Bug(
        name="a typed value goes into another step, where a look is the first",
        about="done",
        file="reasoning/editing.py",
        right="        place = typed.step - behind\n",
        wrong="        place = typed.step\n",
        tests=(_LOOKS,),
    ),
    Bug(
        name="after a reload a plan that has ended has said nothing",
        about="said",
        file="clients/session_watching.py",
        right="{short(plan.plan_id): 0 for plan in plans}",
        wrong="{short(plan.plan_id): 0 for plan in plans if not plan.settled}",
        tests=("tests/stack/test_session_watching.py", "tests/browser/test_page_reload.py"),
    ),
    Bug(
        name="what nothing was reversed of is called put back",
        about="said",
        file="api/web/reading.js",
        right='  const some = rows.some((row) => row.outcome === "reversed");\n',
        wrong="  const some = rows.length > 0;\n",
        tests=(_UNITS, "tests/browser/test_page_plans.py"),
    ),
    Bug(
        name="a step is offered to be left out that is all there is",
        about="said",
        file="api/web/skipping.js",
        right='  return [...without.values()].some((status) => status !== "skipped");\n',
        wrong="  return true;\n",
        tests=(_UNITS,),
    ),
    Bug(
        name="a service that answers is called a lost connection",
        about="said",
        file="api/web/stream.js",
        right='    if (this.#refusal === undefined) this.#wanted.state("waiting");\n',
        wrong='    if (this.#refusal !== undefined) this.#wanted.state("waiting");\n',
        tests=(_AWAY,),
    ),
    Bug(
        name="what was said of a worker that is back stays",
        about="said",
        file="api/web/store.js",
        right="  if (stale || !word.away) return word;\n",
        wrong="  if (word) return word;\n",
        tests=(_UNITS, _AWAY),
    ),
    Bug(
        name="a plan that is being stopped is called under way",
        about="said",
        file="api/web/reading.js",
        right='  return plan.stopping || told?.kind === "stopping";\n',
        wrong="  return false;\n",
        tests=(_UNITS, _FOCUS, "tests/browser/test_page_stopping.py"),
    ),
    Bug(
        name="the keyboard loses its place",
        about="done",
        file="api/web/focus.js",
        right="  if (card instanceof HTMLElement) card.focus();\n",
        wrong="  if (!card) return;\n",
        tests=(_FOCUS,),
    ),
    Bug(
        name="a word is broken where it would fit",
        about="said",
        file="api/web/style/base.css",
        right="  overflow-wrap: break-word;\n",
        wrong="  overflow-wrap: anywhere;\n",
        tests=("tests/page/test_whole_words.py",),
    ),
)
