"""Templates: values only, types kept, a small safe language, undefined names found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from azsearch_ops.definitions.secrets import resolve_secrets, secret_names, secret_reference
from azsearch_ops.definitions.templates import render_tree
from azsearch_ops.definitions.yaml_reader import parse_yaml

VARIABLES = {
    "docs": {"container": "handbook", "tags": ["a", "b"]},
    "embedding": {"dimensions": 256, "on": True, "nothing": None},
    "env": {"STAGE": "test", "KEY": "s3cret"},
}


def render(text):
    problems = []
    tree = parse_yaml(text, "f.yaml", problems)
    return render_tree(tree, VARIABLES, problems).value, problems


def rendered(template):
    value, problems = render(f"v: '{template}'")
    assert not problems, problems
    return value["v"]


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{ embedding.dimensions }}", 256),
        ("{{embedding.dimensions}}", 256),
        ("{{- embedding.dimensions -}}", 256),
        ("{{ embedding.dimensions }} ", "256 "),
        ("x{{ embedding.dimensions }}", "x256"),
        ("{{ embedding.dimensions }}{{ embedding.dimensions }}", "256256"),
        ("{{ embedding.on }}", True),
        ("{{ embedding.nothing }}", None),
        ("{{ docs.tags }}", ["a", "b"]),
        ("{{ docs }}", {"container": "handbook", "tags": ["a", "b"]}),
        ('{{ docs["container"] }}', "handbook"),
        ("{{ docs.container | upper }}", "HANDBOOK"),
        ("{{ missing | default(7) }}", 7),
        ("{{ embedding.dimensions + 1 }}", 257),
        ("{{ 1 if embedding.on else 2 }}", 1),
        ("{% if embedding.on %}a{% else %}b{% endif %}", "a"),
        ("{{ env.STAGE }}", "test"),
        ("{# a comment #}x", "x"),
        ("plain", "plain"),
        ('{{ "{{query}}" }}', "{{query}}"),
    ],
)
def test_values_and_their_types(template, expected):
    assert rendered(template) == expected
    assert type(rendered(template)) is type(expected)


def test_keys_and_results_are_not_rendered():
    value, problems = render("'{{ a }}': 1\nb: [\"{{ '{{ c }}' }}\"]")
    assert value == {"{{ a }}": 1, "b": ["{{ c }}"]} and not problems


@pytest.mark.parametrize(
    ("template", "named", "hint"),
    [
        ("{{ embeding.dimensions }}", "'embeding'", "'embedding'"),
        ("{{ embedding.dimension }}", "'embedding.dimension'", "'embedding.dimensions'"),
        ("a-{{ docs.contaner }}", "'docs.contaner'", "'docs.container'"),
        ("{{ docs.nothing.deeper }}", "'docs.nothing'", "there are: container, tags"),
        ("{{ env.NOT_SET }}", "'env.NOT_SET'", ""),
        ("{% if nope %}x{% endif %}", "'nope'", "there are: docs, embedding"),
    ],
)
def test_an_undefined_variable_is_named_at_its_place(template, named, hint):
    _, problems = render(f"a: 1\nb:\n  c: '{template}'\n")
    assert [(p.code, p.location.line, p.location.column) for p in problems] == [("AZS006", 3, 6)]
    assert named in problems[0].message and hint in problems[0].hint


def test_the_environment_is_not_listed_in_a_hint():
    _, problems = render("a: '{{ env.STAG }}'")
    assert "KEY" not in problems[0].hint and "s3cret" not in str(problems)


@pytest.mark.parametrize(
    "template",
    [
        "{% for i in docs.tags %}{{ i }}{% endfor %}",
        '{% include "/etc/passwd" %}',
        '{% import "x" as y %}',
        '{% extends "x" %}',
        "{% set x = 1 %}{{ x }}",
        "{% macro m() %}{% endmacro %}",
        "{{ range(10) }}",
        "{{ docs.items() }}",
        "{{ docs.__class__.__mro__ }}",
        "{{ 9 ** 9 ** 9 }}",
        '{{ "a" * 1000000000 }}',
        '{{ "%1000000000d" % 1 }}',
        "{{ docs | pprint }}",
        "{{ docs.container | center(100000000) }}",
        "{{ docs.",
        "{{ 1 / 0 }}",
        "{{ docs.tags + 1 }}",
        '{{ secret("a b") }}',
        "{{ secret(1) }}",
        "{{ secret() }}",
        "{{ secret }}",
        "{{ " + "(" * 3000 + "1" + ")" * 3000 + " }}",
    ],
)
def test_what_templates_may_not_do_is_refused(template):
    value, problems = render(f"a: '{template}'")
    assert [p.code for p in problems] in (["AZS007"], ["AZS006"]) and problems[0].location.line == 1
    assert value == {"a": template}


def test_a_secret_is_a_reference():
    reference = rendered('{{ secret("AZSEARCH_KEY") }}')
    assert reference == secret_reference("AZSEARCH_KEY") and secret_names(reference) == ("AZSEARCH_KEY",)
    inside = rendered('AccountKey={{ secret("A") }};X={{ secret("B") }}')
    assert secret_names(inside) == ("A", "B")
    assert resolve_secrets({"x": [inside, 1]}, {"A": "1", "B": "2"}.__getitem__) == {"x": ["AccountKey=1;X=2", 1]}
    assert secret_names("AZSEARCH_KEY") == secret_names(5) == ()


def test_a_key_from_the_environment_becomes_a_reference():
    value, problems = render("apiKey: '{{ env.KEY }}'\nother: '{{ env.KEY }}'")
    assert not problems
    assert value == {"apiKey": secret_reference("KEY"), "other": "s3cret"}


@given(st.text("{}%#|.()'\"[] abdocsenvtr-+~=0123456789", max_size=40))
def test_any_template_gives_a_value_or_one_problem(template):
    problems = []
    tree = parse_yaml("a: x", "f.yaml", problems)
    tree.value["a"] = "{{" + template
    render_tree(tree, VARIABLES, problems)
    assert len(problems) <= 1
    assert all(p.location is not None for p in problems)
