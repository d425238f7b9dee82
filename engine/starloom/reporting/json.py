"""The report as JSON: the `Report` itself, and the JSON schema that documents it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from starloom.decodable import decodable
from starloom.reporting.report import Report

if TYPE_CHECKING:
    from typing import BinaryIO


def write(report: Report, file: BinaryIO) -> None:
    """Write the report as one JSON object in UTF-8, indented; `schema` describes it."""
    file.write(msgspec.json.format(msgspec.json.encode(report), indent=1))
    file.write(b"\n")


def read(data: bytes) -> Report:
    """The report that `write` wrote.

    Raises:
        msgspec.ValidationError: it is no report, or not of this version.
    """
    return msgspec.json.decode(data, type=decodable(Report))


def schema() -> dict[str, Any]:
    """The JSON schema (2020-12) of what `write` writes; descriptions say what the fields mean."""
    made = msgspec.json.schema(Report)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A Starloom run report"} | made
