"""The differences between two plans, and between two runs."""
