"""Where tasks run: one protocol, one adapter a file."""
