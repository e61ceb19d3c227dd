"""Runs the skills of a skillset over a batch of documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from azsearch_ops.contract.detected_languages import ODATA_TYPE as LANGUAGE_ODATA_TYPE
from azsearch_ops.contract.skills import EMBEDDING_ODATA_TYPE
from azsearch_ops.contract.text_split import ODATA_TYPE as SPLIT_ODATA_TYPE
from azsearch_ops.local.indexing.document import Document
from azsearch_ops.local.indexing.embedding_skill import EmbeddingSkill
from azsearch_ops.local.indexing.findings import INVALID_INPUT, RunRefusedError
from azsearch_ops.local.indexing.io import IndexingIO
from azsearch_ops.local.indexing.language_skill import LanguageSkill
from azsearch_ops.local.indexing.skills import Call, Outcome, Skill, Step, in_order, step_of
from azsearch_ops.local.indexing.split_skill import SplitSkill
from azsearch_ops.local.indexing.tree import MissingValueError, Place, fetch, grow, places

SUPPORTED = (SPLIT_ODATA_TYPE, EMBEDDING_ODATA_TYPE, LANGUAGE_ODATA_TYPE)


def read_skills(skillset: Mapping[str, Any] | None, io: IndexingIO) -> tuple[Step, ...]:
    """The steps of a skillset body in running order. Raises RunRefusedError naming each skill that is not supported."""
    bodies: Sequence[Mapping[str, Any]] = (skillset or {}).get("skills") or ()
    foreign = [
        f"'{body.get('@odata.type')}' ({body.get('name') or f'#{position}'})"
        for position, body in enumerate(bodies, 1)
        if body.get("@odata.type") not in SUPPORTED
    ]
    if foreign:
        raise RunRefusedError(f"The local service does not support the skill {', '.join(foreign)}.")
    return in_order([step_of(body, position, _skill(body, io)) for position, body in enumerate(bodies, 1)])


def _skill(body: Mapping[str, Any], io: IndexingIO) -> Skill:
    if body["@odata.type"] == SPLIT_ODATA_TYPE:
        return SplitSkill.from_body(body)
    if body["@odata.type"] == LANGUAGE_ODATA_TYPE:
        return LanguageSkill.from_body(body)
    return EmbeddingSkill.from_body(body, io)


def enrich(documents: Sequence[Document], steps: Sequence[Step]) -> None:
    """Grows the documents' trees, and notes warnings and errors; a document with an error takes no further part."""
    for step in steps:
        owners: list[tuple[Document, Place]] = []
        calls: list[Call] = []
        for document in documents:
            if document.failed:
                continue
            try:
                found = list(places(document.root, step.context))
            except MissingValueError as missing:
                # No context, no call. Whoever should have made it has already been told of.
                if not _made_by_a_step(step, steps):
                    document.warn(INVALID_INPUT, step.name, str(missing))
                continue
            for place in found:
                call = _call(document, step, place)
                if call is not None:
                    owners.append((document, place))
                    calls.append(call)
        outcomes = step.skill.run(calls) if calls else ()
        for (document, place), outcome in zip(owners, outcomes, strict=True):
            _settle(document, place, step, outcome)


def _made_by_a_step(step: Step, steps: Sequence[Step]) -> bool:
    return any(
        other.context.child(target).covers(step.context)
        for other in steps
        if other is not step
        for _, target in other.outputs
    )


def _call(document: Document, step: Step, place: Place) -> Call | None:
    """The call at this place; None, with a warning, when a required input is not there."""
    inputs: dict[str, Any] = {}
    for name, source in step.inputs.items():
        try:
            inputs[name] = fetch(document.root, source, place)
        except MissingValueError as missing:
            if name in step.skill.required:
                details = f"Required skill input is missing. Name: '{name}', Source: '{source}'. {missing}"
                document.warn(INVALID_INPUT, step.name, details)
                return None
    for name in step.skill.required:
        if name not in step.inputs:
            document.warn(INVALID_INPUT, step.name, f"Required skill input is missing. Name: '{name}'.")
            return None
    concrete = str(place.concrete())
    sources = {name: concrete if source == place.path else str(source) for name, source in step.inputs.items()}
    return Call(inputs, sources)


def _settle(document: Document, place: Place, step: Step, outcome: Outcome) -> None:
    if outcome.warning is not None:
        document.warn(outcome.warning[0], step.name, outcome.warning[1])
    if outcome.error is not None:
        document.fail(outcome.error[0], step.name, outcome.error[1], status=400)
        return
    if outcome.unread is not None:
        model, tokens = outcome.unread
        document.unread.setdefault(model, []).append(tokens)
    for name, target in step.outputs:
        if name not in outcome.outputs:
            continue
        if target in place.node.children:
            taken = place.concrete().child(target)
            document.fail("Could not execute skill.", step.name, f"'{taken}' exists already.", status=400)
            return
        place.node.children[target] = grow(outcome.outputs[name])
