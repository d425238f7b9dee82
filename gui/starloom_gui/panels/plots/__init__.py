"""The pane "Plots": how a run went over time, as curves folded from its facts and its events."""
