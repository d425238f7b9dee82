"""A run as it was at any moment, from its journal, in the same panes as the run itself."""
