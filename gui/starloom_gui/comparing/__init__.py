"""An earlier run beside the one that is shown: what its journal tells, in what the two differ, and how one is chosen."""
