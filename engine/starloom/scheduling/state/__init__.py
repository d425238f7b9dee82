"""The scheduler's state: the facts, the indexes computed from them, and how those are kept up to date."""
