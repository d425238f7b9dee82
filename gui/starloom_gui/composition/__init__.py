"""Creating and wiring the console, and the actions that need several parts of it."""
