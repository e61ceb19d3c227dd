"""The check of `doctor` for shared private links, which are approved by hand on the other side."""

from __future__ import annotations

from collections.abc import Iterator

from azsearch_ops.errors import ServiceError
from azsearch_ops.verbs.doctoring.lines import Line
from azsearch_ops.verbs.session import Session

RESOURCE_VARIABLE = "AZSEARCH_RESOURCE_ID"
MANAGEMENT_VARIABLE = "AZSEARCH_MANAGEMENT_ENDPOINT"


def private_link_lines(session: Session) -> Iterator[Line]:
    """Shared private links that nobody approved yet; asked of the resource manager, which needs the resource's id."""
    if session.project.environment.is_local:
        return
    resource = session.environ.get(RESOURCE_VARIABLE)
    if not resource:
        text = f"set {RESOURCE_VARIABLE} to the resource id of the service to have them looked at"
        yield Line("shared private links", "not checkable here", text)
        return
    from azsearch_ops.service.credentials import credential_for
    from azsearch_ops.service.side_calls import shared_private_links

    try:
        links = shared_private_links(
            resource,
            session.service.endpoint,
            credential_for(session.environ, session.service.endpoint),
            management=session.environ.get(MANAGEMENT_VARIABLE),
        )
    except ServiceError as refused:
        yield Line(
            "shared private links", "not checkable here", refused.message, "grant 'Reader' on the search service"
        )
        return
    waiting = sorted(name for name, status in links.items() if status.lower() == "pending")
    broken = sorted(name for name, status in links.items() if status.lower() in ("rejected", "disconnected"))
    if waiting or broken:
        yield Line(
            "shared private links",
            "fails",
            f"not approved: {', '.join(waiting + broken)}",
            "the owner of the storage or model account approves it there, under Networking, Private endpoints",
        )
    else:
        yield Line("shared private links", "ok", f"{len(links)} approved" if links else "none")
