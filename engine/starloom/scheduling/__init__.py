"""The pure scheduler: what has arrived goes in, events and instructions come out. No clock, no loop, no device."""
