"""Checking that the results which devices return are JSON."""

from __future__ import annotations

import json
from typing import Final

from msgspec.structs import replace as structs_replace

from starloom.model.json_values import MAX_NESTING, is_too_deep
from starloom.model.result import MAX_VALUE_BYTES, ErrorCode, ErrorInfo, Outcome, OutcomeStatus

_SHORT: Final = 10_000


def _is_surely_json(value: object) -> bool:
    """Whether a look is enough; lone surrogates and numbers of thousands of digits are found by writing the value."""
    if isinstance(value, str):
        return type(value) is str and len(value) <= _SHORT and value.isascii()
    return type(value) is bool or (type(value) is int and value.bit_length() < 64)


def checked(outcome: Outcome) -> Outcome:
    """The outcome with its value as the journal will give it back, or a failed one if it is not JSON.

    The value is copied: what the task does to its own objects later changes nothing.
    """
    value = outcome.result.value
    if _is_surely_json(value):
        return outcome
    try:
        text = json.dumps(value, allow_nan=False, ensure_ascii=False)
        size = len(text.encode())
    except (TypeError, ValueError, RecursionError) as error:
        return _bad_value(outcome, ErrorCode.RESULT_NOT_JSON, f"The result is not JSON: {error}.")
    if is_too_deep(value):
        sentence = f"The result is nested more than {MAX_NESTING} levels deep. Flatten it, or write it to a file."
        return _bad_value(outcome, ErrorCode.RESULT_NOT_JSON, sentence)
    if size > MAX_VALUE_BYTES:
        sentence = f"The result is {size:,} bytes of JSON; at most {MAX_VALUE_BYTES:,} are kept. Write it to a file."
        return _bad_value(outcome, ErrorCode.RESULT_TOO_LARGE, sentence)
    return structs_replace(outcome, result=structs_replace(outcome.result, value=json.loads(text)))


def _bad_value(outcome: Outcome, code: ErrorCode, message: str) -> Outcome:
    error = ErrorInfo(code=code, message=message)
    result = structs_replace(outcome.result, value=None, error=error)
    return Outcome(OutcomeStatus.FAILED, result, ended_ago=outcome.ended_ago, took=outcome.took)
