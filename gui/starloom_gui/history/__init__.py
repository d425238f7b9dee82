"""The history of runs: finding, opening, resuming and deleting those of the directory of journals."""
