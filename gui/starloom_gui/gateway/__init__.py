"""The one way to the engine: what happened goes out once a frame, what is asked for goes in."""
