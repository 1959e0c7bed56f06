"""``python -m curvewise`` is the command line."""

from curvewise.cli import main

if __name__ == "__main__":
    main()
