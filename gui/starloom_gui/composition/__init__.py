"""Where everything is made and wired: the console, and the actions that need several parts of it."""
