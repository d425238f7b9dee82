"""Questions to the state that people have: why a task waits, where it stands in line, what a run comes to."""
