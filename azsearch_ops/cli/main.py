"""Entry point of `azsearch-ops`. It imports nothing slow, so that Ctrl-C is an exit code from the first moment on."""

from __future__ import annotations

import signal
import sys
from types import FrameType
from typing import NoReturn

INTERRUPTED = 130


def main() -> None:
    """Carry out the command line and leave with its exit code."""
    try:
        signal.signal(signal.SIGTERM, _told_to_end)
        from azsearch_ops.cli.commands import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        print("interrupted: what is done is kept; run the command again to go on", file=sys.stderr)
        code = INTERRUPTED
    sys.exit(code)


def _told_to_end(number: int, frame: FrameType | None) -> NoReturn:
    """What cancels a job sends SIGTERM and means Ctrl-C: let go of the lease, say how to go on, exit code 130."""
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
