"""What there is to know of each kind of event, once; all rooms above read it."""
