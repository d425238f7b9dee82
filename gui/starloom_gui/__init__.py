"""Starloom's console: watch and steer a running constellation in a window."""

from starloom_gui import overrides, qt_bindings  # noqa: F401  # before any other module imports PySide6
