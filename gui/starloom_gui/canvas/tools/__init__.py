"""The gestures of the canvas: one class each, begun by a press and ended by its release."""
