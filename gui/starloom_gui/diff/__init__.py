"""What differs between two plans, and between two runs."""
