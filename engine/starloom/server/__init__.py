"""An engine for other programs: it listens on a Unix socket, and clients list, command and follow its runs."""
