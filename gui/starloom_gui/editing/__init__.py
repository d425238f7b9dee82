"""Editing a graph, running or not: steps, what is staged, what can be taken back."""
