"""The fold: the only code that changes facts, one event at a time; also for streams that may be forged or damaged."""
