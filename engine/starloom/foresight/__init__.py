"""What will be: the same scheduler in virtual time."""
