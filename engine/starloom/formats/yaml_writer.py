"""Plain values to YAML text that `yaml_text` reads back as equal values, and other YAML readers too."""

from __future__ import annotations

import re
from typing import Any, Final

import yaml

from starloom.formats.yaml_text import FLOAT, INT, NOT_FINITE

_DUMPER: Final[Any] = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_BLOCK: Final = re.compile(r"[!-~][ -~]*(?:\n+[ -~]+)*\n?")
"""Several lines of plain ASCII that a block scalar keeps as they are."""

_LINE: Final = 90
"""A list of no more characters is written on one line."""


class _Dumper(_DUMPER):  # type: ignore[misc]  # the C or the Python dumper, whichever there is
    """Quotes what either version of YAML would read as something else, and never writes an alias."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - PyYAML's signature
        return True

    def represent_text(self, data: str) -> Any:
        style = "|" if "\n" in data.rstrip("\n") and _BLOCK.fullmatch(data) and " \n" not in data else None
        return self.represent_scalar("tag:yaml.org,2002:str", data, style=style)

    def represent_short_list(self, data: list[Any]) -> Any:
        return self.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=_fits_a_line(data))


def _fits_a_line(items: list[Any]) -> bool:
    if any(isinstance(item, list | dict) or (isinstance(item, str) and "\n" in item) for item in items):
        return False
    return sum(len(str(item)) + 2 for item in items) <= _LINE


_Dumper.add_representer(list, _Dumper.represent_short_list)
_Dumper.add_representer(str, _Dumper.represent_text)
for _tag, _pattern in (("int", INT), ("float", FLOAT), ("float", NOT_FINITE)):
    _Dumper.add_implicit_resolver(
        f"tag:yaml.org,2002:{_tag}", re.compile(f"^(?:{_pattern.pattern})$"), list("+-.0123456789")
    )


def to_yaml(value: Any) -> str:
    """The text; mappings keep their order."""
    text: str = yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=10_000)
    return text
