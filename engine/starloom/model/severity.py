"""The severity of a program's exit codes for the run, and its form in a plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from typing_extensions import override

from starloom.model.result import SEVERITY_WORDS
from starloom.model.status import Severity

ELSE: Final = "else"
"""The key that stands for all exit codes that are not named."""
LEAST_EXIT_CODE: Final = -64
MOST_EXIT_CODE: Final = 2**32 - 1
"""Windows has exit codes up to this one."""


@dataclass(frozen=True, slots=True)
class ExitSeverity:
    """The severity of a failure for the run, by exit code; in a plan `{75: warning, else: critical}`.

    Attributes:
        codes: the severity of each exit code that is told apart; those below 0 are signals.
        otherwise: that of all other failures, also those without an exit code.
    """

    codes: Mapping[int, Severity]
    otherwise: Severity = Severity.ERROR

    def of(self, code: int | None) -> Severity:
        """The severity of an exit code; None: it was no exit code that failed."""
        return self.otherwise if code is None else self.codes.get(code, self.otherwise)

    def to_plain(self) -> dict[str, str]:
        """The mapping of texts that `read_severity` makes an equal value of."""
        plain = {str(code): severity.value for code, severity in self.codes.items()}
        return plain if self.otherwise is Severity.ERROR else plain | {ELSE: self.otherwise.value}

    @override
    def __hash__(self) -> int:
        """Equal ones have equal hashes."""
        return hash((frozenset(self.codes.items()), self.otherwise))

    @override
    def __str__(self) -> str:
        """The mapping as people write it."""
        return ", ".join(f"{code}: {severity}" for code, severity in self.to_plain().items())


def read_severity(value: Any) -> Severity | ExitSeverity:
    """The severity that a word, or a mapping from exit codes to words, stands for.

    Raises:
        ValueError: it stands for none; the sentence says what is wrong and what is allowed.
    """
    if isinstance(value, ExitSeverity):
        return value
    if not isinstance(value, Mapping):
        hint = " A mapping says it for each exit code, for example {75: warning}."
        return _word(value, f"must be {SEVERITY_WORDS}", hint)
    if not value:
        raise ValueError(f"names no exit code; write {SEVERITY_WORDS}, or a mapping such as {{75: warning}}.")
    codes: dict[int, Severity] = {}
    otherwise = Severity.ERROR
    for key, word in value.items():
        severity = _word(word, f"exit code {key!s:.20}: must be {SEVERITY_WORDS}")
        if key == ELSE:
            otherwise = severity
        elif codes.setdefault(_code(key), severity) is not severity:
            raise ValueError(f"gives the exit code {_code(key)} two severities; keep one of them.")
    return ExitSeverity(codes, otherwise)


def plain_severity(value: Severity | ExitSeverity) -> Any:
    """The JSON value from which `read_severity` makes an equal severity."""
    return value.to_plain() if isinstance(value, ExitSeverity) else value


def _word(word: Any, what: str, hint: str = "") -> Severity:
    try:
        return Severity(word)
    except ValueError:
        shown = repr(word)
        raise ValueError(f"{what}, not {shown if len(shown) <= 60 else shown[:59] + '…'}.{hint}") from None


def _code(key: object) -> int:
    allowed = f"a whole number from {LEAST_EXIT_CODE} to {MOST_EXIT_CODE} other than 0 (below 0: a signal)"
    try:
        code = int(key) if isinstance(key, str | int) and not isinstance(key, bool) else 0
    except ValueError:
        code = 0
    if not LEAST_EXIT_CODE <= code <= MOST_EXIT_CODE or code == 0:
        zero = "; a program that ends with 0 has not failed" if key in {0, "0"} else ""
        raise ValueError(f"{str(key)[:40]!r} is no exit code of a failure{zero}. Write {allowed}, or {ELSE}.")
    return code
