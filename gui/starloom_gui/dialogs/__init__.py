"""Dialogs: forms that are opened over the window without blocking the engine."""
