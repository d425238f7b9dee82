"""Plans and fleets as files: readers, writers, and the errors of files that cannot be read."""

from starloom.formats.files import (
    FORMATS,
    READABLE,
    dump_plan,
    load_fleet,
    load_plan,
    load_plan_and_format,
    parse_plan,
    save_fleet,
    save_plan,
)

__all__ = [
    "FORMATS",
    "READABLE",
    "dump_plan",
    "load_fleet",
    "load_plan",
    "load_plan_and_format",
    "parse_plan",
    "save_fleet",
    "save_plan",
]
