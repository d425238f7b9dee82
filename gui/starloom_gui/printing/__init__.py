"""The report of a run as a PDF and as pictures, for `starloom.reporting.export`.

Start with `drawing.draw`, which the engine finds by its entry point; it knows no loop and no engine that runs.
"""
