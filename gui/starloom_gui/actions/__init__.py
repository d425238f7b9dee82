"""What can be asked for in the window, as data: each action with its words, icon, key and command, and as a QAction."""
