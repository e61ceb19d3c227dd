"""One explained query, and a calibrated threshold, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from azsearch_ops.reporting import figures
from azsearch_ops.reporting.columns import aligned
from azsearch_ops.reporting.style import Style, display_width, fit

if TYPE_CHECKING:
    from azsearch_ops.verbs.asking_one import ExplainedChunk, ExplainedQuery, ExplainedSide
    from azsearch_ops.verbs.evaluating.thresholds import Calibration

_BAR = 24


def render_explained(result: ExplainedQuery, style: Style) -> str:
    """The question, then for each side its results with scores by leg and where each stands."""
    named = f"{result.id}  " if result.id else ""
    lines = [f"query     {named}{result.text}"]
    for side in result.sides:
        lines += ["", *_side_lines(side, style)]
    return "\n".join(lines)


def _side_lines(side: ExplainedSide, style: Style) -> list[str]:
    release = f"   release {side.release}" if side.release is not None else ""
    lines = [f"{side.side:<9} {side.index}   {side.mode}{release}"]
    if side.refused:
        lines.append(f"  no scores by leg: {side.refused}")
    if not side.chunks:
        return [*lines, "  no result"]
    legs = list(dict.fromkeys(leg for chunk in side.chunks for leg in chunk.legs))
    judged = any(chunk.holds is not None for chunk in side.chunks)
    head = ["", "score", *legs, *(["holds"] if judged else []), "chunk", "characters", "tokens", "document"]
    rows = [head, *(_row(chunk, legs, judged) for chunk in side.chunks)]
    drawn = aligned(rows, "r" * (len(head) - 1) + "l")
    lines.append(style.paint(drawn[0], "quiet"))
    for line, chunk in zip(drawn[1:], side.chunks, strict=True):
        lines.append(line)
        if chunk.text:
            lines.append(style.paint(f"      {fit(chunk.text, max(30, style.width - 6))}", "quiet"))
    return lines


def _row(chunk: ExplainedChunk, legs: list[str], judged: bool) -> list[str]:
    at = f"{chunk.characters[0]:,}–{chunk.characters[1]:,}" if chunk.characters else figures.NONE
    return [
        f"{chunk.rank}",
        f"{chunk.score:.4f}" if chunk.score is not None else figures.NONE,
        *(f"{chunk.legs[leg]:.3f}" if leg in chunk.legs else figures.NONE for leg in legs),
        *([figures.percent(chunk.holds) if chunk.holds else figures.NONE] if judged else []),
        f"{chunk.position}" if chunk.position is not None else figures.NONE,
        at,
        figures.count(chunk.tokens),
        chunk.document,
    ]


def render_calibration(result: Calibration, style: Style) -> str:
    """Both distributions as bars, the threshold with its interval, what it keeps, and what it does in hybrid."""
    release = f", release {result.release}" if result.release is not None else ""
    lines = [
        f"threshold {result.index}{release}: {figures.queries_of(result.queries)}, "
        f"the {result.k} nearest chunks of each",
        f"          {result.answers_found} of {result.answers_judged} answers are among them",
        "",
        *_histogram(result, style),
        "",
        *_chosen(result),
    ]
    if result.hybrid is not None:
        share = figures.percent(result.hybrid.below / max(1, result.hybrid.results))
        lines += [
            "",
            "hybrid    this threshold does not limit what the released request returns: hybrid scores are sums of",
            "          1/(60 + rank), the threshold only empties the vector leg below it, and the text leg brings",
            f"          results back: {result.hybrid.below:,} of {result.hybrid.results:,} ({share}) were below it",
        ]
    return "\n".join(lines)


def _chosen(result: Calibration) -> list[str]:
    chosen, goal = result.chosen, f"{result.goal} {result.wanted:g}"
    if chosen is None:
        return [f"          no threshold reaches {goal} on these chunks; look at the distributions"]
    lines = [
        f"{goal:<16}{chosen.value:.4f}   95 % interval {chosen.low:.4f} … {chosen.high:.4f}",
        f"  keeps {figures.percent(chosen.recall)} of the answers that are there; of what it keeps "
        f"{figures.percent(chosen.precision)} is relevant; {chosen.kept:.1f} chunks a query, none for "
        f"{figures.percent(chosen.empty)}",
    ]
    verified = result.verified
    if verified is not None and verified.refused:
        lines.append(f"  not verified: {verified.refused}")
    elif verified is not None and verified.recall is not None:
        told = f"recall {figures.value(verified.recall)}, precision {figures.value(verified.precision)}"
        lines.append(f"  verified by asking again with it, vectors alone: {told}")
    model = result.model or "this model"
    lines.append(f"  for {model} on these documents alone: calibrate again when either changes")
    return lines


def _histogram(result: Calibration, style: Style) -> list[str]:
    """Shares of relevant and irrelevant chunks by similarity, each side scaled to its own largest bin."""
    most = [max((getattr(b, side) for b in result.bins), default=0) or 1 for side in ("relevant", "irrelevant")]
    head = ("similarity", "relevant", "", "irrelevant", "")
    rows: list[tuple[str, ...]] = [head]
    for b in result.bins:
        bars = [round(_BAR * n / top) for n, top in ((b.relevant, most[0]), (b.irrelevant, most[1]))]
        bars = [max(1, bar) if n else 0 for bar, n in zip(bars, (b.relevant, b.irrelevant), strict=True)]
        mark = " <" if result.chosen and b.low <= result.chosen.value < b.high else ""
        span = f"{b.low:+.2f} … {b.high:+.2f}".replace("-", "−")
        rows.append((f"{span}{mark:<2}", f"{b.relevant:,}", "█" * bars[0], f"{b.irrelevant:,}", "░" * bars[1]))
    drawn = aligned(rows, "lrlrl")
    return drawn if max(map(display_width, drawn)) <= style.width else [line[: style.width] for line in drawn]
