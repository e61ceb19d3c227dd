"""Entry point of `azsearch-ops`. It imports nothing slow, so that Ctrl-C is an exit code from the first moment on."""

from __future__ import annotations

import sys

INTERRUPTED = 130


def main() -> None:
    """Carry out the command line and leave with its exit code."""
    try:
        from azsearch_ops.cli.commands import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        print("interrupted: what is done is kept; run the command again to go on", file=sys.stderr)
        code = INTERRUPTED
    sys.exit(code)


if __name__ == "__main__":
    main()
