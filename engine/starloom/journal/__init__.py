"""Where events are kept. The truth of a run is what was committed here."""
