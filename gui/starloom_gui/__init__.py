"""Starloom's console: watch and steer a running constellation in a window."""
