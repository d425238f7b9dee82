"""The border between engine and views: what happened goes out once a frame, what is asked for goes in."""
