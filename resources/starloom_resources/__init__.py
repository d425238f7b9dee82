"""Data files of Starloom: examples and, later, icons, themes and guides. No code belongs here."""
