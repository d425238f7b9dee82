"""Devices, where tasks run: one protocol, one adapter a file."""
