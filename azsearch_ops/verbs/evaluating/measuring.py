"""Where and on what an evaluation is measured, told once, for its record and every report of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from azsearch_ops.bodies.render import Bodies
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.queries import QuerySet
from azsearch_ops.models.names import local_model
from azsearch_ops.planning.plan import Change
from azsearch_ops.releasing.state import IndexState
from azsearch_ops.verbs.evaluating.run_files import ChangeNote, Measured
from azsearch_ops.verbs.session import Session
from azsearch_ops.verbs.sources import source_documents


def measured_on(
    session: Session,
    index: IndexDefinition,
    bodies: Bodies,
    queries: QuerySet,
    *,
    yardstick: str,
    encoding: str,
    live_search: Mapping[str, Any] | None,
    states: tuple[IndexState, IndexState | None],
) -> Measured:
    """The circumstances of an evaluation of `states` (candidate, live), as they are in this session."""
    environment, author = session.project.environment, session.author()
    model, dimensions = _embedding(bodies, is_local=environment.is_local)
    listed = source_documents(session.project, index)
    accepted = {entry.document for entry in index.source.accept}
    candidate, live = states
    return Measured(
        service=session.service.endpoint,
        environment=environment.name,
        is_local=environment.is_local,
        api_version=environment.query_api_version,
        model=model,
        dimensions=dimensions,
        # A candidate is complete before it is evaluated: every listed document that is not accepted has a chunk.
        documents=len(set(listed) - accepted) if listed is not None else None,
        documents_expected=len(listed) if listed is not None else None,
        queries_given=len(queries.accepted),
        chunks={"candidate": candidate.documents, **({"live": live.documents} if live else {})},
        states={"candidate": candidate.as_json(), **({"live": live.as_json()} if live else {})},
        search={"candidate": bodies.search, **({"live": live_search} if live_search is not None else {})},
        query_digest=queries.digest,
        yardstick=yardstick,
        limits={
            name: {"max_drop": limits.max_drop, "margin": limits.margin, "floor": limits.floor}
            for name, limits in index.gate.items()
        },
        commit=author.commit,
        by=author.by,
        at=session.clock.stamp(),
        budget_encoding=encoding,
        text=environment.reports.text,
    )


def change_notes(changes: Sequence[Change]) -> tuple[ChangeNote, ...]:
    """The changes of a plan as a report lists them."""
    return tuple(
        ChangeNote(
            where=f"{change.location.path}:{change.location.line}" if change.location else change.kind,
            # Of an index, which repeats names in every field, the way to the setting too.
            setting=(change.pointer.strip("/") or change.name) if change.kind == "index" else change.name,
            before=change.before,
            after=change.after,
            means=change.change_class,
        )
        for change in changes
    )


def _embedding(bodies: Bodies, *, is_local: bool) -> tuple[str, int | None]:
    """Model and dimensions of the embedding skill, or of the vectorizer where documents bring their vectors.

    In the local service it is the model that answers, its window included, whatever it was asked for.
    """
    for skill in bodies.skillset.get("skills") or ():
        if skill.get("modelName"):
            return _answering(skill, is_local), skill.get("dimensions")
    for vectorizer in (bodies.index.get("vectorSearch") or {}).get("vectorizers") or ():
        parameters = vectorizer.get("azureOpenAIParameters") or {}
        if parameters.get("modelName"):
            return _answering(parameters, is_local), None
    return "", None


def _answering(parameters: Mapping[str, Any], is_local: bool) -> str:
    asked = str(parameters["modelName"])
    if not is_local:
        return asked
    answers = local_model(parameters.get("deploymentId"), asked)
    return answers if answers.lower().startswith(asked.lower()) else f"{answers} for {asked}"
