"""Reports of runs, each one value folded from a journal, and its renderers: one module a format.

Start with `folding.build`, which makes the `report.Report`; `html`, `json`, `csv`, `trace` and `svg` write it.
"""
