"""The live graph: one item paints batches of arrays, and nothing moves unless the user moved it.

`picture` says what is to be painted, `item` paints it, `view` is what a window holds.
"""
