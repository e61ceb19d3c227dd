"""Drawing by hand: SVG elements as safe markup."""

from __future__ import annotations

from markupsafe import Markup, escape


def tag(element: str, *children: str | Markup, **attributes: str | float) -> Markup:
    """An element; `_` in a name stands for `-`, a leading one is dropped (`_class`). Children are escaped."""
    written = "".join(
        f' {name.strip("_").replace("_", "-")}="{escape(_short(value))}"' for name, value in attributes.items()
    )
    inside = Markup("").join(escape(child) for child in children)
    return Markup("<{0}{1}>{2}</{0}>").format(Markup(element), Markup(written), inside)


def drawing(width: float, height: float, label: str, *children: Markup, role: str = "img") -> Markup:
    """An SVG of that many units that takes the width it is given; `label` is what it says to who cannot see it."""
    return tag(
        "svg",
        *children,
        viewBox=f"0 0 {_short(width)} {_short(height)}",
        role=role,
        aria_label=label,
        preserveAspectRatio="xMidYMid meet",
    )


def text(x: float, y: float, words: str, *, anchor: str = "start", kind: str = "") -> Markup:
    """Words at a place; `kind` is a class."""
    return tag("text", words, x=x, y=y, text_anchor=anchor, _class=f"t {kind}".strip())


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Markup:
    """A line of a class."""
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, _class=kind)


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round values that divide the range from `low` to `high` into about so many parts."""
    span = high - low
    if span <= 0:
        return [low]
    raw = span / about
    size = 10.0 ** len(str(int(raw))) / 10 if raw >= 1 else 1.0
    while size > raw:
        size /= 10
    step = next(size * factor for factor in (1, 2, 2.5, 5, 10) if size * factor >= raw * 0.999)
    first = int(low / step) - 1
    found = [round((first + n) * step, 10) for n in range(about * 4)]
    return [value for value in found if low - step * 1e-6 <= value <= high + step * 1e-6]


def _short(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.2f}".rstrip("0").rstrip(".")
