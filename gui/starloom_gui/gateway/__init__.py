"""The connection to the engine: events are sent to views once a frame, commands to the engine."""
