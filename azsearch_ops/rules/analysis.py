"""AZS23x: analyzers, tokenizers, filters and normalizers: what fields and components name exists and fits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from azsearch_ops.contract import analysis_names, sources
from azsearch_ops.contract.analysis import COMPONENT_TYPES, NORMALIZER_TYPES
from azsearch_ops.contract.names import check_name
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.near import name_hint
from azsearch_ops.definitions.tree import Tree, step
from azsearch_ops.errors import Problem
from azsearch_ops.rules.component_settings import check_settings
from azsearch_ops.rules.explanation import Explanation
from azsearch_ops.rules.finding import every_field, items

EXPLANATIONS: Final = (
    Explanation(
        "AZS231",
        "An analyzer, normalizer or component that is not there",
        "What a field or a custom analyzer names is built in, or defined in the same index.",
        "Mend the name, or define it in the index.",
        sources.ANALYSIS,
    ),
    Explanation(
        "AZS232",
        "A language analyzer for indexing or searching alone",
        "Language analyzers are named by `analyzer` only.",
        "Use `analyzer`.",
        sources.LANGUAGE_ANALYZERS,
    ),
    Explanation(
        "AZS233",
        "A component in the wrong list, or with a name that Azure refuses",
        "Analyzers, tokenizers, filters and normalizers have a list each; names have letters, digits, blanks, dashes "
        "and underscores, and are not those of built-in components.",
        "Move or rename it.",
        sources.ANALYSIS,
    ),
    Explanation(
        "AZS235",
        "A filter that a normalizer does not take",
        "A normalizer keeps a value whole, so only filters that neither split nor drop tokens are taken.",
        f"One of {', '.join(sorted(analysis_names.NORMALIZER_TOKEN_FILTERS))}, or a defined mapping or pattern filter.",
        sources.NORMALIZERS,
    ),
)

_NORMALIZER: Final = "#Microsoft.Azure.Search.CustomNormalizer"
_BUILT_IN: Final[Mapping[str, frozenset[str]]] = {
    "analyzers": analysis_names.ANALYZERS,
    "normalizers": analysis_names.NORMALIZERS,
    "tokenizers": analysis_names.TOKENIZERS,
    "tokenFilters": analysis_names.TOKEN_FILTERS,
    "charFilters": analysis_names.CHAR_FILTERS,
}
_PAGE_SPELLINGS: Final = {
    name.lower(): name for name in analysis_names.LANGUAGE_ANALYZERS if name.startswith(("pt-BR.", "pt-PT."))
}
"""Portuguese, which the page of language analyzers writes pt-Br and pt-Pt."""
_OLD_NAMES: Final = frozenset({"keyword", "nGram", "edgeNGram", "path_hierarchy", "standard", "standard_v1"})
"""Names of earlier components that the service still takes beside those it lists."""


def check_analysis(index: IndexDefinition) -> Iterator[Problem]:
    """The problems of an index's analysis components, and of what names them."""
    tree, body = index.tree, index.index
    own = {part: _names(body.get(part)) for part in _BUILT_IN}
    kinds = {
        part: {str(item.get("name")): item.get("@odata.type") for item, _ in items(body.get(part), "")}
        for part in ("tokenFilters", "charFilters")
    }
    for field, at in every_field(body):
        for name in ("analyzer", "indexAnalyzer", "searchAnalyzer", "normalizer"):
            value = field.get(name)
            if not isinstance(value, str):
                continue
            part = "normalizers" if name == "normalizer" else "analyzers"
            known = _BUILT_IN[part] | own[part] | {"standard"}
            if value not in known and value.lower() in _PAGE_SPELLINGS:
                proper = _PAGE_SPELLINGS[value.lower()]
                message = f"{name}: the reference spells {value} as {proper}"
                yield Problem("AZS231", message, tree.locate(step(at, name)), severity="warning", hint=proper)
            elif value not in known:
                yield _missing(name, value, step(at, name), part, own, tree)
            elif name in ("indexAnalyzer", "searchAnalyzer") and value in analysis_names.LANGUAGE_ANALYZERS:
                message = f"{field.get('name')}: the language analyzer {value} is named by `analyzer` only"
                yield Problem("AZS232", message, tree.locate(step(at, name)), hint=f"analyzer: {value}")
    for part in _BUILT_IN:
        seen: set[str] = set()
        for component, at in items(body.get(part), f"/index/{part}"):
            yield from _check_component(component, at, part, own, tree, seen)
            if component.get("@odata.type") == _NORMALIZER:
                yield from _check_normalizer(component, at, kinds, tree)


def _check_component(
    component: Mapping[str, Any], at: str, part: str, own: Mapping[str, set[str]], tree: Tree, seen: set[str]
) -> Iterator[Problem]:
    kind, name = component.get("@odata.type"), component.get("name")
    if isinstance(kind, str) and kind not in COMPONENT_TYPES[part]:
        home = next((other for other, kinds in COMPONENT_TYPES.items() if kind in kinds), None)
        if home is not None:
            message = f"{kind.rpartition('.')[2]} belongs to {home}, not to {part}"
            yield Problem("AZS233", message, tree.locate(step(at, "@odata.type")))
    if isinstance(name, str):
        reason = check_name("analysis", name)
        if reason is not None or name in _BUILT_IN[part]:
            why = reason or "is that of a built-in one"
            yield Problem("AZS233", f"the name {name!r} {why}", tree.locate(step(at, "name")))
        if name in seen:
            yield Problem("AZS233", f"{part} has {name!r} twice", tree.locate(step(at, "name")))
        seen.add(name)
    yield from check_settings(component, at, tree)
    if kind == "#Microsoft.Azure.Search.CustomAnalyzer":
        tokenizer = component.get("tokenizer")
        known = _BUILT_IN["tokenizers"] | own["tokenizers"] | _OLD_NAMES
        if isinstance(tokenizer, str) and tokenizer not in known:
            yield _missing("tokenizer", tokenizer, step(at, "tokenizer"), "tokenizers", own, tree)
    if kind != _NORMALIZER and kind != "#Microsoft.Azure.Search.CustomAnalyzer":
        return
    for chain in ("tokenFilters", "charFilters"):
        stated = component.get(chain)
        for place, used in enumerate(stated if isinstance(stated, list | tuple) else ()):
            pointer = step(step(at, chain), place)
            if isinstance(used, str) and used not in _BUILT_IN[chain] | own[chain] | _OLD_NAMES:
                yield _missing(chain, str(used), pointer, chain, own, tree)


def _check_normalizer(
    component: Mapping[str, Any], at: str, kinds: Mapping[str, Mapping[str, object]], tree: Tree
) -> Iterator[Problem]:
    """Filters that split or drop what a normalizer has to keep whole."""
    for chain, defined in kinds.items():
        stated = component.get(chain)
        for place, used in enumerate(stated if isinstance(stated, list | tuple) else ()):
            if not isinstance(used, str):
                continue
            if used in defined:
                fits = defined[used] in NORMALIZER_TYPES
            else:
                fits = used not in _BUILT_IN[chain] or used in analysis_names.NORMALIZER_TOKEN_FILTERS
            if not fits:
                where = tree.locate(step(step(at, chain), place))
                yield Problem("AZS235", f"a normalizer does not take the filter {used!r}", where)


def _missing(what: str, name: str, pointer: str, part: str, own: Mapping[str, set[str]], tree: Tree) -> Problem:
    hint = name_hint(name, own[part] | _BUILT_IN[part])
    return Problem("AZS231", f"{what}: there is no {name!r} among the {part}", tree.locate(pointer), hint=hint)


def _names(part: object) -> set[str]:
    return {str(item.get("name")) for item, _ in items(part, "")}
