"""A sheet shows one run, or one plan, in every pane: the views, what feeds them, and the selection they share."""
