"""The living graph of a run: its structure, its edits and their rules. Pure; no clock, no loop, no files."""
