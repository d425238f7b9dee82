"""`python -m starloom.cli` is `starloom`."""

from starloom.cli.app import main

if __name__ == "__main__":
    main()
