"""The values a plan is made of. Frozen, validated, without behaviour that needs a clock, a loop or a file."""
