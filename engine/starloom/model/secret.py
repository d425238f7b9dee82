"""A reference to a secret: where its value is found when an attempt starts. The value itself stands in no plan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeGuard

from pydantic import ConfigDict, field_validator
from pydantic.dataclasses import dataclass
from typing_extensions import override

from starloom.errors import nearest

SOURCES: Final = ("keyring", "env", "file")
_FORM: Final = "write keyring:NAME, env:NAME or file:PATH"
_LONGEST: Final = 4_096


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class Secret:
    """The value of an environment variable that is looked up when the task starts, on the orchestrator's machine.

    Raises:
        pydantic.ValidationError: the reference is not of the form SOURCE:NAME, or names no known source.
    """

    secret: str
    """`keyring:NAME`, `env:NAME` or `file:PATH`."""

    @field_validator("secret")
    @classmethod
    def _is_a_reference(cls, text: str) -> str:
        return _checked(text)

    @property
    def source(self) -> str:
        """The source of the secret, one of `SOURCES`."""
        return self.secret.partition(":")[0]

    @property
    def name(self) -> str:
        """The name of the secret in its source."""
        return self.secret.partition(":")[2]

    @override
    def __str__(self) -> str:
        """The text shown instead of the value."""
        return f"secret {self.secret}"


def environment_value(value: Any) -> Any:
    """The value of an environment variable as a plan gives it: `{secret: …}` becomes a `Secret`.

    Raises:
        ValueError: it is a mapping and no reference.
    """
    if not isinstance(value, Mapping):
        return value
    given = value.get("secret")
    if len(value) != 1 or not isinstance(given, str):
        raise ValueError("the value of a variable is text, or {secret: …}; for that, " + _FORM)
    return Secret(_checked(given))


def is_reference(value: Any) -> TypeGuard[str]:
    """Whether a value says where a secret is kept, and is none itself."""
    try:
        return isinstance(value, str) and _checked(value) == value
    except ValueError:
        return False


def _checked(text: str) -> str:
    """The reference, if it is one. No message repeats it: somebody may have written the value itself."""
    source, _, name = text.partition(":")
    if source not in SOURCES:
        near = nearest(source, SOURCES)
        guess = f" Did you mean {near!r}?" if near else ""
        raise ValueError(f"a secret is named by where it is kept: {_FORM}.{guess}")
    if len(name) > _LONGEST:
        raise ValueError(f"what stands after {source}: has {len(name):,} characters; at most {_LONGEST:,} are allowed")
    if not name or "\0" in name or (source == "env" and "=" in name):
        raise ValueError(f"what stands after {source}: names no secret; {_FORM}")
    return text
