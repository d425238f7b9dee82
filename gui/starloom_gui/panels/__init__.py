"""The panes beside the canvas: the devices, and the inspector of what is selected."""
