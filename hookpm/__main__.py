"""`python -m hookpm` and the console script."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line; returns the exit code."""
    from hookpm.cli.main import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
