"""Azure's two spellings of addresses."""

import pytest

from azsearch_ops.local.errors import ServiceFault
from azsearch_ops.local.paths import match, segments
from azsearch_ops.local.routes import find


def spelled(raw: str) -> list[str]:
    return [segment.name for segment in segments(raw.encode("latin-1"))]


def test_both_spellings_have_the_same_parts():
    assert spelled("/indexes('a')/docs('k%3D')") == spelled("/indexes/a/docs/k=") == ["indexes", "a", "docs", "k="]
    assert spelled("/indexes('it''s')") == ["indexes", "it's"]
    assert spelled("/indexes/a%2Fb/docs") == ["indexes", "a/b", "docs"]
    assert spelled("/indexes('%C3%A9')") == ["indexes", "é"]


def test_a_name_ends_at_the_first_single_apostrophe():
    recorded = "/aliases('%7B'name':%20'motel',%20'indexes':%20%5B'hotel'%5D%7D')"
    assert spelled(recorded) == ["aliases", "{"]


def test_a_quoted_name_is_never_an_operation():
    assert match("indexes/{name}/docs/search", segments(b"/indexes/a/docs('search')")) is None
    found = find("GET", segments(b"/indexes('docs')/docs('$count')"))
    assert found.route.pattern == "indexes/{name}/docs/{key}"
    assert found.parts["key"] == "$count"


@pytest.mark.parametrize(
    ("method", "path", "pattern"),
    [
        ("GET", "/indexes/i/docs/$count", "indexes/{name}/docs/$count"),
        ("POST", "/indexes('i')/docs/search.post.search", "indexes/{name}/docs/search.post.search"),
        ("GET", "/INDEXES", "indexes"),
        ("POST", "/indexers('x')/search.run", "indexers/{name}/search.run"),
        ("POST", "/openai/deployments/d/embeddings", "openai/deployments/{deployment}/embeddings"),
    ],
)
def test_routes_are_found(method: str, path: str, pattern: str):
    assert find(method, segments(path.encode())).route.pattern == pattern


@pytest.mark.parametrize(("method", "path", "status"), [("GET", "/nothing", 404), ("PATCH", "/indexes/i", 405)])
def test_what_is_not_there_is_named(method: str, path: str, status: int):
    with pytest.raises(ServiceFault) as fault:
        find(method, segments(path.encode()))
    assert fault.value.status == status
    assert path[1:] in fault.value.message
