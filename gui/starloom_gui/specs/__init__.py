"""The specification of each action and of each kind of event; all rooms above read it."""
