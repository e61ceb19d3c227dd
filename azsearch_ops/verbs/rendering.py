"""`render`: the bodies and the search request of an index definition."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from azsearch_ops.bodies.render import render
from azsearch_ops.definitions.project import load_project
from azsearch_ops.verbs.checking import require_sound
from azsearch_ops.verbs.session import chosen_indexes


def rendered(root: Path, environment: str, environ: Mapping[str, str], name: str) -> dict[str, Any]:
    """Bodies by kind, the search request and the digests, as JSON values; secrets are references."""
    project = load_project(root, environment, environ)
    index = chosen_indexes(project, (name,))[0]
    require_sound(project)
    bodies = render(project, index.name)
    return {
        "candidate": bodies.candidate,
        "alias": bodies.alias,
        "rebuild_digest": bodies.rebuild_digest,
        "body_digest": bodies.body_digest,
        "settings_digest": bodies.settings_digest,
        "dataSource": bodies.data_source,
        "synonymMaps": list(bodies.synonym_maps),
        "index": bodies.index,
        "skillset": bodies.skillset,
        "indexer": bodies.indexer,
        "schedule": bodies.schedule,
        "disabled": bodies.disabled,
        "search": bodies.search,
    }
