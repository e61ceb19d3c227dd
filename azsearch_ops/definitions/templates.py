"""Jinja2 in string values: a small, sandboxed expression language without I/O.

Names, attributes, literals, operators, comparisons, `if`, a few filters and `secret('NAME')`. Loops, calls, imports
and whatever could run long or read files are refused, so that any file can be validated safely.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from jinja2 import StrictUndefined, TemplateError, TemplateSyntaxError, Undefined, UndefinedError, nodes
from jinja2.filters import FILTERS as DEFAULT_FILTERS
from jinja2.sandbox import ImmutableSandboxedEnvironment

from azsearch_ops.definitions.near import name_hint
from azsearch_ops.definitions.secrets import is_reserved, is_secret_name, secret_reference
from azsearch_ops.definitions.tree import Tree, step
from azsearch_ops.errors import Location, Problem

FILTERS: Final = (
    "abs",
    "capitalize",
    "d",
    "default",
    "first",
    "float",
    "int",
    "join",
    "last",
    "length",
    "lower",
    "replace",
    "round",
    "string",
    "title",
    "trim",
    "upper",
)

LONGEST: Final = 1_000_000
"""Characters that a filter may make of a text: a few replacements in a row would fill any memory."""
MOST_PLACES: Final = 20
_ROUND: Final = DEFAULT_FILTERS["round"]

SECRET_KEYS: Final = ("apiKey", "key", "connectionString", "accountKey", "password")
"""Keys under which `{{ env.NAME }}` becomes a reference to the secret NAME: its value must not reach a body."""

_STATEMENTS: Final = (nodes.Template, nodes.Output, nodes.TemplateData, nodes.If)
_REFUSED_EXPRESSIONS: Final = (nodes.Pow, nodes.Mul, nodes.Mod)
_ENV_VALUE = re.compile(r"\{\{\s*env\.([A-Za-z_][A-Za-z0-9_]*)\s*\}\}")


class _RefusedError(Exception):
    """The template does what templates may not do here."""


def _secret(name: object) -> str:
    if not isinstance(name, str) or not is_secret_name(name):
        raise _RefusedError("secret() takes the name of an environment variable")
    if is_reserved(name):
        raise _RefusedError(f"{name} is what the pipeline itself logs in with: no definition may send it anywhere")
    return secret_reference(name)


def _bounded_replace(value: object, old: object, new: object, count: object = None) -> str:
    """The filter `replace`, for texts that do not grow without bound."""
    text, was, becomes = str(value), str(old), str(new)
    times = text.count(was) if not isinstance(count, int) else min(count, text.count(was))
    _bound(len(text) + times * (len(becomes) - len(was)))
    return text.replace(was, becomes, -1 if not isinstance(count, int) else count)


def _bounded_join(value: object, separator: object = "", attribute: object = None) -> str:
    """The filter `join`, for texts that do not grow without bound."""
    if attribute is not None or not isinstance(value, str | list | tuple):
        raise _RefusedError("join takes a list and a separator here")
    parts = [str(part) for part in value]
    _bound(sum(map(len, parts)) + len(parts) * len(str(separator)))
    return str(separator).join(parts)


def _bounded_round(value: object, precision: object = 0, method: object = "common") -> object:
    """The filter `round`, for as many places as a number has."""
    if not isinstance(precision, int) or abs(precision) > MOST_PLACES:
        raise _RefusedError(f"round takes up to {MOST_PLACES} places here")
    return _ROUND(value, precision, method)


def _bound(length: int) -> None:
    if length > LONGEST:
        raise _RefusedError(f"a template may not make a text of more than {LONGEST:,} characters")


def _environment() -> ImmutableSandboxedEnvironment:
    environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined, keep_trailing_newline=True)
    environment.globals.clear()
    environment.filters = {name: environment.filters[name] for name in FILTERS}
    environment.filters |= {"replace": _bounded_replace, "join": _bounded_join, "round": _bounded_round}
    return environment


_JINJA: Final = _environment()


def render_tree(tree: Tree, variables: Mapping[str, object], problems: list[Problem]) -> Tree:
    """The tree with every string value rendered; what cannot be rendered is a problem at its place.

    A value that is exactly one expression takes the expression's type; any other mix is a string. Keys stay as
    they are, and what a template produced is not rendered again.
    """
    names = {**variables, "secret": _secret}

    def render(value: object, pointer: str) -> object:
        if isinstance(value, str):
            if "{{" not in value and "{%" not in value and "{#" not in value:
                return value
            return _render_value(value, pointer, names, tree, problems)
        if isinstance(value, dict):
            return {key: render(item, step(pointer, key)) for key, item in value.items()}
        if isinstance(value, list):
            return [render(item, step(pointer, i)) for i, item in enumerate(value)]
        return value

    return Tree(tree.path, render(tree.value, ""), tree.values, tree.keys)


def _render_value(text: str, pointer: str, names: Mapping[str, object], tree: Tree, problems: list[Problem]) -> object:
    place = tree.locate(pointer)
    from_environment = _ENV_VALUE.fullmatch(text)
    if from_environment and pointer.rpartition("/")[2] in SECRET_KEYS:
        return secret_reference(from_environment[1])
    try:
        parsed = _JINJA.parse(text)
        _check(parsed)
        if (inner := _only_expression(text, parsed)) is not None:
            value = _JINJA.compile_expression(inner, undefined_to_none=False)(**names)
            if isinstance(value, Undefined):
                raise UndefinedError(value._undefined_message)
            return _plain(value)
        return _JINJA.from_string(text).render(**names)
    except UndefinedError as error:
        problems.append(_undefined(_JINJA.parse(text), names, place, error))
    except TemplateSyntaxError as error:
        problems.append(Problem("AZS007", f"the template cannot be read: {error.message}", place))
    except _RefusedError as error:
        problems.append(Problem("AZS007", str(error), place))
    except (TemplateError, TypeError, ValueError, ArithmeticError, LookupError, AttributeError) as error:
        problems.append(Problem("AZS007", f"the template fails: {error}", place))
    except RecursionError:
        problems.append(Problem("AZS007", "the template is nested too deeply", place))
    return text


def _check(parsed: nodes.Template) -> None:
    """Refuses every node that is not part of the small language."""
    for node in _walk(parsed):
        if isinstance(node, nodes.Stmt) and not isinstance(node, _STATEMENTS):
            raise _RefusedError(f"a template may not use {type(node).__name__.lower()} here")
        if isinstance(node, _REFUSED_EXPRESSIONS):
            raise _RefusedError(f"a template may not use the operator {node.operator} here")
        if isinstance(node, nodes.Filter) and node.name not in FILTERS:
            raise _RefusedError(f"a template has no filter {node.name!r} here; it has {', '.join(FILTERS)}")
        if isinstance(node, nodes.Call) and not (isinstance(node.node, nodes.Name) and node.node.name == "secret"):
            raise _RefusedError("a template may only call secret('NAME')")


def _walk(node: nodes.Node) -> Iterator[nodes.Node]:
    yield node
    for child in node.iter_child_nodes():
        yield from _walk(child)


def _only_expression(text: str, parsed: nodes.Template) -> str | None:
    """The text of the expression when the whole value is one, else None."""
    body = parsed.body
    if len(body) != 1 or not isinstance(body[0], nodes.Output) or len(body[0].nodes) != 1:
        return None
    if isinstance(body[0].nodes[0], nodes.TemplateData):
        return None
    tokens = list(_JINJA.lex(text))
    if tokens[0][1] != "variable_begin" or tokens[-1][1] != "variable_end":
        return None
    return "".join(value for _, _, value in tokens[1:-1])


def _plain(value: object) -> object:
    """The value as JSON knows it."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    raise _RefusedError(f"an expression here cannot give a {type(value).__name__}")


def _undefined(parsed: nodes.Template, names: Mapping[str, object], where: Location, error: UndefinedError) -> Problem:
    """The problem that names the first part of a chain that is not there, and what is there instead."""
    for node in _walk(parsed):
        chain = _chain(node)
        if not chain:
            continue
        here: object = names
        for depth, part in enumerate(chain):
            if not isinstance(here, Mapping):
                break
            if part not in here:
                missing = ".".join(chain[: depth + 1])
                known = [str(name) for name in here if depth or name not in ("env", "secret")]
                hint = "" if chain[0] == "env" else _whole(name_hint(part, known), chain[:depth])
                return Problem("AZS006", f"the variable {missing!r} is not defined", where, hint=hint)
            here = here[part]
    return Problem("AZS006", f"a variable is not defined: {error.message}", where)


def _whole(hint: str, parents: tuple[str, ...]) -> str:
    """A hint that names variables from the first part on, as they are written."""
    return re.sub(r"'([^']+)'", lambda found: f"'{'.'.join((*parents, found[1]))}'", hint) if parents else hint


def _chain(node: nodes.Node) -> tuple[str, ...]:
    """`a.b['c']` as ("a", "b", "c"); empty for anything else."""
    if isinstance(node, nodes.Name):
        return (node.name,)
    if isinstance(node, nodes.Getattr):
        inner = _chain(node.node)
        return (*inner, node.attr) if inner else ()
    if isinstance(node, nodes.Getitem) and isinstance(node.arg, nodes.Const):
        inner = _chain(node.node)
        return (*inner, str(node.arg.value)) if inner else ()
    return ()
