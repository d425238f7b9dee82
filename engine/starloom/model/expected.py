"""The JSON that a prompt task expects at the end of its agent's last message: any, or such as fits a schema."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from starloom.model.json_values import json_problem
from starloom.model.status import Expects

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jsonschema_rs import Validator

LONGEST_SCHEMA: Final = 64 * 1024
"""Characters of a schema as compact JSON."""
_MOST_COUNTED: Final = 100
_LONGEST_QUOTE: Final = 200
_BASE: Final = "starloom:///schema"
"""What relative references are relative to; there is nothing there."""
_OWN_PARTS: Final = "a schema may refer only to its own parts, by #/$defs/NAME"


@dataclass(frozen=True, slots=True)
class JsonSchema:
    """A JSON Schema, draft 2020-12 unless it names another one; in a plan the mapping itself.

    Attributes:
        text: the schema as compact JSON, so that schemas with equal texts are equal, and 1 is not true.
    """

    text: str

    def to_plain(self) -> dict[str, Any]:
        """The mapping that `read_expects` makes an equal schema of."""
        plain: dict[str, Any] = json.loads(self.text)
        return plain

    def misfit(self, value: Any) -> str:
        """The first reason why a JSON value does not fit, with its place, as the end of a sentence; empty: it fits."""
        errors = list(islice(_validator(self.text).iter_errors(value), _MOST_COUNTED))
        if not errors:
            return ""
        more = len(errors) - 1
        others = f" (and {more} more)" if more else ""
        return f"{_place(errors[0].instance_path)}: {_quote(errors[0].message)}{others}"

    @override
    def __str__(self) -> str:
        """The schema as compact JSON."""
        return self.text


def read_expects(value: Any) -> Expects | JsonSchema | None:
    """What the word `json`, or a schema as a mapping, stands for.

    Raises:
        ValueError: it is neither; the sentence says what is wrong, and where in the schema.
    """
    if value is None or isinstance(value, JsonSchema | Expects):
        return value
    if isinstance(value, str):
        try:
            return Expects(value)
        except ValueError:
            pass
    if isinstance(value, Mapping):
        return _schema(value) if value else Expects.JSON  # a schema that says nothing
    raise ValueError(
        f"must be json, or a JSON Schema such as {{type: object, required: [name]}}, not {_quote(repr(value))}."
    )


def _schema(value: Mapping[str, Any]) -> JsonSchema:
    problem = json_problem(dict(value))
    if problem is not None:
        raise ValueError(f"the schema is not JSON: {problem}.")
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if len(text) > LONGEST_SCHEMA:
        raise ValueError(f"the schema has {len(text)} characters, more than the {LONGEST_SCHEMA} it may have.")
    _validator(text)
    return JsonSchema(text)


def plain_expects(value: Expects | JsonSchema | None) -> Any:
    """The JSON value from which `read_expects` makes an equal one."""
    return value.to_plain() if isinstance(value, JsonSchema) else value


@lru_cache(maxsize=64)
def _validator(text: str) -> Validator:
    """What validates by a schema.

    Raises:
        ValueError: it is no schema.
    """
    # Here, as few plans have schemas and importing it takes 35 ms of the console's start.
    from jsonschema_rs import ReferencingError, ValidationError, validator_for

    try:
        return validator_for(json.loads(text), retriever=_refuse, base_uri=_BASE)
    except ValidationError as error:
        said = _OWN_PARTS if _OWN_PARTS in error.message else error.message
        raise ValueError(f"is no JSON Schema{_place(error.instance_path)}: {_quote(said)}.") from None
    except (ReferencingError, ValueError) as error:
        raise ValueError(f"is no JSON Schema: {_quote(str(error))}.") from None


def _refuse(_uri: str) -> Any:
    """Opening a plan neither fetches addresses nor reads files."""
    raise ValueError(_OWN_PARTS)


def _place(path: Sequence[str | int]) -> str:
    words = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")
    return f" at {_quote(words)}" if words else ""


def _quote(text: str) -> str:
    words = " ".join(text.partition("\n\n")[0].split()).rstrip(".")
    return words if len(words) <= _LONGEST_QUOTE else f"{words[: _LONGEST_QUOTE - 1]}…"
