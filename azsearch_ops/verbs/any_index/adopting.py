"""How to put an index that was measured without a project under management: by the alias that serves it, if any."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from azsearch_ops.errors import ServiceError, UnreachableError
from azsearch_ops.service.client import Service


@dataclass(frozen=True, slots=True)
class Adoption:
    """The `import` command, and what has to be known before it is run; `note` is empty where all could be read."""

    command: str
    note: str = ""


def adoption_of(service: Service, measured: str) -> Adoption:
    """How `measured`, the name of an index or of an alias, is adopted.

    Aliases are listed once. A reader of documents may not do that: the command is then the one for an index that no
    alias points to, and the note says what to write where one does.
    """
    try:
        aliases = service.all("alias")
    except UnreachableError:
        raise
    except ServiceError:
        note = (
            f"this key may not read aliases: where '{measured}' is an alias, or has one, write "
            "`azsearch-ops import NAME --alias THE-ALIAS` instead"
        )
        return Adoption(_command(measured, f"{measured}-live"), note)
    if measured in aliases:
        return Adoption(_command(measured.removesuffix("-live"), measured))
    serving = sorted(name for name, body in aliases.items() if measured in (body.get("indexes") or ()))
    if serving:
        return Adoption(_command(serving[0].removesuffix("-live"), serving[0]))
    alias = f"{measured}-live"
    while alias in aliases:  # It points elsewhere, and stays where it is
        alias = f"{alias}-2"
    return Adoption(_command(measured, alias))


def _command(name: str, alias: str) -> str:
    return shlex.join(["azsearch-ops", "import", name, "--alias", alias])
