"""Qt item models: a run's facts as rows. They hold an order and a filter, never the truth."""
