"""The decisions: what a command, the end of an attempt or the passing of time leads to, said as events."""
