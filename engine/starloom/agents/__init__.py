"""Agents: they read results as they come in and propose how to change the constellation."""
