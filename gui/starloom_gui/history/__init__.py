"""All runs of the directory of journals: finding one, opening it, going on with it, doing without it."""
