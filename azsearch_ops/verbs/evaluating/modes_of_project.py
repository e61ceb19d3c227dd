"""Modes side by side for an index definition: its candidate, and live where there is one."""

from __future__ import annotations

from azsearch_ops.evaluation.side_by_side import SideBySide
from azsearch_ops.models.tokenizer import tokenizer
from azsearch_ops.verbs.checking import check_texts
from azsearch_ops.verbs.evaluating.bringing import brought_to
from azsearch_ops.verbs.evaluating.contest import side_fields
from azsearch_ops.verbs.evaluating.evaluating import READER_ENCODING, SEED
from azsearch_ops.verbs.evaluating.modes import compare_modes
from azsearch_ops.verbs.evaluating.queries import query_set
from azsearch_ops.verbs.evaluating.sides import candidate_side, live_side
from azsearch_ops.verbs.session import Session, chosen_indexes
from azsearch_ops.verbs.shipping.shipping import Talk
from azsearch_ops.verbs.shipping.steps import contest_for


def modes_one(session: Session, name: str, talk: Talk) -> SideBySide:
    """Every mode on the query set of an index definition, shown; nothing is written."""
    index = chosen_indexes(session.project, (name,))[0]
    check_texts(session.project, index)
    contest = contest_for(session, index)
    candidate = candidate_side(session, contest)
    live = None
    if contest.live is not None and not contest.settings_only:
        live = live_side(session, contest)
    questions = query_set(session.project, index)
    brought = brought_to(session.service, session.project, index, questions, side_fields(contest), strict=True)
    coverage = brought.coverage
    count = tokenizer(READER_ENCODING).count
    metrics = index.evaluation.metrics
    table = compare_modes(
        coverage.queries, candidate, live, metrics, count, talk.report, seed=SEED, texts=coverage.texts
    )
    talk.show(table)
    return table
