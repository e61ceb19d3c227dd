"""`doctor`: what an environment lacks, each line with what to grant and to whom. Nothing is changed by it."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from azsearch_ops.contract.versions import aliases_supported, is_preview
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.errors import NotFoundError, ServiceError, UnreachableError
from azsearch_ops.releasing.state import alias_target
from azsearch_ops.verbs.doctoring.lines import Line
from azsearch_ops.verbs.doctoring.models import embedding_lines, search_identity_lines, semantic_lines
from azsearch_ops.verbs.doctoring.private_links import private_link_lines
from azsearch_ops.verbs.session import Session

# A name that nothing has: deleting it needs the right to write and changes nothing.
PROBE = "azsearch-ops-doctor-probe"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All lines about one environment."""

    environment: str
    endpoint: str
    identity: str
    lines: tuple[Line, ...] = field(default_factory=tuple)

    @property
    def exit_code(self) -> int:
        """1 where a line fails, else 0."""
        return int(any(line.state == "fails" for line in self.lines))


def diagnose(session: Session, indexes: tuple[IndexDefinition, ...]) -> Diagnosis:
    """Every check of an environment, also after one that failed; but without an answer there is no use in the rest."""
    environment, endpoint = session.project.environment, session.service.endpoint
    identity, who = _identity(session)
    lines = [*who]
    lines += _network(endpoint)
    if not any(line.state == "fails" for line in lines):
        reached = _reached(session)
        lines.append(reached)
        if reached.state != "fails":
            lines += _version(environment.api_version)
            roles = list(_roles(session, identity))
            lines += roles
            if all(line.state == "fails" for line in roles):
                lines.append(
                    Line(
                        "role-based access",
                        "fails",
                        "every call was refused, so the service probably takes keys only",
                        "turn on role-based access: API access control 'Both' or 'Role-based access control'",
                    )
                )
            lines += _quotas(session, indexes)
            lines += semantic_lines(session, indexes)
            lines += search_identity_lines(session, indexes)
    lines += embedding_lines(session, indexes, identity)
    lines += private_link_lines(session)
    return Diagnosis(environment.name, endpoint, identity, tuple(lines))


def _identity(session: Session) -> tuple[str, list[Line]]:
    environment = session.project.environment
    if environment.is_local or environment.key:
        return "the holder of the key", [Line("identity", "ok", "a key of the service")]
    from azsearch_ops.service.clouds import cloud_of
    from azsearch_ops.service.credentials import credential_for
    from azsearch_ops.service.side_calls import identity_of

    try:
        endpoint = session.service.endpoint
        who = identity_of(credential_for(session.environ, endpoint), environment.audience or cloud_of(endpoint).search)
    except ServiceError as failure:
        return "nobody", [Line("identity", "fails", failure.message, failure.hint)]
    return who, [Line("identity", "ok", who)]


def _network(endpoint: str) -> Iterator[Line]:
    address = urlsplit(endpoint)
    host = address.hostname or ""
    try:
        found = socket.getaddrinfo(host, address.port or 443, proto=socket.IPPROTO_TCP)
    except OSError:
        yield Line(
            "dns", "fails", f"'{host}' has no address", "check the endpoint; inside a network its private DNS zone"
        )
        return
    yield Line("dns", "ok", f"{host} is {found[0][4][0]}")


def _reached(session: Session) -> Line:
    try:
        session.service.statistics()
    except UnreachableError as failure:
        grant = (
            "let this machine's address in (firewall), or run from inside the network (runner input of the workflows)"
        )
        return Line("access", "fails", failure.message, grant)
    except ServiceError as refused:
        text = refused.message.lower()
        if refused.status == 403 and any(
            word in text for word in ("public network", "firewall", "ip address", "private")
        ):
            grant = "let this machine's address in, or run from inside the network (runner input of the workflows)"
            return Line("access", "fails", refused.message, grant)
        if refused.status == 400 and "api-version" in text:
            return Line("api-version", "fails", refused.message, "set apiVersion in the environment's file")
        return Line("access", "ok", "the service answers")
    return Line("access", "ok", "the service answers")


def _version(api_version: str) -> Iterator[Line]:
    if not aliases_supported(api_version):
        yield Line("api-version", "fails", f"{api_version} has no aliases", "set apiVersion: 2026-04-01 or later")
    elif is_preview(api_version):
        yield Line("api-version", "warning", f"{api_version} is a preview and may end")
    else:
        yield Line("api-version", "ok", api_version)


def _roles(session: Session, identity: str) -> Iterator[Line]:
    service, ledger = session.service, session.ledger.name
    probes: tuple[tuple[str, str, Callable[[], object]], ...] = (
        ("read definitions", "Search Service Contributor", lambda: service.names("index")),
        ("write definitions", "Search Service Contributor", lambda: service.delete("alias", PROBE)),
        ("read documents", "Search Index Data Reader", lambda: service.lookup(ledger, PROBE)),
        ("write documents", "Search Index Data Contributor", lambda: service.delete_documents(ledger, "key", [PROBE])),
    )
    for check, role, probe in probes:
        try:
            probe()
        except NotFoundError:
            pass  # Allowed, and not there: there was no release yet
        except UnreachableError as failure:
            yield Line(check, "fails", failure.message)
            continue
        except ServiceError as refused:
            who = f"grant '{role}' on the search service to {identity}" if refused.status == 403 else refused.hint
            yield Line(check, "fails", refused.message, who)
            continue
        yield Line(check, "ok", f"allowed ({role})")


def _quotas(session: Session, indexes: tuple[IndexDefinition, ...]) -> Iterator[Line]:
    try:
        counters = session.service.statistics().get("counters") or {}
    except ServiceError as refused:
        yield Line("quotas", "not checkable here", refused.message)
        return
    missing = [i for i in indexes if session.service.find("alias", i.alias) is None] if _readable(session) else []
    needed = {"aliasesCount": len(missing), "indexesCount": 1 + (0 if _has_ledger(session) else 1)}
    for name, label in (("aliasesCount", "alias quota"), ("indexesCount", "index quota")):
        counter = counters.get(name) or {}
        usage, quota = counter.get("usage"), counter.get("quota")
        if usage is None or quota is None:
            yield Line(label, "not checkable here", "the service does not tell")
        elif usage + needed[name] > quota:
            grant = (
                "a tier with aliases, or a service made after October 2022"
                if quota == 0
                else "azsearch-ops prune, or a larger tier"
            )
            yield Line(label, "fails", f"{usage} of {quota} used, {needed[name]} more needed", grant)
        else:
            yield Line(label, "ok", f"{usage} of {quota} used")


def _readable(session: Session) -> bool:
    try:
        alias_target(session.service, PROBE)
    except ServiceError:
        return False
    return True


def _has_ledger(session: Session) -> bool:
    try:
        return session.service.find("index", session.ledger.name) is not None
    except ServiceError:
        return True
