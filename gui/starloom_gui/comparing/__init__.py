"""An earlier run beside the one that is shown: what its journal tells, how the two differ, how one is chosen."""
