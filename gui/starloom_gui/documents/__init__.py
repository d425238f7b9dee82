"""Plans as documents and runs of them: which are open, what their files say, and how one turns into the other."""
