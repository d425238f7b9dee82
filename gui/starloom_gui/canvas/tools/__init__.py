"""What can be done with the pointer on the canvas: one class a gesture, begun by a press and ended by its release."""
