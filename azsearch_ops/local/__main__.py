"""`python -m azsearch_ops.local --data DIR --port N --key KEY …`: runs the local service."""

from __future__ import annotations

import argparse
import secrets
import sys
from importlib.metadata import version
from pathlib import Path

STAND_IN = "stand-in"


def main(arguments: list[str] | None = None) -> int:
    """Serves until it is told to end; 0 then, 1 when it cannot start."""
    parser = argparse.ArgumentParser(prog="python -m azsearch_ops.local", description="The local search service.")
    parser.add_argument("--data", type=Path, required=True, help="folder for everything the service keeps")
    parser.add_argument("--port", type=int, default=0, help="port on 127.0.0.1 (default: any free one)")
    parser.add_argument("--key", help="key that callers must send (default: a random one, see DIR/service.json)")
    parser.add_argument(
        "--containers", type=Path, help="folder with one folder a blob container (default: DIR/containers)"
    )
    parser.add_argument(
        "--semantic-ranker", choices=[STAND_IN], help="answer semantic queries, by a stand-in (default: refuse them)"
    )
    options = parser.parse_args(arguments)
    if not 0 <= options.port <= 65535:
        parser.exit(1, f"error: {options.port} is not a port\n")

    from azsearch_ops.local.server import StartFault, serve
    from azsearch_ops.local.service import Settings

    settings = Settings(
        data=options.data.absolute(),
        containers=(options.containers or options.data / "containers").absolute(),
        key=options.key or secrets.token_hex(16),
        version=version("azsearch-ops"),
        stand_in_ranker=options.semantic_ranker == STAND_IN,
    )
    try:
        serve(settings, options.port)
    except StartFault as fault:
        print(f"error: {fault}\nhint: {fault.hint}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
