"""Values that views show: pure, or of Qt no more than its geometry; no widgets."""
