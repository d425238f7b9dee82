"""Agents: who reads the results as they come in and proposes how to change the constellation."""
