"""The panes beside the canvas, such as the devices and the inspector."""
