"""The report of a run as a PDF and as pictures: what the engine's `starloom report` has drawn in a child process.

Start with `drawing.draw`, which the engine finds by its entry point; it knows no loop and no engine that runs.
"""
