"""The conditions of dependencies: CEL over the facts of an ended parent. Nothing here raises or hangs.

The bounds are ours, since the evaluator has none: it copies a variable wherever an expression names it, so that a macro
over a large list which names another large value would run for minutes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from starloom.errors import nearest
from starloom.model.dependency import MAX_CONDITION_LENGTH

VARIABLES: Final = ("status", "value", "exit_code", "output", "attempts", "duration", "severity")
METHODS: Final = ("contains", "startsWith", "endsWith", "matches")
"""What is asked of a text, such as output.contains("done")."""
FUNCTIONS: Final = (
    *METHODS,
    "size",
    "int",
    "uint",
    "double",
    "string",
    "bytes",
    "type",
    "has",
    "duration",
    "timestamp",
)
"""The functions that people may mean; the evaluator knows some more, of moments."""
MAX_BRACKETS: Final = 20
MAX_MACROS: Final = 3
MAX_LIST: Final = 10_000
MAX_VALUE_DEPTH: Final = 50
MAX_NODES: Final = 200_000
MAX_CHARACTERS: Final = 4_000_000
MAX_WORK: Final = 20_000_000
"""Copies of values a macro may make; about a second."""

# Without possessive quantifiers: the first releases of Python 3.11 get them wrong.
_TOKEN: Final = re.compile(
    r"""(?P<text>[bB]?[rR][bB]?(?:\"\"\".*?\"\"\"|'''.*?'''|"[^"\n]*"|'[^'\n]*')"""
    r"""|[bB]?(?:\"\"\"(?:[^\\]|\\.)*?\"\"\"|'''(?:[^\\]|\\.)*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
    r""")|(?P<comment>//)|(?P<macro>\.\s*(?P<name>all|exists|exists_one|existsOne|map|filter)\s*\(\s*(?P<bound>\w+)\s*,)"""
    r"""|(?P<path>[A-Za-z_]\w*(?!\w)(?:\s*\.\s*[A-Za-z_]\w*(?!\w)(?!\s*\())*)|(?P<open>[(\[{])|(?P<close>[)\]}])|[\s\S]""",
    re.DOTALL,
)
_TYPE_NAMES: Final = frozenset(
    {"int", "uint", "double", "string", "bool", "bytes", "list", "map", "null_type", "type", "math", "optional"}
)
_MACROS: Final = frozenset({"all", "exists", "exists_one", "existsOne", "map", "filter"})
_POSITION: Final = re.compile(r"<input>:(\d+):(\d+): (?:Syntax error: )?([^\n]*)")
_ELSEWHERE: Final = {"len": "size", "length": "size", "includes": "contains", "not": "!"}
"""What other languages call them."""
_EVALUATED: Final = frozenset(
    {*FUNCTIONS, "dyn", "getFullYear", "getMonth", "getDayOfMonth", "getDate", "getDayOfWeek", "getDayOfYear"}
    | {"getHours", "getMinutes", "getSeconds", "getMilliseconds"}
)
"""All functions that the evaluator knows."""
_UNDEFINED: Final = re.compile(r"Undefined variable or function: '(\w+)'")
_TYPES_DO_NOT_FIT: Final = (
    "the condition compares or combines values of types that do not fit, such as null or a text and a number."
)
_SAMPLES: Final = tuple(
    {
        "status": status,
        "value": None,
        "exit_code": code,
        "output": "12",
        "attempts": 1,
        "duration": seconds,
        "severity": severity,
    }
    for status, code, seconds, severity in (
        ("completed", 0, 1.5, ""),
        ("failed", 1, 1.5, "error"),
        ("failed", None, None, "error"),
    )
)
"""What a parent may have done, for trials."""
_FOREIGN_ERROR: Final = BaseException  # a panic of the evaluator is no Exception


class _Macro(NamedTuple):
    """A macro such as `.all(x, …)`: its name, the variable it binds, and the paths its body names."""

    name: str
    bound: str
    paths: tuple[str, ...]


class _Shape(NamedTuple):
    """The facts about a condition that follow from its text alone."""

    fault: str | None
    macros: tuple[_Macro, ...]


def check(text: str) -> str | None:
    """The error of a condition, as a sentence; None: there is none, though it may still fail at run time."""
    if len(text) > MAX_CONDITION_LENGTH:
        return f"the condition has {len(text)} characters; at most {MAX_CONDITION_LENGTH} are allowed."
    return _checked(text)


@lru_cache(maxsize=1024)
def _checked(text: str) -> str | None:
    if not text.strip():
        return "the condition is empty; write an expression such as value.score > 0.8."
    shape = _shape(text)
    if shape.fault is not None:
        return shape.fault
    program, fault = _compiled(text)
    if fault is not None:
        return fault
    bound = {macro.bound for macro in shape.macros}
    for name in program.variables():
        if name not in VARIABLES and name not in bound and name not in _TYPE_NAMES:
            near = nearest(name, VARIABLES)
            hint = f"did you mean {near!r}?" if near else f"a condition knows {', '.join(VARIABLES)}."
            return f"the condition names {name!r}, which is not known; {hint}"
    return _trial_fault(program, shape)


def _trial_fault(program: Any, shape: _Shape) -> str | None:
    """What is wrong with a condition whatever its parent has done; None: nothing that a trial shows.

    Of a value nothing is known beforehand. So only unknown functions and bad patterns are certain to fail there.
    """
    unknown = [name for name in program.functions() if name[0].isalpha() and name not in _EVALUATED]
    if unknown:
        return _unknown_function(min(unknown))
    faults = []
    knows_all = "value" not in program.variables()
    for sample in _SAMPLES:
        if _too_much_work(shape, sample):  # a trial has the bounds of an evaluation
            return None
        try:
            result = program.execute(sample)
        except _FOREIGN_ERROR as error:
            _let_through(error)
            misused = _UNDEFINED.match(str(error))
            if misused:
                return _unknown_function(misused[1])
            is_certain = isinstance(error, TypeError) and knows_all
            faults.append(_types_fault(program) if is_certain else _pattern_fault(str(error)))
        else:
            if isinstance(result, bool) or not knows_all:
                return None
            faults.append(_no_answer(result))
    return faults[0] if all(faults) else None


def _unknown_function(name: str) -> str:
    if name in METHODS:
        return f'{name} is asked of a text; write output.{name}("…").'
    near = _ELSEWHERE.get(name) or nearest(name, FUNCTIONS)
    hint = f"did you mean {near!r}?" if near else f"a condition knows {', '.join(FUNCTIONS)}."
    return f"the condition calls {name!r}, which is not known; {hint}"


def _types_fault(program: Any) -> str:
    if "@in" in program.functions():
        return 'in looks into lists and mappings; for a part of a text write output.contains("…").'
    return _TYPES_DO_NOT_FIT


def _pattern_fault(told: str) -> str:
    return "the pattern of .matches(…) is no regular expression." if "not a valid regex" in told else ""


def evaluate(
    text: str,
    *,
    status: str,
    value: Any,
    exit_code: int | None,
    output: str,
    attempts: int,
    duration: float | None,
    severity: str = "",
) -> tuple[bool, str]:
    """The verdict of a condition and what went wrong; an error counts as no, and without one the second is empty.

    Args:
        text: the condition.
        status: how the parent ended, `completed` or `failed`.
        value: its JSON result.
        exit_code: its exit code, if it had one.
        output: the end of what it printed.
        attempts: how many attempts it took.
        duration: seconds its last attempt took, if known.
        severity: what its failure means for the run, `warning`, `error` or `critical`; empty: it has not failed.
    """
    fault = check(text)
    if fault is not None:
        return False, fault
    context = {
        "status": str(status),
        "value": value,
        "exit_code": exit_code,
        "output": output,
        "attempts": attempts,
        "duration": duration,
        "severity": str(severity),
    }
    fault = _too_much(value, output) or _too_much_work(_shape(text), context)
    if fault is not None:
        return False, fault
    return _run(text, context)


def _run(text: str, context: dict[str, Any]) -> tuple[bool, str]:
    program, _ = _compiled(text)
    try:
        result = program.execute(context)
    except _FOREIGN_ERROR as error:
        _let_through(error)
        return False, _runtime_fault(error)
    if not isinstance(result, bool):
        return False, _no_answer(result)
    return result, ""


@lru_cache(maxsize=1024)
def _compiled(text: str) -> tuple[Any, str | None]:
    import cel

    try:
        return cel.compile(text), None
    except _FOREIGN_ERROR as error:
        _let_through(error)
        return None, _syntax_fault(str(error))


def _let_through(error: BaseException) -> None:
    """A person's interrupt is not an error of the condition."""
    if isinstance(error, KeyboardInterrupt | SystemExit | GeneratorExit):
        raise error


def _syntax_fault(told: str) -> str:
    match = _POSITION.search(told)
    if match is None:
        return "the condition is not a CEL expression."
    line, column, what = match.groups()
    place = f"column {column}" if line == "1" else f"line {line}, column {column}"
    unexpected = re.search(r"(?:mismatched|extraneous) input '(.*?)' expecting", what)
    unreadable = re.search(r"token recognition error at: '(.*)'", what)
    if unexpected:
        reason = "it ends too early" if unexpected[1] == "<EOF>" else f"{unexpected[1]!r} is not expected here"
    elif unreadable:
        reason = f"{unreadable[1]!r} cannot be read"
    else:
        reason = what.partition(" expecting ")[0][:100] or "it is not a CEL expression"
    return f"the condition is wrong at {place}: {reason}."


def _runtime_fault(error: BaseException) -> str:
    told = str(error).partition("\n")[0]
    if isinstance(error, KeyError):
        return f"the value has no {told}."
    if isinstance(error, IndexError):
        return f"the list is too short: {told}."
    if isinstance(error, ZeroDivisionError):
        return "the condition divides by zero."
    if isinstance(error, TypeError):
        return _TYPES_DO_NOT_FIT
    return f"the condition failed: {told.partition('. ')[0].rstrip('.')[:300]}."


def _no_answer(result: Any) -> str:
    return f"the condition gives {_kind(result)}, not true or false."


def _kind(value: Any) -> str:
    names = {int: "a number", float: "a number", str: "text", list: "a list", dict: "a mapping", type(None): "null"}
    return names.get(type(value), "something else")


@lru_cache(maxsize=1024)
def _shape(text: str) -> _Shape:
    """Walk the tokens once: how deep brackets nest, which macros there are and what each names."""
    walker = _Walker()
    for match in _TOKEN.finditer(text):
        fault = walker.take(match)
        if fault is not None:
            return _Shape(fault, ())
    return _Shape(None, tuple(_Macro(name, bound, tuple(paths)) for name, bound, paths in walker.bodies))


class _Walker:
    """Keeps track of the brackets and macros that the tokens so far have opened."""

    def __init__(self) -> None:
        self.brackets: list[bool] = []  # whether a macro opened it
        self.inside = False
        self.bodies: list[tuple[str, str, list[str]]] = []

    def take(self, match: re.Match[str]) -> str | None:
        """Record one token; returns its error, if any."""
        if match["macro"]:
            return self._open_macro(match)
        if match["path"]:
            return self._path(re.sub(r"\s", "", match["path"]))
        if match["close"] and self.brackets and self.brackets.pop():
            self.inside = False
        if match["open"]:
            self.brackets.append(False)
            if len(self.brackets) > MAX_BRACKETS:
                return f"the condition nests brackets deeper than {MAX_BRACKETS} levels."
        return "a condition takes no comments; remove what follows //." if match["comment"] else None

    def _open_macro(self, match: re.Match[str]) -> str | None:
        if self.inside:
            return "the condition nests .all, .exists, .map or .filter in one another; use one level."
        if len(self.bodies) == MAX_MACROS:
            return f"the condition has more than {MAX_MACROS} of .all, .exists, .map and .filter."
        self.inside = True
        self.bodies.append((match["name"], match["bound"], []))
        self.brackets.append(True)
        return None

    def _path(self, path: str) -> str | None:
        if path in _MACROS:  # whatever the evaluator makes of it, its bounds are not checked
            return f"the condition must write .{path}(x, …) with a variable first."
        if self.inside:
            self.bodies[-1][2].append(path)
        return None


def _too_much(value: Any, output: str) -> str | None:
    """The reason why the context is larger than a condition may see, if it is."""
    characters = 0
    for nodes, (item, depth) in enumerate(_walk(value)):
        characters += len(item) if isinstance(item, str) else 0
        if depth > MAX_VALUE_DEPTH:
            return f"the value nests deeper than {MAX_VALUE_DEPTH} levels, too deep for a condition."
        if isinstance(item, list | tuple | dict) and len(item) > MAX_LIST:
            return f"the value holds {len(item)} items in one place; a condition sees at most {MAX_LIST}."
        if nodes > MAX_NODES or characters + len(output) > MAX_CHARACTERS:
            return "the value and the output are too large for a condition."
    return None


def _walk(value: Any) -> Iterator[tuple[Any, int]]:
    stack = [(value, 0)]
    while stack:
        item, depth = stack.pop()
        yield item, depth
        if isinstance(item, Mapping):
            stack.extend((part, depth + 1) for part in item.values())
            stack.extend((key, depth + 1) for key in item)
        elif isinstance(item, list | tuple):
            stack.extend((part, depth + 1) for part in item)


def _too_much_work(shape: _Shape, context: Mapping[str, Any]) -> str | None:
    """The reason why a condition with macros would take too long, if it would."""
    if not shape.macros:
        return None
    longest = max((len(i) for i, _ in _walk(context["value"]) if isinstance(i, list | tuple | dict)), default=0)
    rounds = max(longest, MAX_CONDITION_LENGTH // 2)  # a list written out in the condition is no longer than this
    total = _size(context["value"]) + _size(context["output"])
    work = total
    for macro in shape.macros:
        own = max(1, sum(1 for path in macro.paths if path.partition(".")[0] == macro.bound))
        others = sum(_size_at(path, context) for path in macro.paths if path.partition(".")[0] != macro.bound)
        touched = total * own + rounds * others
        # map and filter copy what they have gathered so far in every round
        work += touched * rounds // 2 if macro.name in {"map", "filter"} else touched
        if macro.name == "map":  # the next macro may walk what this one has joined
            total, rounds = touched, rounds * own + others
    if work <= MAX_WORK:
        return None
    return "the condition would take too long: a macro such as .map or .all walks or copies too large a value."


def _size_at(path: str, context: Mapping[str, Any]) -> int:
    """The size that is copied where a macro's body names this path of the context; 0: it is not of the context."""
    first, *steps = path.split(".")
    if first not in context:
        return 0
    value = context[first]
    for step in steps:
        if not isinstance(value, Mapping) or step not in value:
            return 1
        value = value[step]
    return _size(value)


def _size(value: Any) -> int:
    return sum(1 + (len(item) // 100 if isinstance(item, str) else 0) for item, _ in _walk(value))
