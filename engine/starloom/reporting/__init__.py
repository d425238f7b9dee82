"""What a run came to, as one value folded from its journal, and its renderers: one file a format.

Start with `folding.build`, which makes the `report.Report`; `html`, `json`, `csv`, `trace` and `svg` write it.
"""
