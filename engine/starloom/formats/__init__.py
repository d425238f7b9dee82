"""Plans and fleets as files: which formats are read and written, and what is said about a file that cannot be."""

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
