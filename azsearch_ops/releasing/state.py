"""What is live, and the state of an index that an evaluation is about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from azsearch_ops.bodies.normal import normal
from azsearch_ops.bodies.ranking_parts import without_parts_by_content
from azsearch_ops.errors import NotFoundError, UsageError
from azsearch_ops.planning.live import LiveState
from azsearch_ops.releasing.indexer_runs import last_change
from azsearch_ops.releasing.ledger import Ledger, digest_of
from azsearch_ops.releasing.snapshot import Objects, indexer_filling
from azsearch_ops.service.client import Service


@dataclass(frozen=True, slots=True)
class IndexState:
    """An index as it was when it was looked at: any change of definition or content changes one of these.

    `definition` is the digest of its normal form. The etag would say more than that: it changes now and then though
    nobody edited anything (azure-sdk-for-net#39104), and with every scoring profile or semantic configuration that
    another pipeline puts beside the others. These are called by their content, so no request ranks otherwise for it.
    """

    name: str
    definition: str
    documents: int
    last_change: str

    def as_json(self) -> dict[str, Any]:
        """Members by name."""
        return asdict(self)


def index_state(service: Service, name: str) -> IndexState:
    """The state of an index; `last_change` comes from its indexer, of the same name, where there is one."""
    body = service.get("index", name)
    indexer = service.find("indexer", name)
    changed = last_change(service.indexer_status(name)) if indexer is not None else ""
    definition = digest_of(normal("index", without_parts_by_content(body)))
    return IndexState(name, definition, service.count(name), changed)


def alias_target(service: Objects, alias: str) -> str | None:
    """Name of the index that an alias points to, or None when there is no such alias.

    UsageError when an index has that name: an alias could not be told from it.
    """
    found = service.find("alias", alias)
    if found is not None:
        return str(found["indexes"][0])
    if service.find("index", alias) is not None:
        raise UsageError(
            f"'{alias}' is an index, so it cannot become an alias",
            hint="choose another alias name; the index is left as it is",
        )
    return None


def read_live(service: Objects, ledger: Ledger, alias: str, adopt: str | None = None) -> LiveState | None:
    """What the alias points to, its objects as the service holds them, and the settings released with it.

    `adopt` names an index that serves without a release: until there is one it counts as live.
    """
    target = alias_target(service, alias)
    current = ledger.current(alias)
    adopted = current is None and adopt is not None and target in (None, adopt)
    if adopted and target is None:
        target = adopt
    if target is None:
        return None
    index = service.find("index", target)
    if index is None:
        if adopted:
            return None  # This service never had it, and builds one
        raise NotFoundError(f"'{alias}' points to '{target}', which is not there", status=404)
    indexer = indexer_filling(service, target)
    skillset = (
        service.find("skillset", str(indexer["skillsetName"])) if indexer and indexer.get("skillsetName") else None
    )
    data_source = service.find("dataSource", str(indexer["dataSourceName"])) if indexer else None
    released = current if current and current.get("index") == target else None
    return LiveState(
        index_name=target,
        index=index,
        skillset=skillset,
        data_source=data_source,
        indexer=indexer,
        search=released["search"] if released else None,
        rebuild_digest=released["rebuild_digest"] if released else None,
        adopted=adopted,
        release=int(released["release"]) if released else None,
    )


def evaluation_key(
    candidate: IndexState,
    live: IndexState | None,
    candidate_search: Mapping[str, Any],
    live_search: Mapping[str, Any] | None,
    yardstick: str,
) -> str:
    """Key of the evaluation of exactly this candidate against exactly this live index.

    `yardstick` is the digest of query set, metrics and gate.
    """
    return digest_of(
        {
            "candidate": candidate.as_json(),
            "live": live.as_json() if live else None,
            "candidate_search": candidate_search,
            "live_search": live_search,
            "yardstick": yardstick,
        }
    )
