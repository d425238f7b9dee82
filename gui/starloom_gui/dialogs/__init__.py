"""Dialogs: forms that are opened over the window and never stand in the way of the engine."""
