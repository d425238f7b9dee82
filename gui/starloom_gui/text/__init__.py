"""Texts: translation, numbers, durations and times of day in words."""
