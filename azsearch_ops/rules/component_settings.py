"""AZS234: settings of analysis components that contradict each other, or have a form of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from azsearch_ops.contract import sources
from azsearch_ops.contract.analysis import REGEX_FLAGS
from azsearch_ops.contract.objects import properties_of
from azsearch_ops.definitions.near import name_hint
from azsearch_ops.definitions.tree import Tree, step
from azsearch_ops.errors import Problem
from azsearch_ops.rules.explanation import Explanation
from azsearch_ops.rules.finding import is_integer, quoted

EXPLANATIONS: Final = (
    Explanation(
        "AZS234",
        "Settings of a component that contradict each other, or have another form",
        "Sizes run from small to large (minGram must be below maxGram, counting defaults); stopwords and stopwordsList "
        "exclude each other; flags are joined by `|`; rules are written `a => b`; a delimiter is one character.",
        "Change the setting that the message names.",
        sources.ANALYSIS,
    ),
)

_SIZES: Final = (("minGram", "maxGram"), ("min", "max"), ("minShingleSize", "maxShingleSize"))
_ONE_CHARACTER: Final = ("delimiter", "replacement")
_RULES: Final = (("MappingCharFilter", "mappings"), ("StemmerOverrideTokenFilter", "rules"))


def check_settings(component: Mapping[str, Any], at: str, tree: Tree) -> Iterator[Problem]:
    """The problems of one component's settings among themselves."""
    kind = str(component.get("@odata.type")).rpartition(".")[2]
    yield from _check_sizes(component, at, tree)
    if component.get("stopwords") and component.get("stopwordsList"):
        place = tree.locate_key(step(at, "stopwordsList"))
        yield Problem("AZS234", "stopwords and stopwordsList exclude each other", place)
    flags = component.get("flags")
    for flag in flags.split("|") if isinstance(flags, str) and flags else ():
        if flag.strip() not in REGEX_FLAGS:
            hint = name_hint(flag.strip(), REGEX_FLAGS)
            yield Problem("AZS234", f"there is no flag {flag.strip()!r}", tree.locate(step(at, "flags")), hint=hint)
    if kind.startswith("PathHierarchy"):
        for name in _ONE_CHARACTER:
            value = component.get(name)
            if isinstance(value, str) and len(value) != 1:
                message = f"{name} is one character, not {quoted(value)}"
                yield Problem("AZS234", message, tree.locate(step(at, name)))
    for owner, name in _RULES:
        stated = component.get(name) if kind == owner else None
        for place_in_list, rule in enumerate(stated if isinstance(stated, list | tuple) else ()):
            left, arrow, _ = str(rule).partition("=>")
            if not arrow or not left.strip(" " if owner != "MappingCharFilter" else ""):
                message = f"{name} are written `a => b`, not {quoted(rule)}"
                yield Problem("AZS234", message, tree.locate(step(step(at, name), place_in_list)))


def _check_sizes(component: Mapping[str, Any], at: str, tree: Tree) -> Iterator[Problem]:
    rows = properties_of("analysis", component)
    for small, large in _SIZES:
        if component.get(small) is None and component.get(large) is None:
            continue
        if small not in rows or large not in rows:
            continue
        low, high = (rows[n].default if component.get(n) is None else component[n] for n in (small, large))
        if not is_integer(low) or not is_integer(high):
            continue
        place = tree.locate(step(at, small if component.get(small) is not None else large))
        if low > high:
            default = "" if component.get(large) is not None else ", its default"
            yield Problem("AZS234", f"{small} {low} is above {large} {high}{default}", place)
        elif low == high and small == "minGram":
            message = f"minGram must be below maxGram by the reference, and both are {low}"
            yield Problem("AZS234", message, place, severity="warning")
