"""The grid: the tasks of a plan by its last runs."""
