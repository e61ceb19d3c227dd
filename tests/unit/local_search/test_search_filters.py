"""OData filters: the documented rules for null, NaN and types, lambdas, and agreement with plain Python."""

import math
import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from search_indexes import STABLE, engine, ids, text_field

from azsearch_ops.local.errors import ServiceFault
from azsearch_ops.local.search.odata.parser import parse_filter, parse_orderby
from azsearch_ops.local.search.odata.syntax import And, Comparison, Constant, Not, Or, Path

FIELDS = [
    text_field("s"),
    {"name": "i", "type": "Edm.Int32"},
    {"name": "l", "type": "Edm.Int64"},
    {"name": "d", "type": "Edm.Double"},
    {"name": "b", "type": "Edm.Boolean"},
    {"name": "t", "type": "Edm.DateTimeOffset"},
    {"name": "p", "type": "Edm.GeographyPoint"},
    {"name": "tags", "type": "Collection(Edm.String)"},
    {"name": "nums", "type": "Collection(Edm.Int32)"},
    {"name": "flags", "type": "Collection(Edm.Boolean)"},
    {"name": "hidden", "type": "Edm.String", "filterable": False, "sortable": False},
    {"name": "address", "type": "Edm.ComplexType", "fields": [text_field("city")]},
    {
        "name": "rooms",
        "type": "Collection(Edm.ComplexType)",
        "fields": [
            {"name": "rate", "type": "Edm.Double"},
            {"name": "kind", "type": "Edm.String"},
            {"name": "tags", "type": "Collection(Edm.String)"},
        ],
    },
]
ROME = {"type": "Point", "coordinates": [12.5, 41.9]}
DOCUMENTS = [
    {"id": "1", "s": "apple", "i": 1, "l": 10, "d": 1.5, "b": True, "t": "2020-01-01T00:00:00Z", "p": ROME,
     "tags": ["x", "y"], "nums": [1, 5], "flags": [True], "address": {"city": "Rome"},
     "rooms": [{"rate": 5.0, "kind": "a", "tags": ["tv"]}, {"rate": 9.0, "kind": "b", "tags": []}]},
    {"id": "2", "s": "Banana", "i": 2, "l": 2**40, "d": "NaN", "b": False, "t": "2020-06-01T12:30:00.5Z",
     "tags": ["y"], "nums": [7], "flags": [False, True], "rooms": [{"rate": 9.0, "kind": "a", "tags": ["tv", "bar"]}]},
    {"id": "3", "tags": [], "nums": [], "flags": [], "rooms": []},
    {"id": "4", "s": "it's, here", "i": -3, "l": 0, "d": "INF", "b": True, "t": "1999-12-31T23:59:59Z",
     "tags": ["z"], "rooms": [{"rate": None, "kind": None, "tags": None}]},
]  # fmt: skip
MADE = engine(FIELDS, DOCUMENTS)


def matching(text: str) -> str:
    return "".join(ids(MADE.search({"filter": text}, STABLE)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("s eq 'apple'", "1"),
        ("'apple' eq s", "1"),
        ("s ne 'apple'", "234"),
        ("s eq 'APPLE'", ""),
        ("s eq 'it''s, here'", "4"),
        ("s eq null", "3"),
        ("s ne null", "124"),
        ("s gt 'Banana'", "14"),
        ("s ge 'Banana' and s lt 'b'", "12"),
        ("'apple' lt s", "4"),
        ("id gt '2' and id le '9'", "34"),
        ("i gt 1", "2"),
        ("1 lt i", "2"),
        ("i le 1.5", "14"),
        ("i ne 1", "234"),
        ("i eq -3", "4"),
        ("l eq 1099511627776", "2"),
        ("d gt 1", "14"),
        ("d lt 1e3", "1"),
        ("d eq 1.5", "1"),
        ("d eq NaN", ""),
        ("d ne NaN", "1234"),
        ("d eq INF", "4"),
        ("d gt -INF", "14"),
        ("d ne 1.5", "234"),
        ("b", "14"),
        ("not b", "23"),
        ("b eq false", "2"),
        ("b ne true", "23"),
        ("b ne false", "134"),
        ("b eq null", "3"),
        ("true", "1234"),
        ("not true or i eq 1", "1"),
        ("t ge 2020-01-01T00:00:00Z", "12"),
        ("t eq 2020-06-01T14:30:00.500+02:00", "2"),
        ("t lt 2000-01-01T00:00Z", "4"),
        ("i eq 1 or i eq 2 and s eq 'apple'", "1"),
        ("(i eq 1 or i eq 2) and s ne 'apple'", "2"),
        ("not (i eq 1) and not (i eq 2)", "34"),
        ("not not b", "14"),
        ("search.in(s, 'apple,Banana')", "12"),
        ("search.in(s, 'apple|it''s, here', '|')", "14"),
        ("search.in(s, 'apple, x')", "1"),
        ("not search.in(s, 'apple')", "234"),
        ("search.in(s, 'apple') eq false", "234"),
        ("tags/any()", "124"),
        ("not tags/any()", "3"),
        ("tags/any(t: t eq 'y')", "12"),
        ("tags/any(t: t eq 'x' or t eq 'z')", "14"),
        ("tags/any(t: search.in(t, 'x,z'))", "14"),
        ("tags/all(t: t ne 'y')", "34"),
        ("tags/all(t: not (t eq 'y') and t ne 'z')", "3"),
        ("nums/any(n: n gt 4)", "12"),
        ("nums/any(n: n gt 4 and n lt 6)", "1"),
        ("nums/all(n: n gt 4)", "234"),
        ("flags/any(f: f)", "12"),
        ("flags/all(f: f)", "134"),
        ("flags/any(f: not f)", "2"),
        ("address/city eq 'Rome'", "1"),
        ("address/city eq null", "234"),
        ("rooms/any(r: r/rate gt 6)", "12"),
        ("rooms/any(r: r/rate gt 6 and r/kind eq 'a')", "2"),
        ("rooms/all(r: r/kind ne 'b')", "234"),
        ("rooms/any(r: r/tags/any(t: t eq 'bar'))", "2"),
        ("rooms/any(r: r/tags/any() and r/rate lt 6)", "1"),
        ("rooms/any(r: r/kind eq null)", "4"),
        ("geo.distance(p, geography'POINT(12.5 42.9)') lt 112", "1"),
        ("geo.distance(geography'POINT(12.5 42.9)', p) le 111", ""),
        ("geo.distance(p, geography'POINT(12.5 42.9)') gt 111", "1"),
    ],
)  # fmt: skip
def test_filters(text, expected):
    assert matching(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("This is not a valid filter.", r"Syntax error at position 7 in 'This is not a valid filter\.'"),
        ("i gt", "Syntax error at position 4"),
        ("i gt 1 and", "Syntax error at position 10"),
        ("(i gt 1", "Syntax error at position 7"),
        ("i gt 1)", "Syntax error at position 7"),
        ("i % 2", "Syntax error at position 3"),
        ("t gt 2020-01-01", "Syntax error at position 15"),
        ("i eq 'open", "unterminated string literal at position 10"),
        ("tags/all()", "Syntax error"),
        ("url eq 'x'", "Could not find a property named 'url' on type 'search.document'"),
        ("hidden eq 'x'", "'hidden' is not a filterable field"),
        ("not i gt 5", "Found operand type 'Edm.Int32' for operator kind 'Not'"),
        ("i eq '1'", "'Edm.Int32' and 'Edm.String' for operator kind 'Equal'"),
        ("s gt 1", "operator kind 'GreaterThan'"),
        ("s gt null", "incompatible types"),
        ("i eq NaN", "incompatible types"),
        ("b gt false", "incompatible types"),
        ("p eq geography'POINT(1 2)'", "incompatible types"),
        ("i", "must evaluate to a single boolean value"),
        ("i eq l", "Comparison is only supported between"),
        ("1 eq 1", "Comparison is only supported between"),
        ("rooms/kind eq 'a'", "The parent value for a property access of a property 'kind'"),
        ("tags eq 'x'", "incompatible types"),
        ("tags/any(t: s eq 'x')", "Only bound field references"),
        ("tags/any(t: t ne 'x')", "where the opposite was expected"),
        ("tags/any(t: t gt 'x')", "Only equality operators are allowed"),
        ("tags/any(t: t eq 'x' and t eq 'y')", "Complex Boolean expressions are not supported"),
        ("tags/all(t: t ne 'x' or t ne 'y')", "Complex Boolean expressions are not supported"),
        ("nums/any(n: (n gt 1 or n lt 0) and n lt 9)", "Disjunctive Normal Form"),
        ("nums/any(n: n ne 1 and n lt 9)", "'ne'"),
        ("flags/any(f: f and f)", "Complex Boolean"),
        ("s/any(x: x eq 'a')", "can only be applied to a collection"),
        ("geo.distance(p, geography'POINT(1 2)') eq 5", "geo.distance"),
        ("geo.distance(p, geography'POINT(1 95)') lt 5", "Syntax error"),
        ("search.in(i, '1,2')", "search.in"),
        ("search.ismatch('x')", "does not support the function 'search.ismatch'"),
        ("geo.intersects(p, geography'POLYGON((0 0, 1 0, 1 1, 0 0))')",
         "does not support the function 'geo.intersects'"),
        ("startswith(s, 'a')", "unknown function with name 'startswith'"),
        ("(" * 100 + "b" + ")" * 100, "Recursion depth"),
    ],
)  # fmt: skip
def test_refused_filters(text, message):
    with pytest.raises(ServiceFault, match=message) as caught:
        MADE.search({"filter": text}, STABLE)
    assert caught.value.status == 400
    assert caught.value.message.endswith("Parameter name: $filter")


def test_faults_do_not_depend_on_documents():
    with pytest.raises(ServiceFault):
        engine(FIELDS, []).search({"filter": "i eq 'x'"}, STABLE)
    assert engine(FIELDS, []).search({"filter": "s gt 'a' and rooms/any(r: r/rate gt 1)"}, STABLE)["value"] == []


OPERATORS = {"eq": operator.eq, "ne": operator.ne, "gt": operator.gt, "lt": operator.lt, "ge": operator.ge,
             "le": operator.le}  # fmt: skip


def comparisons():
    number = st.integers(-4, 4).map(lambda value: Constant("Edm.Int32", value, str(value)))
    word = st.sampled_from(["", "a", "b'c", "Z"]).map(
        lambda v: Constant("Edm.String", v, "'" + v.replace("'", "''") + "'")
    )
    names = st.sampled_from(sorted(OPERATORS))
    return st.one_of(
        st.builds(Comparison, names, st.just(Path(("i",))), number),
        st.builds(Comparison, names, st.just(Path(("s",))), word),
        st.just(Path(("b",))),
    )


TREES = st.recursive(
    comparisons(),
    lambda inner: st.one_of(
        st.builds(Not, inner),
        st.builds(lambda a, b: And((a, b)), inner, inner),
        st.builds(lambda a, b: Or((a, b)), inner, inner),
    ),
    max_leaves=8,
)


def written(node) -> str:
    if isinstance(node, Comparison):
        return f"{node.left.names[0]} {node.operator} {node.right.text}"
    if isinstance(node, Path):
        return node.names[0]
    if isinstance(node, Not):
        return f"not ({written(node.operand)})"
    joint = " and " if isinstance(node, And) else " or "
    return joint.join(f"({written(operand)})" for operand in node.operands)


def truth(node, document) -> bool:
    if isinstance(node, Comparison):
        value = document.get(node.left.names[0])
        if value is None:
            return node.operator == "ne"
        return bool(OPERATORS[node.operator](value, node.right.value))
    if isinstance(node, Path):
        return document.get(node.names[0]) is True
    if isinstance(node, Not):
        return not truth(node.operand, document)
    return (all if isinstance(node, And) else any)(truth(operand, document) for operand in node.operands)


ROWS = st.lists(
    st.fixed_dictionaries(
        {},
        optional={"i": st.integers(-4, 4), "s": st.sampled_from(["", "a", "b'c", "Z", "zz"]), "b": st.booleans()},
    ),
    max_size=8,
)


@given(TREES, ROWS)
def test_agrees_with_python_on_any_filter(tree, rows):
    documents = [{"id": str(number), **row} for number, row in enumerate(rows)]
    found = ids(engine(FIELDS, documents).search({"filter": written(tree)}, STABLE))
    assert found == [document["id"] for document in documents if truth(tree, document)]


@given(TREES)
def test_parsing_what_was_written_gives_the_same_text_again(tree):
    text = written(tree)
    assert written(parse_filter(text)) == text


@given(st.text(alphabet=st.sampled_from("ab1'(),/: .-eqnorTZ"), max_size=30))
def test_any_text_is_a_filter_or_a_fault(text):
    try:
        MADE.search({"filter": text, "orderby": text}, STABLE)
    except ServiceFault as fault:
        assert fault.status == 400


def test_constants():
    assert parse_filter("d eq 2147483648") == Comparison("eq", Path(("d",)), Constant("Edm.Int64", 2**31, "2147483648"))
    assert isinstance(parse_filter("d eq 1e2").right, Constant)
    assert math.isinf(parse_filter("d eq -INF").right.value)
    assert len(parse_orderby("a, b desc,search.score() asc")) == 3
