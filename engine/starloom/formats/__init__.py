"""Plans and fleets as files: which formats are read and written, and what is said about a file that cannot be."""

from starloom.formats.files import dump_plan, load_fleet, load_plan, parse_plan, save_plan

__all__ = ["dump_plan", "load_fleet", "load_plan", "parse_plan", "save_plan"]
