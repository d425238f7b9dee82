"""The open documents and their views: opened, shown, kept and restored."""
