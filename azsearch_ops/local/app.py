"""The HTTP application: host, key, version and size are checked here; then a handler runs in a thread."""

from __future__ import annotations

import asyncio
import hmac
import sqlite3
import time
import traceback
import uuid
from collections.abc import Callable
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from azsearch_ops.contract.limits import PAYLOAD_BYTES
from azsearch_ops.contract.versions import API_VERSIONS
from azsearch_ops.local.errors import ServiceFault, payload_too_large
from azsearch_ops.local.faults import Answered, Latency, LostResponse
from azsearch_ops.local.paths import segments
from azsearch_ops.local.routes import Handler, Surface, find
from azsearch_ops.local.service import Service
from azsearch_ops.local.wire import Call, Reply

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")

Log = Callable[[str], None]
Cut = Callable[[Scope], None]


class _LostError(Exception):
    """The answer of this call is to be lost."""


class Application:
    """The ASGI application around a service; `log` gets one line a request, `cut` ends a connection at once."""

    def __init__(self, service: Service, log: Log, cut: Cut) -> None:
        self._service = service
        self._log = log
        self._cut = cut

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request; the server runs without the lifespan protocol."""
        started = time.perf_counter()
        request = Request(scope, receive)
        try:
            reply = await self._reply(request)
            content, media = reply.content()
        except _LostError:
            self._log(f"{request.method} {request.url.path} (answer lost)")
            self._cut(scope)
            await asyncio.sleep(0.01)  # the server is to notice before it looks for an answer
            return
        except ServiceFault as fault:
            reply = Reply(fault.status, fault.body(), media="json")
            content, media = reply.content()
        except Exception as error:  # the edge of the process: a fault of ours is an answer too, and stands in the log
            self._log(traceback.format_exc())
            reply = Reply(500, _our_fault(error).body(), media="json")
            content, media = reply.content()
        headers = {**_standard_headers(request, started), **reply.headers}
        if media is not None:
            headers["Content-Type"] = media
        agent = request.headers.get("user-agent", "-")
        target = scope["raw_path"].decode("latin-1") + (f"?{request.url.query}" if request.url.query else "")
        self._log(f"{request.method} {target} {reply.status} {headers['elapsed-time']}ms {len(content)}B {agent}")
        await Response(content, reply.status, headers)(scope, receive, send)

    async def _reply(self, request: Request) -> Reply:
        _check_host(request.headers.get("host", ""))
        path = segments(request.scope["raw_path"])
        address = "/".join(segment.name for segment in path)
        try:
            found = find(request.method, path)
        except ServiceFault:
            surface: Surface = "admin" if address.startswith("__local") else "search"
            self._check_key(request, address, surface)  # without the key, not even what is missing
            raise
        surface = found.route.surface
        if surface != "open":
            self._check_key(request, address, surface)
        pairs = tuple(parse_qsl(request.url.query, keep_blank_values=True))
        query = {name: value for name, value in reversed(pairs)}
        if surface == "search":
            _check_version(query.get("api-version"))
        call = Call(
            method=request.method,
            base_url=f"http://{request.headers.get('host', '')}",
            parts=found.parts,
            query=query,
            query_list=pairs,
            headers=dict(request.headers),
            body=await _body(request),
        )
        if surface not in ("search", "openai"):
            return await run_in_threadpool(found.route.handler, call, self._service)
        return await self._with_faults(found.route.handler, call, address)

    async def _with_faults(self, handler: Handler, call: Call, address: str) -> Reply:
        faults = self._service.faults
        late = faults.take(Latency, call.method, address)
        if late is not None:
            await asyncio.sleep(late.seconds)
        answer = faults.take(Answered, call.method, address)
        if answer is not None:
            headers = {"Retry-After": f"{answer.retry_after:g}"} if answer.retry_after is not None else {}
            return Reply(answer.status, ServiceFault(answer.status, answer.code, answer.message).body(), headers)
        lost = faults.take(LostResponse, call.method, address)
        reply = await run_in_threadpool(handler, call, self._service)
        if lost is not None:
            raise _LostError
        return reply

    def _check_key(self, request: Request, address: str, surface: Surface) -> None:
        headers, roles = request.headers, self._service.roles
        key = headers.get("api-key")
        authorization = headers.get("authorization", "")
        if key is None and authorization.lower().startswith("bearer "):
            token = authorization[len("bearer ") :].strip()
            key = token if surface == "openai" or roles.knows(token) else None
        if key and surface != "admin" and roles.knows(key):
            return roles.check(key, request.method, address) if surface == "search" else None
        if not key:
            raise ServiceFault(
                401,
                "Unauthorized",
                "Access denied due to missing credentials: send the key of the service as 'api-key'.",
            )
        if not hmac.compare_digest(key.encode(), self._service.settings.key.encode()):
            raise ServiceFault(403, "Forbidden", "Access denied due to an invalid api-key.")


async def _body(request: Request) -> bytes:
    """The body, given up as soon as it is too large.

    Raises:
        ServiceFault: 413.
    """
    declared = request.headers.get("content-length", "")
    if declared.isdigit() and int(declared) > PAYLOAD_BYTES:
        raise payload_too_large(PAYLOAD_BYTES)
    parts = bytearray()
    async for chunk in request.stream():
        parts += chunk
        if len(parts) > PAYLOAD_BYTES:
            raise payload_too_large(PAYLOAD_BYTES)
    return bytes(parts)


def _check_host(host: str) -> None:
    """Refuses names that only lead here by somebody else's DNS: a web page must not reach the service."""
    name = host[: host.index("]") + 1] if host.startswith("[") and "]" in host else host.partition(":")[0]
    if name.lower() not in _LOOPBACK:
        raise ServiceFault(421, "MisdirectedRequest", f"The local service only answers on loopback, not as '{name}'.")


def _our_fault(error: Exception) -> ServiceFault:
    if isinstance(error, sqlite3.DatabaseError):  # no room on the disk, or the file is damaged
        return ServiceFault(500, "", f"The local service cannot use what it keeps: {error} (see its service.log).")
    return ServiceFault(
        500, "", f"The local service failed on this request: {type(error).__name__}: {error} (see its service.log)."
    )


def _check_version(api_version: str | None) -> None:
    if not api_version:
        raise ServiceFault(
            400,
            "MissingApiVersionParameter",
            "The api-version query parameter (?api-version=) is required for all requests.",
        )
    known = API_VERSIONS.get(api_version.lower())
    if known is None or known.status == "dead":
        listed = ", ".join(name for name, version in API_VERSIONS.items() if version.status != "dead")
        raise ServiceFault(
            400,
            "InvalidApiVersionParameter",
            f"The api-version '{api_version}' is invalid. Supported versions: {listed}.",
        )


def _standard_headers(request: Request, started: float) -> dict[str, str]:
    """What Azure puts on every answer; the identifier of the client comes back under both of its names."""
    headers = {
        "request-id": str(uuid.uuid4()),
        "elapsed-time": str(max(1, round((time.perf_counter() - started) * 1000))),
        "OData-Version": "4.0",
        "Cache-Control": "no-cache",
        "Pragma": "no-cache",
        "Expires": "-1",
    }
    client = request.headers.get("client-request-id") or request.headers.get("x-ms-client-request-id")
    if client:
        headers["client-request-id"] = headers["x-ms-client-request-id"] = client
    return headers
