"""The bodies of a definition under the names that the live objects have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from azsearch_ops.bodies.render import Bodies
from azsearch_ops.planning.live import LiveState


def released_bodies(desired: Bodies, live: LiveState | None, index: str) -> dict[str, Any]:
    """What a release of `index` is made of: index, skillset, data source, indexer, and what it has while it is live.

    A candidate has the names that were rendered. Where live stays, as it does for a change in place or of settings
    alone, its own names stand: an adopted index keeps them, and a later version of this tool may give others.
    """
    if live is None or index != live.index_name or index == desired.candidate:
        bodies = (desired.index, desired.skillset, desired.data_source, desired.indexer)
    else:
        bodies = (
            {**desired.index, "name": index},
            _skillset(desired, live),
            _named(desired.data_source, live.data_source),
            _indexer(desired, live),
        )
    members = dict(zip(("index", "skillset", "data_source", "indexer"), bodies, strict=True))
    return {**members, "schedule": desired.schedule, **({"disabled": True} if desired.disabled else {})}


def _named(body: Mapping[str, Any], live: Mapping[str, Any] | None) -> Mapping[str, Any]:
    return {**body, "name": live["name"]} if body and live else body


def _skillset(desired: Bodies, live: LiveState) -> Mapping[str, Any]:
    body = _named(desired.skillset, live.skillset)
    projections = body.get("indexProjections") if body else None
    if not projections:
        return body
    selectors = [{**selector, "targetIndexName": live.index_name} for selector in projections["selectors"]]
    return {**body, "indexProjections": {**projections, "selectors": selectors}}


def _indexer(desired: Bodies, live: LiveState) -> Mapping[str, Any]:
    if not desired.indexer or live.indexer is None:
        return desired.indexer
    kept = ("name", "dataSourceName", "skillsetName", "targetIndexName")
    return {**desired.indexer, **{name: live.indexer[name] for name in kept if live.indexer.get(name)}}
