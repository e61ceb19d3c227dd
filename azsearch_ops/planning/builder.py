"""Desired bodies against live: the plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from azsearch_ops.bodies.normal import normal
from azsearch_ops.bodies.ranking_parts import PART_KINDS, default_part, explicit, with_default_part
from azsearch_ops.bodies.render import OWN_INDEX, OWN_SOURCE, Bodies
from azsearch_ops.errors import ConflictError, DefinitionError, Problem
from azsearch_ops.planning.alignment import aligned, stranded
from azsearch_ops.planning.classes import classify
from azsearch_ops.planning.compare import differences, keyed
from azsearch_ops.planning.filling import FILLING, require_filling
from azsearch_ops.planning.live import LiveState
from azsearch_ops.planning.places import Locate, place_of, pointer_of
from azsearch_ops.planning.plan import Action, Change, ChangeClass, ObjectKind, Plan, Write
from azsearch_ops.planning.rankings import moves_ranking, ranking_changes, without_parts
from azsearch_ops.planning.readers import Reader, with_readers
from azsearch_ops.planning.reading import broken_use
from azsearch_ops.planning.steps import explain_plan, plan_steps


def build_plan(desired: Bodies, live: LiveState | None, locate: Locate, readers: tuple[Reader, ...] = ()) -> Plan:
    """The plan that makes live be as desired. Names are never compared, only what stands behind them.

    DefinitionError when a change could move the ranking of live before it was measured, or make live refuse the
    released request, and no candidate is built; when one is to be built, and the definition has no source to fill it
    from; or when it could not have what the request of live names. ConflictError when a rebuild is needed but the
    candidate's name is that of live: its objects were changed on the service, or a field that was added in place is
    to go.
    """
    desired = aligned(desired, live)
    changes = () if live is None else tuple(_changes(desired, live, locate))
    action = _action(live, changes)
    if desired.pushed:
        require_filling(desired, live, action, changes, locate)
    if live is not None and action == "rebuild" and desired.candidate == live.index_name:
        raise _taken(desired, changes)
    if action == "rebuild" and live is not None:
        if lost := stranded(desired, live):
            raise DefinitionError(tuple(_lost(desired, locate, *one) for one in lost))
        changes = tuple(_on_candidate(change) for change in changes)
    elif forbidden := tuple(_refused(change) for change in changes if change.change_class == "forbidden"):
        raise DefinitionError(forbidden)
    writes = _writes(desired, live, changes) if live is not None and action in ("settings", "in_place") else ()
    changes = with_readers(changes, readers)
    name = live.index_name if live else None
    return Plan(
        name=desired.name,
        alias=desired.alias,
        action=action,
        candidate=desired.candidate,
        live=name,
        changes=changes,
        writes=writes,
        steps=plan_steps(action, desired, name, writes, changes),
        explanation=explain_plan(action, desired, name, changes),
    )


def _action(live: LiveState | None, changes: tuple[Change, ...]) -> Action:
    if live is None:
        return "create"
    classes = {change.change_class for change in changes}
    if classes & {"rebuild", "breaking"}:
        return "rebuild"
    if "settings only" in classes:
        return "settings"
    return "in_place" if classes else "none"


def _changes(desired: Bodies, live: LiveState, locate: Locate) -> list[Change]:
    filled, there = _filled(desired), frozenset(str(field["name"]) for field in live.index.get("fields") or ())
    changes: list[Change] = []
    kinds: tuple[tuple[ObjectKind, Mapping[str, Any] | None, Mapping[str, Any], Mapping[str, Any]], ...] = (
        ("index", live.index, _own("index", desired.index), desired.index),
        ("skillset", live.skillset, _own("skillset", desired.skillset), desired.skillset),
        ("dataSource", live.data_source, _own("dataSource", desired.data_source), desired.data_source),
        ("indexer", live.indexer, _own("indexer", _scheduled(desired)), _scheduled(desired)),
        ("search", live.search, desired.search, desired.search),
    )
    for kind, before, after, body in kinds:
        if (not before and not body) or (desired.pushed and kind in FILLING):
            continue
        contract_kind = "searchRequest" if kind == "search" else kind
        if before is None:
            changes.append(_missing(kind, after, desired, locate))
            continue
        old = explicit(before, live.index) if kind == "search" else _own(kind, before)
        if kind == "index":
            changes += _ranking_changes(desired, live, locate)
            old, after = without_parts(old), without_parts(after)
        if kind == "dataSource" and not desired.owns_source:
            old, after = _content(desired, before, old), _content(desired, body, after)
        wanted = keyed(contract_kind, normal(contract_kind, after))
        for difference in differences(contract_kind, old, after):
            change_class, rule = classify(kind, difference, wanted, filled, there)
            if kind == "index" and (use := broken_use(live.search, difference)):
                change_class, rule = _broken(change_class, use)
            changes.append(
                Change(
                    kind=kind,
                    pointer=pointer_of(difference.path),
                    name=str(difference.path[-1]),
                    before=difference.before,
                    after=difference.after,
                    change_class=change_class,
                    rule=rule,
                    location=place_of(kind, difference.path, body, desired.origins, locate),
                )
            )
    return changes


def _ranking_changes(desired: Bodies, live: LiveState, locate: Locate) -> list[Change]:
    return [
        Change(
            kind="index",
            pointer=pointer_of(found.shown),
            name=str(found.shown[-1]),
            before=found.before,
            after=found.after,
            change_class=found.change_class,
            rule=found.rule,
            location=place_of("index", found.path, desired.index, desired.origins, locate),
        )
        for found in ranking_changes(desired, live)
    ]


def _filled(desired: Bodies) -> frozenset[str]:
    """The fields that documents bring a value for: those projected into, or any where documents come as they are.

    Where applications push them they fill a new field themselves, once it is there.
    """
    if desired.pushed:
        return frozenset()
    projections = desired.skillset.get("indexProjections")
    if not projections:
        return frozenset(str(field.get("name")) for field in desired.index.get("fields") or ())
    return frozenset(
        str(mapping.get("name")) for selector in projections["selectors"] for mapping in selector["mappings"]
    )


def _missing(kind: ObjectKind, after: Mapping[str, Any], desired: Bodies, locate: Locate) -> Change:
    """The change of an object that is not there at all."""
    place = place_of(kind, (), after, desired.origins, locate)
    if kind == "search":
        rule = "no search request was released with this index yet"
        return Change(kind, "", "search request", None, dict(after), "settings only", rule, place)
    return Change(kind, "", kind, None, dict(after), "rebuild", f"the live index has no {kind}", place)


def _scheduled(desired: Bodies) -> Mapping[str, Any]:
    """The indexer as it is once it has been promoted."""
    return {**desired.indexer, **desired.while_live} if desired.indexer else {}


def _content(desired: Bodies, body: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """What decides which documents a data source has that is not ours to write: another name may be other documents."""
    name = OWN_SOURCE if body.get("name") == desired.data_source_name else body.get("name")
    return {"name": name, "type": own.get("type"), "container": own.get("container")}


def _own(kind: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """The body with its own names, and those of its fellows, as placeholders."""
    result = {**body, "name": OWN_SOURCE if kind == "dataSource" else OWN_INDEX}
    if kind == "indexer":
        result |= {"dataSourceName": OWN_SOURCE, "targetIndexName": OWN_INDEX}
        if body.get("skillsetName"):
            result["skillsetName"] = OWN_INDEX
    projections = body.get("indexProjections")
    if kind == "skillset" and isinstance(projections, Mapping):
        selectors = projections.get("selectors") or ()
        # One selector is the index's own, whatever it is called; of several each keeps its name
        if len(selectors) == 1:
            own = [{**selector, "targetIndexName": OWN_INDEX} for selector in selectors]
            result["indexProjections"] = {**projections, "selectors": own}
    return result


def _writes(desired: Bodies, live: LiveState, changes: tuple[Change, ...]) -> tuple[Write, ...]:
    """The bodies to put on live, under live's own names."""
    touched = {change.kind for change in changes if change.change_class in ("in place", "irreversible")}
    writes: list[Write] = []
    if "index" in touched:
        body = {**desired.index, "name": live.index_name}
        for part_kind in PART_KINDS:  # Defaults stay until the promotion: they rank the requests that name nothing
            body = with_default_part(body, part_kind, default_part(live.index, part_kind))
        writes.append(Write("index", body))
    if "dataSource" in touched and live.data_source is not None and desired.owns_source:
        writes.append(Write("dataSource", {**desired.data_source, "name": live.data_source["name"]}))
    if "skillset" in touched and live.skillset is not None:
        body = {**desired.skillset, "name": live.skillset["name"]}
        if projections := desired.skillset.get("indexProjections"):
            selectors = [{**selector, "targetIndexName": live.index_name} for selector in projections["selectors"]]
            body["indexProjections"] = {**projections, "selectors": selectors}
        writes.append(Write("skillset", body))
    if "indexer" in touched and live.indexer is not None:
        kept = ("name", "dataSourceName", "skillsetName", "targetIndexName")
        body = {**_scheduled(desired), **{name: live.indexer[name] for name in kept if live.indexer.get(name)}}
        writes.append(Write("indexer", body))
    return tuple(writes)


def _broken(change_class: ChangeClass, use: str) -> tuple[ChangeClass, str]:
    """The class and rule of what takes a field away from those who send the released request."""
    if change_class == "in place":
        rule = f"the released request {use} it, and live would refuse that request: first release one without it"
        return "forbidden", rule
    return "breaking", f"the released request {use} it: whoever goes on sending that is refused once the alias moves"


def _on_candidate(change: Change) -> Change:
    """A change of what ranks, or of what is read, when there is a candidate to make it on."""
    if moves_ranking(change):
        rule = "it can move the ranking, so it is measured on the candidate"
        return replace(change, change_class="rebuild", rule=rule)
    if change.change_class != "forbidden":
        return change
    return replace(change, change_class="breaking" if change.pointer.startswith("/fields/") else "rebuild")


def _refused(change: Change) -> Problem:
    message = f"{change.pointer[1:].replace('/', '.')} cannot change on live: {change.rule}"
    return Problem("AZS410", message, change.location)


def _lost(desired: Bodies, locate: Locate, kind: str, name: str, field: str) -> Problem:
    message = (
        f"the released request names the {kind} '{name}', which needs the field '{field}' as live has it: applications "
        "go on sending that request for a while, and the new index would refuse it"
    )
    hint = "first release a request that does without it (a change of settings alone), then change the field"
    return Problem("AZS410", message, place_of("search", (kind,), desired.search, desired.origins, locate), hint=hint)


def _taken(desired: Bodies, changes: tuple[Change, ...]) -> ConflictError:
    deciding = [
        f"{change.kind} {change.pointer}" for change in changes if change.change_class in ("rebuild", "breaking")
    ]
    return ConflictError(
        f"live is {desired.candidate}, as these definitions want it, yet differs in {', '.join(deciding)}",
        hint="it was changed on the service, or given a field in place: change it back there, or take the change into "
        "the definitions",
    )
