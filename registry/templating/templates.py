"""Templates: source text with `{{ … }}` and the names it may see, to JSON values.

A text that is one whole `{{ … }}` gives the value itself; a text with more around it gives text. Undefined is
an error, mapping keys are looked up before anything else (`before.items` is data), no Python attribute can be
reached, and what a template gave is never rendered again.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NoReturn, NotRequired, TypedDict, TypeGuard

from jinja2 import StrictUndefined, TemplateError, TemplateSyntaxError, Undefined, nodes
from jinja2.environment import Template, TemplateExpression
from jinja2.exceptions import SecurityError
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

from contracts.base import Tree, Value
from language.text.invisible import shown
from registry.errors import TemplateRenderError, did_you_mean
from registry.templating.filters import FILTERS
from registry.templating.sandbox import (
    CHARGING,
    LONGEST,
    RENDERING,
    ROW,
    BudgetExceededError,
    charging,
    consume,
    consume_size,
    each,
    judge,
    long_enough,
    measured,
    metered,
    settled,
)

FOR_EACH: Final = "for_each"
WHEN: Final = "when"
VALUE: Final = "value"
ITEM: Final = "item"

MOST_TIMES: Final = 1000
"""How often a `for_each` may repeat its value when it is given a number."""

Names = Mapping[str, object]
"""What a template may see."""


class Directive(TypedDict):
    """A part of a tree that controls how often `value` is rendered."""

    value: Tree
    for_each: NotRequired[str]
    when: NotRequired[str]


_FAILURES = (
    TemplateError, TypeError, ValueError, ArithmeticError, LookupError, AttributeError, RecursionError, MemoryError,
    SyntaxError,
)  # fmt: skip


_LONGEST_REASON = 500


class Passthrough(dict[str, Value]):
    """A document that one `{{ … }}` passed on whole: its empty fields are the venue's own, not a template's gap."""


class PassedOnRows(list[Value]):
    """A list that was passed on whole, like `Passthrough`."""


class _Missing(StrictUndefined):
    """Undefined that may be looked into, so that `a.b.c | default(…)` works; any other use is an error."""


class _Sandbox(ImmutableSandboxedEnvironment):
    intercepted_binops = frozenset({"+", "-", "*", "/", "//", "**", "%"})

    def __init__(self, finalize: Callable[[object], object]) -> None:
        # Constants are not worked out while compiling: no measure of work holds there.
        super().__init__(
            undefined=_Missing, autoescape=False, finalize=finalize, keep_trailing_newline=True, optimized=False
        )
        self.globals.clear()
        self.filters = {**{name: metered(f) for name, f in FILTERS.items()}, **CHARGING}

    def parse(self, source: str, name: str | None = None, filename: str | None = None) -> nodes.Template:
        """Return a template as Jinja parses it, if it is allowed. Raises TemplateSyntaxError."""
        if len(source) > LONGEST:
            raise TemplateSyntaxError(f"has {len(source)} characters; at most {LONGEST} are allowed", 1)
        return judge(super().parse(source, name, filename))

    def _generate(
        self, source: nodes.Template, name: str | None, filename: str | None, defer_init: bool = False
    ) -> str:
        return super()._generate(charging(judge(source), self), name, filename, defer_init)

    def getattr(self, obj: object, attribute: str) -> object:
        """Return a mapping's key; nothing else has attributes here."""
        if isinstance(obj, Undefined):
            return obj
        if isinstance(obj, Mapping) and attribute in obj:
            return obj[attribute]
        return self.undefined(hint=f"{_described(obj)} has no {attribute!r}", name=attribute)

    def getitem(self, obj: object, argument: object) -> object:
        """Return a mapping's key or a list's entry."""
        if isinstance(obj, Undefined):
            return obj
        if isinstance(obj, Mapping) and isinstance(argument, str) and argument in obj:
            return obj[argument]
        if isinstance(obj, list | tuple | str) and isinstance(argument, int | slice):
            try:
                return obj[argument]
            except IndexError:
                return self.undefined(hint=f"{_described(obj)} has no place {argument}", name=str(argument))
        return self.undefined(hint=f"{_described(obj)} has no {argument!r}", name=str(argument))

    def call_binop(self, context: Context, operator: str, left: object, right: object) -> object:
        """Allow arithmetic on numbers only, except `+`, because `'a' * 10**9` would exhaust the memory."""
        numeric = isinstance(left, int | float) and isinstance(right, int | float)
        if operator == "+" and not numeric:
            consume_size(left)
            consume_size(right)
        elif operator == "**" or not (numeric or isinstance(left, Undefined) or isinstance(right, Undefined)):
            raise SecurityError(f"{operator} works on numbers only, and ** not at all")
        return settled(super().call_binop(context, operator, settled(left), settled(right)))


def _described(value: object) -> str:
    if value is None:
        return "an empty value"
    if isinstance(value, Mapping):
        names = ", ".join(sorted(map(str, value))[:12])
        return f"a document with {names or 'no fields'}"
    return f"a list of {len(value)}" if isinstance(value, list | tuple) else f"a {type(value).__name__}"


def _strict(value: object) -> object:
    if value is None:
        raise ValueError("an empty value in the middle of a text")
    return _shown(value)


def _lenient(value: object) -> object:
    return "" if value is None else _shown(value)


def _shown(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping | list | tuple):
        raise TypeError(f"{_described(value)} cannot be shown as text")
    if isinstance(value, str):
        long_enough(len(value))
    return value


_REQUESTS, _DISPLAY = _Sandbox(_strict), _Sandbox(_lenient)


@dataclass(frozen=True)
class _Compiled:
    """`expression` for a whole `{{ … }}`, `text` for anything with a tag in it, neither for plain text."""

    source: str
    expression: TemplateExpression | None = None
    text: Template | None = None


@lru_cache(maxsize=8192)
def _compiled_expression(source: str) -> TemplateExpression:
    return _REQUESTS.compile_expression(source, undefined_to_none=False)


@lru_cache(maxsize=8192)
def _compiled(source: str, display: bool) -> _Compiled:
    if "{{" not in source and "{%" not in source and "{#" not in source:
        return _Compiled(source)
    inner = _whole(source)
    if inner is not None:
        return _Compiled(source, expression=_compiled_expression(inner))
    return _Compiled(source, text=(_DISPLAY if display else _REQUESTS).from_string(source))


def _whole(source: str) -> str | None:
    """Return the inside when `source` is one `{{ … }}` and nothing else."""
    text = source.strip()
    tokens = list(_REQUESTS.lex(text))
    kinds = [kind for _, kind, _ in tokens]
    one = kinds.count("variable_begin") == 1 and kinds[0] == "variable_begin" and kinds[-1] == "variable_end"
    return text[len(tokens[0][2]) : len(text) - len(tokens[-1][2])] if one else None


def evaluate(source: str, names: Names, where: str) -> Value:
    """Return the value of an expression without braces. Raises TemplateRenderError."""
    try:
        with measured():
            consume(RENDERING)
            return _settled(_compiled_expression(source)(**names))
    except _FAILURES as error:
        _fail(where, error)


def render(source: str, names: Names, where: str) -> Value:
    """Return the value of a template text. Raises TemplateRenderError, also for an empty value within other text."""
    return _rendered(source, names, where, display=False)


def render_text(source: str, names: Names, where: str) -> str:
    """Return a text for people: empty values are omitted, invisible characters escaped. Raises TemplateRenderError."""
    value = _rendered(source, names, where, display=True)
    try:
        return shown(str(_lenient(value)).strip())
    except TypeError as error:
        raise TemplateRenderError(where, str(error)) from error


def _rendered(source: str, names: Names, where: str, *, display: bool) -> Value:
    try:
        with measured():
            compiled = _compiled(source, display)
            consume(RENDERING)
            if compiled.expression is not None:
                return _passed_on(_settled(compiled.expression(**names)))
            return str(settled(compiled.text.render(**names))) if compiled.text is not None else source
    except _FAILURES as error:
        _fail(where, error)


def _passed_on(value: Value) -> Value:
    if isinstance(value, dict):
        return Passthrough(value)
    return PassedOnRows(value) if isinstance(value, list) else value


def _settled(value: Any) -> Value:
    if isinstance(value, Undefined):
        value._fail_with_undefined_error()
    if isinstance(value, tuple):
        return list(value)
    return value if value is None or isinstance(value, bool | int | float | str | list | dict) else list(value)


def _fail(where: str, error: Exception) -> NoReturn:
    if isinstance(error, TemplateRenderError):
        raise error
    if isinstance(error, RecursionError | MemoryError):
        raise TemplateRenderError(where, "is too large, or nested too deep") from error
    raise TemplateRenderError(where, (str(error) or type(error).__name__)[:_LONGEST_REASON]) from error


class _LeftOut:
    """The result of a `when` that is not true."""


_LEFT_OUT = _LeftOut()


def render_tree(tree: Tree, names: Names, where: str, odd: list[TemplateRenderError] | None = None) -> Value:
    """Return a JSON tree with every text rendered. `{for_each, value}` makes a list with `item` bound in turn, and an
    entry `{when, value}` is left out unless the expression is true.

    With a list for `odd`, a row that cannot be rendered is added to it and left out, unless all fail. Raises
    TemplateRenderError.
    """
    try:
        with measured():
            value = _tree(tree, names, where, odd)
    except (RecursionError, BudgetExceededError) as error:
        _fail(where, error)
    return None if isinstance(value, _LeftOut) else value


def render_fields(tree: dict[str, Tree], names: Names, where: str) -> dict[str, Value]:
    """Return rendered values by name, as `render_tree`. Raises TemplateRenderError."""
    value = render_tree(tree, names, where)
    if not isinstance(value, dict):
        raise TemplateRenderError(where, "gives no values by name")
    return value


def is_directive(tree: object) -> TypeGuard[Directive]:
    """Return whether a tree is `{for_each, value}`, `{when, value}` or both together."""
    return isinstance(tree, dict) and {VALUE} < tree.keys() <= {FOR_EACH, WHEN, VALUE}


def rows_of(
    tree: Tree, names: Names, where: str, odd: list[TemplateRenderError] | None = None
) -> list[tuple[Tree, Names]]:
    """Return what `{for_each, when, value}` renders for each row, with its names; a tree without it once. A row that
    cannot be evaluated is `odd`, as in `render_tree`. Raises TemplateRenderError."""
    if not is_directive(tree) or FOR_EACH not in tree:
        return [(tree, names)]
    rows = evaluate(tree[FOR_EACH], names, f"{where}.for_each")
    if not isinstance(rows, list):
        raise TemplateRenderError(f"{where}.for_each", f"{tree[FOR_EACH]!r} gives {_described(rows)}, not a list")
    every: list[tuple[Tree, Names]] = []
    for index, row in enumerate(rows):
        inner = {**names, ITEM: row, "index": index}
        try:
            if WHEN not in tree or evaluate(tree[WHEN], inner, f"{where}.when"):
                every.append((tree[VALUE], inner))
        except TemplateRenderError as fault:
            if odd is None:
                raise
            odd.append(fault)
    return every


def _tree(tree: Tree, names: Names, where: str, odd: list[TemplateRenderError] | None) -> Value | _LeftOut:
    if isinstance(tree, str):
        return render(tree, names, where)
    if is_directive(tree):
        return _directive(tree, names, where, odd)
    if isinstance(tree, dict):
        fields = {key: _tree(value, names, f"{where}.{key}", odd) for key, value in tree.items()}
        return {key: value for key, value in fields.items() if not isinstance(value, _LeftOut)}
    if isinstance(tree, list):
        values = [_tree(value, names, f"{where}[{i}]", odd) for i, value in enumerate(tree)]
        return [value for value in values if not isinstance(value, _LeftOut)]
    return tree


def _directive(tree: Directive, names: Names, where: str, odd: list[TemplateRenderError] | None) -> Value | _LeftOut:
    if FOR_EACH not in tree:
        wanted = evaluate(tree[WHEN], names, f"{where}.when")
        return _tree(tree[VALUE], names, where, odd) if wanted else _LEFT_OUT
    rows = evaluate(tree[FOR_EACH], names, f"{where}.for_each")
    if isinstance(rows, int) and not isinstance(rows, bool) and 0 <= rows <= MOST_TIMES:
        rows = list(range(rows))
    if not isinstance(rows, list):
        raise TemplateRenderError(f"{where}.for_each", f"{tree[FOR_EACH]!r} gives {_described(rows)}, not a list")
    result: list[Value | _LeftOut] = []
    wrong: list[TemplateRenderError] = []
    for index, row in enumerate(each(rows, ROW)):
        inner = {**names, ITEM: row, "index": index}
        try:
            if WHEN in tree and not evaluate(tree[WHEN], inner, f"{where}.when"):
                continue
            result.append(_tree(tree[VALUE], inner, f"{where}[{index}]", odd))
        except TemplateRenderError as fault:
            if odd is None:
                raise
            wrong.append(fault)
    if odd is not None and wrong:
        if not result:
            raise wrong[0]
        odd += wrong
    return [value for value in result if not isinstance(value, _LeftOut)]


def parsed(source: str, where: str, *, expression: bool = False) -> nodes.Template:
    """Return the syntax tree of a template or expression, only for analysis. Raises TemplateRenderError when it is
    invalid."""
    try:
        return _syntax("{{ " + source + " }}" if expression else source)
    except (TemplateSyntaxError, RecursionError, ValueError) as error:
        raise TemplateRenderError(where, str(error)) from error


@lru_cache(maxsize=4096)
def _syntax(source: str) -> nodes.Template:
    return _REQUESTS.parse(source)


def names_of(source: str, where: str, *, expression: bool = False) -> set[str]:
    """Return the names that a source uses. Raises TemplateRenderError if invalid, or for an unknown filter or test."""
    try:
        return set(_names("{{ " + source + " }}" if expression else source))
    except (TemplateSyntaxError, LookupError) as error:
        raise TemplateRenderError(where, error.args[0] if error.args else "not a template") from error
    except (RecursionError, ValueError) as error:
        # Jinja recurses once for every bracket, and Python rejects a number of thousands of digits.
        deep = isinstance(error, RecursionError)
        raise TemplateRenderError(where, "is nested too deep" if deep else "a number has too many digits") from error


@lru_cache(maxsize=4096)
def _names(source: str) -> frozenset[str]:
    if "{" not in source:
        return frozenset()
    tree = _syntax(source)
    for kind, known in ((nodes.Filter, _REQUESTS.filters), (nodes.Test, _REQUESTS.tests)):
        for node in tree.find_all(kind):
            if node.name not in known:
                word = kind.__name__.lower()
                raise LookupError(f"there is no {word} {node.name}; {did_you_mean(node.name, known)}".rstrip("; "))
    # Jinja's own `meta.find_undeclared_variables` generates code to tell: twice the time for the same answer here.
    used = list(tree.find_all(nodes.Name))
    return frozenset(n.name for n in used if n.ctx == "load") - {n.name for n in used if n.ctx != "load"}
