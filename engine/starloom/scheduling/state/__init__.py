"""What the scheduler knows: the facts, the indexes computed from them, and how those are kept up to date."""
