import io

from azsearch_ops.releasing.outcomes import (
    Progress,
)
from azsearch_ops.reporting.progress import ProgressWriter
from azsearch_ops.reporting.style import Style, display_width, fit


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_in_a_log_is_a_line_a_quarter() -> None:
    log = io.StringIO()
    write = ProgressWriter(log)
    for done in range(0, 101, 5):
        write(Progress("build", "documents", done, 100))
    write(Progress("build", "documents", 100, 100, finished=True, seconds=3.21))
    write(Progress("evaluate", "under the old settings"))
    assert log.getvalue().splitlines() == [
        "build     documents  0/100",
        "build     documents  25/100",
        "build     documents  50/100",
        "build     documents  75/100",
        "build     documents  100/100",
        "build     ✓ documents  100/100   3.2 s",
        "evaluate  under the old settings",
    ]


def test_progress_on_a_terminal_is_one_line_that_is_redrawn() -> None:
    screen = Terminal()
    write = ProgressWriter(screen, Style(80))
    write(Progress("build", "documents", 5, 10))
    write(Progress("build", "documents", 5, 10))
    assert screen.getvalue() == f"\r\x1b[2Kbuild     documents  5/10  {'━' * 10}{'─' * 10}"
    write.clear()
    write.clear()
    assert screen.getvalue().endswith("─\r\x1b[2K")


def test_the_bar_fits_the_terminal() -> None:
    screen = Terminal()
    ProgressWriter(screen, Style(24))(Progress("build", "documents", 5, 10))
    assert display_width(screen.getvalue().removeprefix("\r\x1b[2K")) < 24


def test_style_follows_the_stream_and_the_environment() -> None:
    assert Style.of(io.StringIO(), {}) == Style(120, color=False)
    assert Style.of(Terminal(), {"COLUMNS": "90"}) == Style(90, color=True)
    assert Style.of(Terminal(), {"COLUMNS": "90", "NO_COLOR": "1"}) == Style(90, color=False)
    assert Style.of(Terminal(), {"COLUMNS": "90", "TERM": "dumb"}) == Style(90, color=False)


def test_wide_characters_take_two_columns() -> None:
    assert display_width("情報a") == 5
    assert display_width("e\u0301") == 1
    assert fit("情報検索の", 5) == "情報…"
    assert fit("two\nlines", 20) == "two lines"
