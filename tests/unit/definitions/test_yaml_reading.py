"""YAML is read by the core schema of 1.2, with the place of everything, and never ends in a traceback."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from azsearch_ops.definitions.yaml_reader import DEEPEST, parse_yaml


def read(text):
    problems = []
    tree = parse_yaml(text, "f.yaml", problems)
    return tree, problems


def value(text):
    tree, problems = read(text)
    assert not problems
    return tree.value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no", "no"),
        ("yes", "yes"),
        ("on", "on"),
        ("2026-04-01", "2026-04-01"),
        ("12:30:45", "12:30:45"),
        ("0o17", 15),
        ("017", 17),
        ("0x1F", 31),
        ("1_000", "1_000"),
        ("-3", -3),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("1.", 1.0),
        (".", "."),
        ("-", [None]),
        ("True", True),
        ("tRue", "tRue"),
        ("~", None),
        ("null", None),
        ("'5'", "5"),
        ('"true"', "true"),
        ("!!str 5", "5"),
        ("!!int 5", 5),
        ("!!float 5", 5.0),
        ("! 5", "5"),
        ("=", "="),
    ],
)
def test_scalars_follow_the_core_schema(text, expected):
    assert value(text) == expected
    assert type(value(text)) is type(expected)


def test_keys_are_texts_whatever_they_look_like():
    assert value("1: a\nno: b\nnull: c\n2026-04-01: d") == {"1": "a", "no": "b", "null": "c", "2026-04-01": "d"}


def test_each_key_and_value_has_its_place():
    tree, _ = read("a:\n  - x\n  - {b/c: 1}\nd: |\n  text\n")
    assert str(tree.locate("/a/1/b~1c")) == "f.yaml:3:11"
    assert str(tree.locate_key("/a/1/b~1c")) == "f.yaml:3:6"
    assert str(tree.locate_key("/d")) == "f.yaml:4:1"
    assert str(tree.locate("/a/1/nothing/here")) == "f.yaml:3:5"
    assert tree.locate("/a/1/nothing").pointer == "/a/1/nothing"
    assert tree.at("/a/1/b~1c") == 1 and tree.at("/a/7") is None


def test_columns_count_characters():
    tree, _ = read("{ä€😀: 1, b: 2}")
    assert tree.locate("/b").column == 13


def test_anchors_aliases_and_merge():
    text = "base: &b {x: 1, y: 2}\nuse: {<<: *b, y: 3}\nmany: {<<: [{z: 1}, *b], w: 0}\nagain: *b\n"
    tree, problems = read(text)
    assert not problems
    assert tree.value["use"] == {"y": 3, "x": 1}
    assert tree.value["many"] == {"w": 0, "z": 1, "x": 1, "y": 2}
    assert tree.value["again"] == {"x": 1, "y": 2}
    assert tree.locate("/use/x").line == 1 and tree.locate("/use/y").line == 2


def test_a_duplicate_key_is_a_problem_and_the_first_stays():
    tree, problems = read("a: 1\nb:\n  c: 1\n  c: 2\na: 3\n")
    assert tree.value == {"a": 1, "b": {"c": 1}}
    assert [(p.code, p.location.line, p.location.column) for p in problems] == [("AZS003", 4, 3), ("AZS003", 5, 1)]


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("a: [1, 2\nb: 3\n", "AZS002", 2),
        ("a:\n\tb: 1\n", "AZS002", 2),
        ("a: 'x\n", "AZS002", 2),
        ("a: *nothing\n", "AZS002", 1),
        ("a: 1\n--- \nb: 2\n", "AZS004", 2),
        ("a: &x [*x]\n", "AZS004", 1),
        ("? [1]\n: 2\n", "AZS004", 1),
        ("a: {{ b }}\n", "AZS004", 1),
        ("a: .inf\n", "AZS004", 1),
        ("a: 1e999\n", "AZS004", 1),
        ("a: !!binary aGk=\n", "AZS004", 1),
        ("a: !mine 1\n", "AZS004", 1),
        ("a: !!int x\n", "AZS004", 1),
        ("<<: 1\n", "AZS004", 1),
        ("a: 1\nb: \x07\n", "AZS002", 2),
        ("a: " + "9" * 5000, "AZS004", 1),
        ("[" * (DEEPEST + 2), "AZS004", 1),
    ],
)
def test_what_cannot_be_read_is_one_problem_at_its_place(text, code, line):
    tree, problems = read(text)
    assert tree is None
    assert [(p.code, p.location.line) for p in problems] == [(code, line)]


def test_brackets_without_end_are_refused_before_they_overflow():
    tree, problems = read("[" * 50_000)
    # Which limit is met first, ours or the parser's, depends on its version
    assert tree is None and [p.code for p in problems] in (["AZS002"], ["AZS004"])


def test_a_tab_is_named():
    _, problems = read("a:\n\tb: 1\n")
    assert "tab" in problems[0].message and problems[0].location.column == 1


def test_an_expression_without_quotes_gets_a_hint():
    _, problems = read("a: {{ b }}\n")
    assert "quoted" in problems[0].hint


def test_aliases_of_aliases_do_not_grow_without_bound():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    tree, problems = read("\n".join(lines))
    assert tree is None and [p.code for p in problems] == ["AZS004"]
    merges = ["m0: &m0 {x: 1}", *(f"m{n}: &m{n} {{<<: [*m{n - 1}, *m{n - 1}]}}" for n in range(1, 40))]
    tree, problems = read("\n".join(merges))
    assert tree is None and [p.code for p in problems] == ["AZS004"]


def test_json_from_the_portal_loads_as_it_is():
    body = {
        "@odata.context": "https://s.search.windows.net/$metadata#indexes/$entity",
        "name": "x",
        "description": None,
        "text": 'tab\tquote" slash/ smile \U0001f600 é',
        "list": [],
        "n": -1.5e3,
    }
    assert value(json.dumps(body, indent="\t")) == body
    assert value(json.dumps(body, ensure_ascii=False)) == body
    assert value(json.dumps(body).replace("/", "\\/")) == body


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff\u2028\u2029\ufeff\x85")),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text("abcdefgh/~ _", min_size=1, max_size=8), inner, max_size=4)
    ),
    max_leaves=15,
)


@given(json_values)
def test_every_json_value_reads_as_json_does(original):
    text = json.dumps({"v": original})
    assert value(text) == json.loads(text)


@given(st.text() | st.text("abc:-[]{}&*!|>'\"%#@,?\n\t <=1."))
@example("%YAML 9.9\n---\na: b")
@example("a: &\n")
def test_any_text_gives_a_tree_or_located_problems(text):
    tree, problems = read(text)
    assert tree is not None or problems
    assert all(p.location is not None and p.location.line >= 1 and p.location.column >= 1 for p in problems)
