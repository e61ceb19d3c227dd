"""What is wrong with a query set by itself: ids that repeat, judgements that contradict each other, blank questions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from azsearch_ops.contract.limits import SEARCH_CHARACTERS
from azsearch_ops.definitions.queries_entries import JudgementEntry, QueryEntry, same_question
from azsearch_ops.errors import Problem


def merged(entries: Iterable[QueryEntry], problems: list[Problem]) -> tuple[QueryEntry, ...]:
    """The questions, each once, with each judgement once.

    What says the same twice is merged with a note; what contradicts itself is an error that names both places.
    """
    found: dict[str, QueryEntry] = {}
    for entry in entries:
        first = found.get(entry.id)
        if first is None:
            found[entry.id] = entry
            continue
        where = _where(first, entry)
        if _asks(first) != _asks(entry):
            message = f"the id of {entry.label} stands twice, and asks something else (first in {where})"
            problems.append(Problem("AZS702", message, entry.location, hint="give one of them another id"))
            continue
        message = f"{entry.label} stands twice (first in {where}); both are taken as one"
        problems.append(Problem("AZS705", message, entry.location, severity="note"))
        tags = tuple(dict.fromkeys((*first.tags, *entry.tags)))
        found[entry.id] = replace(first, relevant=(*first.relevant, *entry.relevant), tags=tags)
    return tuple(replace(entry, relevant=_agreed(entry, problems)) for entry in found.values())


def faults(entries: Iterable[QueryEntry], problems: list[Problem]) -> None:
    """Adds what makes a question of no use."""
    listed = tuple(entries)
    some_labelled = any(entry.labelled for entry in listed if not entry.draft)
    for entry in listed:
        if not entry.query.strip():
            problems.append(Problem("AZS703", f"{entry.label}: the question is blank", entry.location))
        if len(entry.query) > SEARCH_CHARACTERS:
            message = (
                f"{entry.label}: a question has {SEARCH_CHARACTERS:,} characters at most, not {len(entry.query):,}"
            )
            problems.append(Problem("AZS703", message, entry.location))
        if some_labelled and not entry.labelled and not entry.draft:
            message = f"{entry.label}: nothing is relevant, so it is not scored"
            hint = "name at least one document with a grade above 0"
            problems.append(Problem("AZS704", message, entry.location, severity="warning", hint=hint))
        for judged in entry.relevant:
            if judged.occurrence is not None and judged.excerpt is None:
                message = f"{entry.label}: occurrence counts the occurrences of an excerpt, and there is none"
                problems.append(Problem("AZS703", message, judged.location))


def _asks(entry: QueryEntry) -> tuple[object, ...]:
    return same_question(entry.query), entry.filter, dict(entry.request), entry.holdout, entry.draft


def _agreed(entry: QueryEntry, problems: list[Problem]) -> tuple[JudgementEntry, ...]:
    kept: dict[tuple[str, str, int], JudgementEntry] = {}
    for judged in entry.relevant:
        first = kept.setdefault(judged.place, judged)
        if first is judged:
            continue
        where = _where(first, judged)
        if first.grade != judged.grade:
            message = (
                f"{entry.label}: {judged.document} is graded {judged.grade} here and {first.grade} for the same "
                f"words in {where}"
            )
            problems.append(Problem("AZS706", message, judged.location, hint="keep one of the two"))
        else:
            message = f"{entry.label}: the judgement stands twice (first in {where}); it counts once"
            problems.append(Problem("AZS705", message, judged.location, severity="note"))
    return tuple(kept.values())


def _where(first: QueryEntry | JudgementEntry, second: QueryEntry | JudgementEntry) -> str:
    here, there = second.location, first.location
    return f"line {there.line}" if there.path == here.path else str(there)
