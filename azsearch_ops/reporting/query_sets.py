"""Query sets as text: what one holds and what of it holds here, what was drafted, judged, converted, made of a log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from azsearch_ops.reporting import figures
from azsearch_ops.reporting.columns import aligned
from azsearch_ops.reporting.problems import render_problems
from azsearch_ops.reporting.style import Style, fit

if TYPE_CHECKING:
    from azsearch_ops.evaluation.outcome import Evaluation
    from azsearch_ops.verbs.query_sets.accepting import Accepted
    from azsearch_ops.verbs.query_sets.checking import Converted, QuerySetCheck
    from azsearch_ops.verbs.query_sets.drafting import Drafts
    from azsearch_ops.verbs.query_sets.judging import Judging
    from azsearch_ops.verbs.query_sets.logs import FromLog

_LISTED = 10
_GOOD = ("exact", "normalised", "whole document")


def render_check(check: QuerySetCheck, style: Style) -> str:
    """Counts, anchoring, near-duplicates, wording, long spans, then every problem with its place."""
    head = f"queries   {check.path}   {figures.queries_of(check.queries)}"
    parts = [f"{check.labelled} labelled"]
    parts += [f"{count} {name}" for name, count in (("held out", check.holdouts),) if count]
    parts += [figures.counted(check.drafts, "draft", "drafts")] if check.drafts else []
    parts.append(figures.counted(check.judgements, "judgement", "judgements"))
    lines = [f"{head}, {', '.join(parts)}   {style.paint(check.digest[:12], 'quiet')}"]
    if check.tags:
        lines.append(f"tags      {_counts(check.tags)}")
    if check.grades:
        lines.append(f"grades    {_counts({str(grade): count for grade, count in check.grades.items()})}")
    if check.anchoring:
        checked = "not checked" not in check.anchoring
        told = f"   {check.against}" if check.against else ""
        lines.append(f"anchoring{told if checked else style.paint(told, 'doubt')}")
        for name, count in check.anchoring.items():
            lines += (
                aligned([(name, str(count))], "lr")
                if name in _GOOD
                else [style.paint(line, "doubt") for line in aligned([(name, str(count))], "lr")]
            )
        lines += _moved(check, style)
    if check.overlap is not None:
        share = figures.percent(check.overlap.share)
        told = f"wording   questions share {share} of their content words with their excerpts"
        if check.overlap.high:
            told += style.paint("; such questions favour BM25: ask some in other words", "doubt")
        lines.append(told)
    if check.alike:
        lines.append(f"alike     {len(check.alike)} pairs of questions ask nearly the same")
        for pair in check.alike[:_LISTED]:
            note = "   one of them is held out, and no longer unseen" if pair.holdout else ""
            lines.append(f"  {pair.first} and {pair.second} ({pair.location})   {pair.likeness:.2f}{note}")
        lines += _more(len(check.alike))
    if check.long_spans:
        lines.append(
            f"long      {len(check.long_spans)} excerpts are longer than a page, so no chunk can hold them whole"
        )
        for span in check.long_spans[:_LISTED]:
            lines.append(f"  {span.location}   {span.query}   {span.length} of {span.page} {span.unit}")
        lines += _more(len(check.long_spans))
    if check.reason:
        lines.append(f"{style.paint('undecided', 'doubt')} {check.reason}")
    if check.problems:
        lines.append(render_problems(check.problems, style))
    elif "not checked" in check.anchoring:
        lines.append("no problem in the file; its judgements are not held against any document")
    elif not check.reason:
        lines.append(f"{style.paint('✓', 'good')} no problem")
    return "\n".join(lines)


def render_converted(converted: Converted) -> str:
    """What was written, and what the form cannot hold."""
    queries = figures.counted(converted.queries, "query", "queries")
    judgements = figures.counted(converted.judgements, "judgement", "judgements")
    told = f"written   {', '.join(converted.written)}   {queries}, {judgements}"
    return told + (
        f"\nlost      {', '.join(converted.lost)}: {converted.form} cannot hold them" if converted.lost else ""
    )


def render_drafts(drafts: Drafts, style: Style, *, dry_run: bool) -> str:
    """The drafts, one a line."""
    rows = [(e.id, e.tags[0], fit(e.query, 60), e.relevant[0].document) for e in drafts.written]
    verb = "would go to" if dry_run else "written to"
    lines = aligned(rows, "llll")
    lines.append(
        f"{figures.counted(len(drafts.written), 'draft', 'drafts')} {verb} {drafts.path}, of {drafts.found} in "
        f"{figures.counted(drafts.documents, 'document', 'documents')}"
    )
    if drafts.written and not dry_run:
        lines.append(
            "put each into a user's words, then azsearch-ops queries accept NAME ID…; until then nothing counts it"
        )
    return "\n".join(lines)


def render_accepted(accepted: Accepted, style: Style) -> str:
    """The questions that count now, one a line, and how many there are."""
    rows = [(e.id, "held out" if e.holdout else fit(e.query, 60)) for e in accepted.accepted]
    lines = aligned(rows, "ll") if rows else []
    told = f"{len(accepted.accepted)} accepted in {accepted.path}: "
    told += figures.counted(accepted.queries, "query counts", "queries count")
    lines.append(
        told + (f", {figures.counted(accepted.drafts, 'draft does', 'drafts do')} not yet" if accepted.drafts else "")
    )
    if accepted.accepted:
        lines.append(style.paint("the query set is another one now: what was measured before counts no more", "quiet"))
    return "\n".join(lines)


def render_judging(judging: Judging) -> str:
    """How many were judged, and where the grades are."""
    told = f"{judging.judged} of {judging.items} judged"
    if judging.grades:
        told += f" ({_counts({str(grade): count for grade, count in judging.grades.items()})})"
    return f"{told}, {judging.skipped} skipped   {judging.path}"


def render_from_log(made: FromLog, style: Style) -> str:
    """What was read, left out, masked and written."""
    asked = sum(question.count for question in made.written)
    lines = [f"{made.read} entries   {made.left_out} no questions, {made.rare} too rare, {made.known} known already"]
    lines.append(
        f"written   {made.path}   {figures.counted(len(made.written), 'question', 'questions')}, asked "
        f"{figures.counted(asked, 'time', 'times')}, unlabelled"
    )
    if made.masked:
        told = f"masked    {_counts(made.masked)}; read the set before you share it: names cannot be recognised"
        lines.append(style.paint(told, "doubt"))
    if made.problems:
        lines.append(render_problems(made.problems, style))
    return "\n".join(lines)


def overlap_lines(evaluation: Evaluation, style: Style) -> list[str]:
    """Rank-biased overlap of live and candidate on questions without judgements, and what changed most."""
    found = evaluation.overlap
    if found is None:
        return []
    lines = [
        f"  rank-biased overlap {found.mean:.3f} (documents, p {found.persistence:g}) over "
        f"{figures.queries_of(found.queries)} without judgements; {found.changed} changed"
    ]
    room = max(20, style.width - 75)
    for row in found.most_changed[:_LISTED]:
        first = f"{row.live[0] if row.live else '–'} → {row.candidate[0] if row.candidate else '–'}"
        lines.append(f"    {row.overlap:.2f}   {fit(f'{row.id} {row.text}'.strip(), 60)}   {fit(first, room)}")
    return lines


def _moved(check: QuerySetCheck, style: Style) -> list[str]:
    lines = [
        f"    {row.location}   {row.query} in {row.document}, likeness {row.score:.2f}"
        + (f": {fit(row.reads, max(30, style.width - 70))}" if row.reads else "")
        for row in check.moved[:_LISTED]
    ]
    return lines + _more(len(check.moved))


def _more(count: int) -> list[str]:
    return [f"  {count - _LISTED} more with --output json"] if count > _LISTED else []


def _counts(counts: Mapping[str, int]) -> str:
    return "   ".join(f"{name} {count}" for name, count in counts.items())
