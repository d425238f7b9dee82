"""The live graph: one graphics item paints it in batches of arrays; nodes move only when the user moves them.

`picture` says what is to be painted, `item` paints it, `view` is what a window holds.
"""
