"""The command line: `starloom run`, `validate`, `schema`, `demo`; alone it opens the console."""

from starloom.cli.app import main

__all__ = ["main"]
