"""The report of a run as a PDF and as pictures: what `starloom.reporting.export` has drawn.

Start with `drawing.draw`, which the engine finds by its entry point; it knows no loop and no engine that runs.
"""
