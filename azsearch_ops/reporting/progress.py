"""Long work as it goes: a bar that is redrawn on a terminal, plain lines everywhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from azsearch_ops.reporting import figures
from azsearch_ops.reporting.style import Style, display_width, fit

if TYPE_CHECKING:
    from azsearch_ops.releasing.outcomes import Progress

_BAR = 20
_QUARTERS = 4


class ProgressWriter:
    """Writes each `Progress` it is called with to `stream`.

    On a terminal, counted work is one line that is redrawn in place; `clear` removes it before other text. Without
    a terminal, counted work is a line when it begins and at each quarter, so that a log stays short and still moves.
    """

    def __init__(self, stream: TextIO, style: Style | None = None) -> None:
        self._stream = stream
        self._terminal = stream.isatty()
        self._style = style or Style()
        self._drawn = ""
        self._last: tuple[str, str, int] | None = None

    def __call__(self, progress: Progress) -> None:
        """Show one moment of the work."""
        if progress.finished:
            self._line(self._finished(progress))
        elif progress.done is None or not progress.total:
            self._line(f"{progress.stage:<9} {progress.text}")
        elif self._terminal:
            self._draw(bar(progress, self._style.width))
        else:
            self._quarter(progress, progress.done, progress.total)

    def clear(self) -> None:
        """Take the redrawn line away, so that other text can be written."""
        if self._drawn:
            self._stream.write("\r\x1b[2K")
            self._stream.flush()
            self._drawn = ""

    def _finished(self, progress: Progress) -> str:
        counted = f"  {progress_count(progress)}" if progress.total else ""
        took = f"   {figures.duration(progress.seconds)}" if progress.seconds is not None else ""
        return f"{progress.stage:<9} {self._style.paint('✓', 'good')} {progress.text}{counted}{took}"

    def _quarter(self, progress: Progress, done: int, total: int) -> None:
        reached = (progress.stage, progress.text, _QUARTERS * done // total)
        if reached != self._last:
            self._last = reached
            self._line(f"{progress.stage:<9} {progress.text}  {progress_count(progress)}")

    def _line(self, text: str) -> None:
        self.clear()
        self._stream.write(text + "\n")
        self._stream.flush()

    def _draw(self, text: str) -> None:
        if text != self._drawn:
            self._stream.write(f"\r\x1b[2K{text}")
            self._stream.flush()
            self._drawn = text


def bar(progress: Progress, width: int) -> str:
    """Counted work as one line of at most `width` columns."""
    done, total = progress.done or 0, progress.total or 1
    filled = min(_BAR, _BAR * done // total)
    drawn = f"{'━' * filled}{'─' * (_BAR - filled)}"
    head = f"{progress.stage:<9} {progress.text}  {progress_count(progress)}"
    if display_width(head) + _BAR + 2 >= width:
        return fit(head, width - 1)
    return f"{head}  {drawn}"


def progress_count(progress: Progress) -> str:
    """Done of total: 2,307/2,310."""
    return f"{figures.count(progress.done)}/{figures.count(progress.total)}"
