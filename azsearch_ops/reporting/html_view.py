"""What the page's template is given: words and drawings of a run, nothing left to decide."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from azsearch_ops.reporting import figures
from azsearch_ops.reporting.gate_cells import GateCells, gate_cells
from azsearch_ops.reporting.html_charts_gate import Scale, axis_drawing, differences_drawing, interval_drawing
from azsearch_ops.reporting.html_charts_ranks import ranks_drawing, slices_drawing
from azsearch_ops.reporting.html_charts_reading import price_drawing, scores_drawing
from azsearch_ops.reporting.html_queries import query_data
from azsearch_ops.reporting.report_wording import (
    UNGATED,
    changed_sentence,
    consequence,
    decisive,
    embedding,
    headline,
    limit_value,
    of_all,
    points,
    service_name,
    sizes,
    verdict_word,
    yardstick_sentence,
)

if TYPE_CHECKING:
    from markupsafe import Markup

    from azsearch_ops.evaluation.outcome import MetricResult
    from azsearch_ops.verbs.evaluating.run_files import ChangeNote, Run


@dataclass(frozen=True, slots=True)
class Tile:
    """A figure with its name, and what it was before; `tone` is better, worse or empty."""

    name: str
    value: str
    before: str = ""
    note: str = ""
    tone: str = ""


@dataclass(frozen=True, slots=True)
class RunView:
    """A run, ready to be written."""

    number: int
    name: str
    when: str
    title: str
    verdict: str
    said: str
    subject: str
    sentence: tuple[str, str, str]
    headline: str
    changed: str
    reasons: tuple[str, ...]
    tainted: str
    notes: tuple[str, ...]
    place: str
    compared: bool
    tiles: tuple[Tile, ...]
    gate: tuple[tuple[GateCells, Markup | None], ...]
    axis: Markup | None
    changes: tuple[tuple[str, str, str, str, str], ...]
    metric: str
    differences: Markup | None
    ranks: Markup | None
    slices: Markup | None
    price: Markup | None
    scores: Markup | None
    facts: tuple[tuple[str, str], ...]
    data: dict[str, Any]
    rankings: tuple[tuple[str, str, str, str], ...] = ()


def run_view(run: Run, number: int) -> RunView:
    """The view of `run`, which is number `number` of its page."""
    outcome, evaluation = run.outcome, run.outcome.evaluation
    line = decisive(outcome)
    metric = line.metric if line else evaluation.metrics[0].name
    compared = evaluation.live_cost is not None
    place = service_name(run.measured) if run.measured.is_local else run.measured.environment
    budgets = sorted({int(found[1]) for m in evaluation.metrics if (found := re.search(r"@(\d+)t$", m.name))})
    gate, axis = _gate(run)
    return RunView(
        number=number,
        name=run.name,
        when=run.measured.at[5:16].replace("T", " "),
        title=f"{outcome.name}: {verdict_word(outcome)}",
        verdict="ungated" if verdict_word(outcome) == UNGATED else verdict_word(outcome),
        said=verdict_word(outcome),
        subject=outcome.alias or outcome.candidate,
        sentence=consequence(outcome),
        headline=headline(outcome),
        changed=changed_sentence(outcome),
        reasons=outcome.verdict.reasons,
        tainted=outcome.tainted,
        notes=outcome.notes,
        place=place or service_name(run.measured),
        compared=compared,
        tiles=_tiles(run),
        gate=gate,
        axis=axis,
        changes=tuple(_change(change) for change in run.changes),
        metric=metric,
        differences=differences_drawing(run, metric) if compared else None,
        ranks=ranks_drawing(run),
        slices=slices_drawing(run, metric),
        price=price_drawing(run, budgets),
        scores=scores_drawing(run),
        facts=_facts(run),
        rankings=_rankings(run),
        data={**query_data(run), "budgets": budgets, "metric": metric, "top": evaluation.reader_top},
    )


def _rankings(run: Run) -> tuple[tuple[str, str, str, str], ...]:
    """Of questions that nobody judged those that changed most: question, overlap, first in live, first in candidate."""
    overlap = run.outcome.evaluation.overlap
    return tuple(
        (
            f"{row.id} {row.text}".rstrip(),
            f"{row.overlap:.2f}",
            row.live[0] if row.live else figures.NONE,
            row.candidate[0] if row.candidate else figures.NONE,
        )
        for row in (overlap.most_changed if overlap else ())
    )


def _gate(run: Run) -> tuple[tuple[tuple[GateCells, Markup | None], ...], Markup | None]:
    evaluation, limits = run.outcome.evaluation, run.measured.limits
    lines = {line.metric: line for line in run.outcome.verdict.lines}
    allowed = [v for each in limits.values() for name in ("margin", "max_drop") if (v := each.get(name)) is not None]
    compared = any(metric.difference is not None for metric in evaluation.metrics)
    scale = Scale(evaluation.metrics, allowed)

    def row(metric: MetricResult) -> tuple[GateCells, Markup | None]:
        line, limit = lines[metric.name], limits.get(metric.name, {})
        drawn = interval_drawing(metric, scale, limit.get("margin"), limit.get("max_drop")) if compared else None
        return gate_cells(metric, line), drawn

    rows = [row(metric) for metric in evaluation.metrics]
    for limit in run.outcome.verdict.limits:
        before, after = limit_value(limit.name, limit.live), limit_value(limit.name, limit.candidate)
        words = limit.limit or figures.NONE
        rows.append((GateCells(limit.name, before, after, "", "", "", words, limit.outcome), None))
    return tuple(rows), axis_drawing(scale) if compared else None


def _tiles(run: Run) -> tuple[Tile, ...]:
    evaluation, chunks = run.outcome.evaluation, run.measured.chunks
    live, candidate = evaluation.live_cost, evaluation.candidate_cost
    tiles, of = [], f"of {figures.queries_of(evaluation.query_count)}"
    if (overlap := evaluation.overlap) is not None:  # Nobody judged, so nothing got better or worse
        tiles.append(Tile("rankings changed", str(overlap.changed), note=f"of {figures.queries_of(overlap.queries)}"))
        tiles.append(Tile("overlap", f"{overlap.mean:.3f}", note="rank-biased, of documents"))
    elif live is not None:
        tiles += [
            Tile("got worse", str(evaluation.worse), note=of, tone="worse"),
            Tile("got better", str(evaluation.better), note=of, tone="better"),
        ]
    else:
        found = sum(query.candidate.rank is not None for query in evaluation.queries)
        if evaluation.queries:
            tiles.append(Tile("answers found", str(found), note=of))
    tiles.append(
        Tile(
            "tokens to the reader",
            figures.count(candidate.tokens),
            figures.count(live.tokens) if live else "",
            f"a query, first {evaluation.reader_top} chunks",
        )
    )
    tiles.append(
        Tile(
            "unjudged",
            figures.percent(candidate.unjudged),
            figures.percent(live.unjudged) if live else "",
            "of the first 5 chunks",
        )
    )
    if candidate.p95 is not None:
        before = figures.milliseconds(live.p95) if live else ""
        tiles.append(Tile("p95", figures.milliseconds(candidate.p95), before, "a search, from here"))
    if "candidate" in chunks:
        before = figures.count(chunks["live"]) if "live" in chunks else ""
        tiles.append(Tile("chunks", figures.count(chunks["candidate"]), before, "in the index"))
    for name, was, now in sizes(run.outcome):
        tiles.append(
            Tile(name, figures.size(now), figures.size(was) if was is not None else "", "as the service counts")
        )
    return tuple(tiles)


def _facts(run: Run) -> tuple[tuple[str, str], ...]:
    measured, outcome, evaluation = run.measured, run.outcome, run.outcome.evaluation
    line, probe = decisive(outcome), outcome.evaluation.probe
    told = [
        ("candidate", outcome.candidate),
        ("live", outcome.live or "none: nothing to compare with"),
        ("environment", measured.environment),
        ("service", f"{service_name(measured)}   {measured.service}" if measured.service else ""),
        ("api-version", measured.api_version),
        ("embedding", embedding(measured)),
        ("documents", of_all(measured.documents, measured.documents_expected)),
        ("queries scored", of_all(outcome.evaluation.query_count, measured.queries_given or None)),
        ("held out", f"{evaluation.holdouts} count and are not shown" if evaluation.holdouts else ""),
        ("not scored", ", ".join(outcome.evaluation.unscored)),
        (
            "repeat probe",
            f"NOT equal: {probe.told}" if probe.told else f"equal, {figures.queries_of(probe.queries)} asked twice",
        ),
        ("query set", measured.query_digest[:12]),
        ("yardstick", f"{measured.yardstick}   {yardstick_sentence(outcome)}".strip()),
        ("could go unseen", f"a drop of {points(line.unseen)} points" if line and line.unseen else ""),
        ("statistics", f"{outcome.evaluation.resamples:,} resamples, seed {outcome.evaluation.seed}"),
        ("tokens counted by", measured.budget_encoding),
        ("commit", measured.commit or ""),
        ("by", measured.by),
        ("measured", f"{measured.at[:19].replace('T', ' ')} UTC, {figures.duration(outcome.seconds)}"),
        ("run", run.name),
    ]
    return tuple((name, value) for name, value in told if value)


def _change(change: ChangeNote) -> tuple[str, str, str, str, str]:
    return change.where, change.setting, _short(change.before), _short(change.after), change.means


def _short(value: Any) -> str:
    if value is None:
        return figures.NONE
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
    return text if len(text) <= 400 else f"{text[:399]}…"
