"""The pure scheduler: it takes stimuli and returns events and instructions. No clock, no loop, no device."""
