"""Plans and runs that are open, as values: their files, their changes, and what they would run."""
