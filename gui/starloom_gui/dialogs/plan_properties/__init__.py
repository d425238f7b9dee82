"""The dialog of a plan's properties, all it holds besides its tasks, checked by the reader of plan files."""
