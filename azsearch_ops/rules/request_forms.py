"""AZS413, AZS415, AZS416: the form of single settings of a search request, and requests that ask something else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from azsearch_ops.contract import sources
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.near import name_hint
from azsearch_ops.definitions.tree import step
from azsearch_ops.errors import Problem
from azsearch_ops.rules.explanation import Explanation
from azsearch_ops.rules.finding import fields_by_path, flag, items, member, quoted

EXPLANATIONS: Final = (
    Explanation(
        "AZS413",
        "A setting of the request in a form that Azure refuses",
        "Some settings have a grammar of their own, need each other, or need what a scoring profile asks for.",
        "Write it as the message shows.",
        sources.SEARCH,
    ),
    Explanation(
        "AZS415",
        "A request that asks the same whatever the question",
        "`search` (or a vector query's text) in the request stands in the place of the question, so every query of the "
        "set and of users would get the same answer.",
        'Leave it out, or let it hold the question: "{% raw %}{{query}}{% endraw %}".',
        sources.SEARCH,
    ),
    Explanation(
        "AZS416",
        "A vector query that escapes the request's filter",
        "filterOverride stands in the place of the filter for that vector query, not beside it. Where the filter keeps "
        "users from what they may not see, the vector query shows it.",
        "Repeat the filter's conditions in filterOverride, or leave it out.",
        sources.HYBRID,
    ),
)

QUERY: Final = "{{query}}"
_ANSWERS = re.compile(
    r"none|extractive(\|(count-(10|[1-9])|threshold-(0(\.\d+)?|1(\.0+)?))(,(count-(10|[1-9])|threshold-(0(\.\d+)?|1(\.0+)?)))?)?"
)
_CAPTIONS = re.compile(r"none|extractive(\|highlight-(true|false))?")
_PARAMETER = re.compile(r"[^-]+-.+", re.DOTALL)
_COLON: Final = re.compile(r"\w+:[^-].*")
_NEEDS: Final = {"vector": "vector", "text": "text", "imageUrl": "url", "imageBinary": "base64Image"}


def check_request_forms(index: IndexDefinition) -> Iterator[Problem]:
    """The problems of single settings of the request."""
    tree, request = index.tree, index.retrieval.request

    def refused(name: str, message: str, hint: str = "") -> Problem:
        return Problem("AZS413", message, tree.locate(f"/retrieval/request/{name}"), hint=hint)

    tags = [name for name in ("highlightPreTag", "highlightPostTag") if request.get(name) is not None]
    if len(tags) == 1:
        yield refused(tags[0], "highlightPreTag and highlightPostTag come together")
    session = request.get("sessionId")
    if isinstance(session, str) and session.startswith("_"):
        yield refused("sessionId", "sessionId must not start with an underscore")
    for name, form, hint in (
        ("answers", _ANSWERS, "extractive|count-3,threshold-0.7, with a count of 10 at most"),
        ("captions", _CAPTIONS, "extractive|highlight-true"),
    ):
        value = request.get(name)
        if isinstance(value, str) and not form.fullmatch(value):
            yield refused(name, f"{name} does not take {quoted(value)}", hint)
    yield from _check_parameters(index)
    yield from _check_order(index)
    yield from _check_facets(index)
    yield from _check_vector_queries(index)
    yield from _check_question(index)


def _check_parameters(index: IndexDefinition) -> Iterator[Problem]:
    tree, request = index.tree, index.retrieval.request
    stated = request.get("scoringParameters")
    given: set[str] = set()
    for number, parameter in enumerate(stated if isinstance(stated, list | tuple) else ()):
        if isinstance(parameter, str) and not _PARAMETER.fullmatch(parameter):
            where = tree.locate(f"/retrieval/request/scoringParameters/{number}")
            message = f"a scoring parameter is NAME-VALUES, not {quoted(parameter)}"
            if _COLON.fullmatch(parameter):
                # An example of the specification has it like that, and the reference does not
                yield Problem("AZS413", message, where, severity="warning", hint=parameter.replace(":", "-", 1))
                given.add(parameter.partition(":")[0])
            else:
                yield Problem("AZS413", message, where)
        given.add(str(parameter).partition("-")[0])
    name = request.get("scoringProfile") or index.index.get("defaultScoringProfile")
    if index.retrieval.mode == "vector":
        return
    for profile, _ in items(index.index.get("scoringProfiles"), ""):
        if profile.get("name") != name:
            continue
        for function, _ in items(profile.get("functions"), ""):
            kind = function.get("type")
            setting = {"tag": "tagsParameter", "distance": "referencePointParameter"}.get(str(kind), "")
            wanted = member(function.get(str(kind)), setting)
            if isinstance(wanted, str) and wanted not in given:
                at = "scoringParameters" if stated else "scoringProfile" if request.get("scoringProfile") else ""
                place = f"/retrieval/request/{at}" if at else "/index/defaultScoringProfile"
                message = f"the scoring profile {name} needs the scoring parameter {wanted!r}"
                hint = f"scoringParameters: ['{wanted}-…']"
                # Applications may always name another profile than the default one
                severity: Any = "error" if at else "warning"
                yield Problem("AZS413", message, tree.locate(place), severity=severity, hint=hint)


def _check_order(index: IndexDefinition) -> Iterator[Problem]:
    stated, fields = index.retrieval.request.get("orderby"), fields_by_path(index.index)
    place = index.tree.locate("/retrieval/request/orderby")
    for clause in re.split(r",(?![^(]*\))", stated) if isinstance(stated, str) and stated.strip() else ():
        words = clause.split()
        call = "(" in clause
        direction = clause.rpartition(")")[2].split() if call else words[1:]
        if not words or len(direction) > 1 or (direction and direction[0] not in ("asc", "desc")):
            yield Problem("AZS413", f"orderby takes FIELD asc or FIELD desc, not {quoted(clause.strip())}", place)
            continue
        field = None if call else fields.get(words[0])
        if field is not None and not flag(field.body, "sortable"):
            yield Problem("AZS402", f"orderby: {words[0]} is not sortable", place)


def _check_facets(index: IndexDefinition) -> Iterator[Problem]:
    stated, fields = index.retrieval.request.get("facets"), fields_by_path(index.index)
    for number, facet in enumerate(stated if isinstance(stated, list | tuple) else ()):
        path = str(facet).partition(",")[0].strip()
        place = index.tree.locate(f"/retrieval/request/facets/{number}")
        if ">" in path or ";" in path or "(" in path:
            continue  # Hierarchies are a preview with a grammar of their own
        if path not in fields:
            message = f"facets: the index has no field {path!r}"
            yield Problem("AZS401", message, place, hint=name_hint(path, fields))
        elif not flag(fields[path].body, "facetable") or fields[path].body.get("fields"):
            yield Problem("AZS402", f"facets: {path} is not facetable", place)


def _check_vector_queries(index: IndexDefinition) -> Iterator[Problem]:
    tree, request = index.tree, index.retrieval.request
    for query, at in items(request.get("vectorQueries"), "/retrieval/request/vectorQueries"):
        needed = _NEEDS.get(str(query.get("kind")))
        if needed is not None and query.get(needed) is None:
            message = f"a vector query of kind {query.get('kind')} needs {needed}"
            yield Problem("AZS413", message, tree.locate(at))
        if query.get("filterOverride") and request.get("filter"):
            message = "filterOverride stands in the place of the filter, not beside it"
            place = tree.locate_key(step(at, "filterOverride"))
            yield Problem("AZS416", message, place, severity="warning")


def _check_question(index: IndexDefinition) -> Iterator[Problem]:
    tree, request = index.tree, index.retrieval.request
    search = request.get("search")
    if isinstance(search, str) and QUERY not in search and not _asks(request):
        message = f"every question would be answered for {quoted(search)}"
        yield Problem("AZS415", message, tree.locate_key("/retrieval/request/search"), hint="leave `search` out")
    for query, at in items(request.get("vectorQueries"), "/retrieval/request/vectorQueries"):
        text = query.get("text")
        if query.get("kind") == "text" and isinstance(text, str) and QUERY not in text:
            message = f"the vector query asks for {quoted(text)} whatever the question"
            hint = '"{% raw %}{{query}}{% endraw %}" holds the question'
            yield Problem("AZS415", message, tree.locate_key(step(at, "text")), severity="warning", hint=hint)


def _asks(request: Mapping[str, Any]) -> bool:
    """Whether the question reaches the service in another way, as it does beside `search: "*"`."""
    semantic = request.get("semanticQuery")
    vectors = [query.get("text") for query, _ in items(request.get("vectorQueries"), "")]
    return any(isinstance(text, str) and QUERY in text for text in (semantic, *vectors))
