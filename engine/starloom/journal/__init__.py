"""Journals, where events are kept. A run is what was committed here."""
