"""What there is to know of each action and of each kind of event, once; all rooms above read it."""
