"""The decisions: which events follow from a command, the end of an attempt or the passing of time."""
