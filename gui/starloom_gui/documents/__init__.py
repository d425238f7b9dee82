"""The open plans and runs as values: their files, their changes, and the commands they would run."""
