"""Deliberate bugs in what traces tell, and to whom; see `bugs.py`."""

from tests.mutants.bugs import Bug

_STACK = "tests/stack/test_traces.py"
_DEATH = "tests/processes/test_traces_through_death.py"
_WIRE = "tests/infra/test_langfuse.py"
_WORDS = "tests/language/test_known_words.py"
_PERSONAL = "tests/leaks/test_personal.py"

TRACES: tuple[Bug, ...] = (
    Bug(
        name="what a dead worker had told is not told again",
        about="said",
        file="workflows/plan_trace.py",
        right="            self._perhaps_lost += new\n",
        wrong="            pass\n",
        tests=(_DEATH,),
    ),
    Bug(
        name="an answer to a question is another trace",
        about="said",
        file="workflows/turn_trace.py",
        right="answers = memory.asked if memory.clarifications else None",
        wrong="answers = None",
        tests=(f"{_STACK}::test_a_clarification_belongs_to_the_request_that_it_is_about",),
    ),
    Bug(
        name="a question that nobody answers leaves its trace without a top",
        about="said",
        file="workflows/turn_trace.py",
        right="    if asked is None or workflow.unsafe.is_replaying():",
        wrong="    if True:",
        tests=(f"{_STACK}::test_a_question_that_nobody_answers_ends_with_its_chat",),
    ),
    Bug(
        name="a span that is told twice is two spans",
        about="said",
        file="infra/spans.py",
        right='hashlib.sha256(f"{trace}/{key}".encode())',
        wrong='hashlib.sha256(f"{trace}/{key}/{datetime.now()}".encode())',
        tests=(_WIRE,),
    ),
    Bug(
        name="two chats' requests of one id share a trace",
        about="said",
        file="workflows/ids.py",
        right='"\\n".join((venue_id, session_id, user_id, request_key))',
        wrong='"same"',
        tests=(_STACK,),
    ),
    Bug(
        name="calls stand beside their step",
        about="said",
        file="workflows/execution.py",
        right="place=place_in_plan(self._start, step_key(run.number))",
        wrong="place=None",
        tests=(_STACK,),
    ),
    Bug(
        name="users stand in traces by their names",
        about="said",
        file="infra/span_attributes.py",
        right='told["user.id"] = pseudonym(place.venue_id, place.user_id)',
        wrong='told["user.id"] = place.user_id',
        tests=(_WIRE,),
    ),
    Bug(
        name="a name that is also a word is shown",
        about="said",
        file="language/known_words.py",
        right="for part in (word, *_APOSTROPHE.split(word))) - _ALSO_NAMES\n",
        wrong="for part in (word, *_APOSTROPHE.split(word)))\n",
        tests=(_WORDS,),
    ),
    Bug(
        name="a phone number in pieces is three counts",
        about="said",
        file="language/known_words.py",
        right="    return sum(map(str.isdigit, others)) <= _FIGURES\n",
        wrong="    return all(len(piece) <= _FIGURES for piece in others.split())\n",
        tests=(_WORDS,),
    ),
    Bug(
        name="the name on a booking passes for a product's",
        about="said",
        file="infra/personal.py",
        right='or (key == "name" and _OWN.fullmatch(under) is not None)',
        wrong='or key == "name"',
        tests=(_PERSONAL,),
    ),
    Bug(
        name="a workflow waits until its spans are worked out",
        about="done",
        file="infra/observe.py",
        right="            self._aside.put(partial(self._tell, trace_id, span))\n",
        wrong="            self._tell(trace_id, span)\n",
        tests=("tests/infra/test_tracing.py",),
    ),
    Bug(
        name="what was unclear is not told of a question in a model's words",
        about="said",
        file="workflows/turn_trace.py",
        right="return [role.value for role in asked_for(turn.question, self._start.locale)]",
        wrong="return []",
        tests=(f"{_STACK}::test_what_was_unclear_is_told_of_a_question_in_a_models_words",),
    ),
    Bug(
        name="that no booking was found is not told to be unclear",
        about="said",
        file="workflows/turn_effects.py",
        right="            self._trace.found(len(reply.candidates))\n",
        wrong="            pass\n",
        tests=(f"{_STACK}::test_a_clarification_belongs_to_the_request_that_it_is_about",),
    ),
    Bug(
        name="names of actions are hidden where a model writes them",
        about="said",
        file="language/known_words.py",
        right='|[^\\W_]+")',
        wrong='|\\w+")',
        tests=(_WORDS,),
    ),
    Bug(
        name="a plan that a mistake ends while it is put back is never counted",
        about="said",
        file="workflows/record.py",
        right="            self._note(self._told, ends=True)\n",
        wrong="            pass\n",
        tests=("tests/workflows/test_outcomes.py",),
    ),
    Bug(
        name="a plan that a mistake ends leaves its trace without a top",
        about="said",
        file="workflows/record.py",
        right="        self._trace.cut_off(self.plan, workflow.now())\n",
        wrong="        pass\n",
        tests=("tests/workflows/test_outcomes.py",),
    ),
)
