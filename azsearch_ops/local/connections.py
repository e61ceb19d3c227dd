"""The open connections, so that one can be cut: an answer lost on its way is a fault that callers must survive."""

from __future__ import annotations

import asyncio
from typing import cast

from starlette.types import Scope
from uvicorn.protocols.http.auto import AutoHTTPProtocol


class Connections:
    """Transports by the address of the client."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, int], asyncio.Transport] = {}

    def protocol(self) -> type[asyncio.Protocol]:
        """Uvicorn's HTTP protocol, whose connections are known here while they are open."""
        known = self._open

        class Known(AutoHTTPProtocol):  # type: ignore[misc, valid-type]  # which class it is depends on what is installed
            def connection_made(self, transport: asyncio.Transport) -> None:
                super().connection_made(transport)
                self.peer = cast(tuple[str, int], transport.get_extra_info("peername"))
                known[self.peer] = transport

            def connection_lost(self, exc: Exception | None) -> None:
                known.pop(self.peer, None)
                super().connection_lost(exc)

        return Known

    def cut(self, scope: Scope) -> None:
        """End the connection of a request at once, with whatever was not sent yet."""
        transport = self._open.get(tuple(scope["client"]))
        if transport is not None:
            transport.abort()
