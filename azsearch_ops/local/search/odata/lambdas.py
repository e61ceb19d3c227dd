"""What the service allows inside any and all over a collection of simple values.

https://learn.microsoft.com/azure/search/search-query-troubleshoot-collection-filters: strings only by equality, joined
by or (any) or and (all); booleans one test; points one direction of distance; numbers and dates in normal form.
Complex collections have no such limits.
"""

from __future__ import annotations

from azsearch_ops.local.search.odata.syntax import And, Call, Comparison, Expression, Lambda, Not, Or
from azsearch_ops.local.search.odata.tokens import expression_fault

_ANY_OR_ALL = (
    "For 'any', join subexpressions with 'or'; 'and' is not supported. For 'all', join subexpressions with 'and'; "
    "'or' is not supported."
)


def check_lambda(node: Lambda, element: str, parameter: str) -> None:
    """ServiceFault when the body may not be used over a collection of that element type."""
    body = node.body
    if body is None:
        return
    if element in ("Edm.String", "Edm.GeographyPoint"):
        _flat(body, node.kind, element, parameter)
    elif element == "Edm.Boolean":
        if isinstance(body, And | Or):
            raise _fault(
                "Complex Boolean expressions are not supported in lambda expressions that iterate over fields of type "
                "Collection(Edm.Boolean).",
                parameter,
            )
    else:
        _normal_form(body, node.kind, parameter)


def _flat(body: Expression, kind: str, element: str, parameter: str) -> None:
    """One kind of junction, and below it only tests in the direction that any or all allows."""
    joint, other = (Or, And) if kind == "any" else (And, Or)
    if isinstance(body, joint):
        for operand in body.operands:
            _flat(operand, kind, element, parameter)
        return
    if isinstance(body, other):
        raise _fault(
            "Complex Boolean expressions are not supported in lambda expressions that iterate over fields of type "
            f"Collection({element}). {_ANY_OR_ALL}",
            parameter,
        )
    negated = isinstance(body, Not)
    test = body.operand if isinstance(body, Not) else body
    if isinstance(test, And | Or | Not):
        raise _fault("Found an unsupported form of complex Boolean expression.", parameter)
    if element == "Edm.String":
        _string_test(test, negated, kind, parameter)
    elif isinstance(test, Comparison):
        near = test.operator in ("lt", "le") if isinstance(test.left, Call) else test.operator in ("gt", "ge")
        if (near != negated) != (kind == "any"):
            raise _fault(
                "Found an unsupported use of geo.distance() or geo.intersects() in a lambda expression that iterates "
                "over a field of type Collection(Edm.GeographyPoint). For 'any', compare geo.distance() using 'lt' or "
                "'le'. For 'all', compare geo.distance() using 'gt' or 'ge'.",
                parameter,
            )


def _string_test(test: Expression, negated: bool, kind: str, parameter: str) -> None:
    positive = not negated
    if isinstance(test, Comparison):
        if test.operator not in ("eq", "ne"):
            raise _fault(
                "Found a comparison operator (one of 'lt', 'le', 'gt', or 'ge'). Only equality operators are allowed "
                "in lambda expressions that iterate over fields of type Collection(Edm.String). For 'any', use "
                "expressions of the form 'x eq y'. For 'all', use expressions of the form 'x ne y' or 'not (x eq y)'.",
                parameter,
            )
        positive = positive == (test.operator == "eq")
    if positive != (kind == "any"):
        raise _fault(
            "Found a test for equality or inequality where the opposite was expected in a lambda expression that "
            "iterates over a field of type Collection(Edm.String). For 'any', use expressions of the form 'x eq y' or "
            "'search.in(...)'. For 'all', use expressions of the form 'x ne y', 'not (x eq y)', or "
            "'not search.in(...)'.",
            parameter,
        )


def _normal_form(body: Expression, kind: str, parameter: str) -> None:
    """Ors of ands for any, ands of ors for all; the inner junction may not hold ne (any) or eq (all)."""
    outer, inner = (Or, And) if kind == "any" else (And, Or)
    barred = "ne" if kind == "any" else "eq"
    for part in body.operands if isinstance(body, outer) else (body,):
        tests = part.operands if isinstance(part, inner) else (part,)
        for test in tests:
            simple = test.operand if isinstance(test, Not) else test
            if isinstance(simple, And | Or | Not):
                form = "'ORs of ANDs', also known as Disjunctive"
                if kind == "all":
                    form = "'ANDs of ORs', also known as Conjunctive"
                raise _fault(
                    f"Found an unsupported form of complex Boolean expression. For '{kind}', use expressions that are "
                    f"{form} Normal Form.",
                    parameter,
                )
            if len(tests) > 1 and isinstance(simple, Comparison):
                flipped = {"eq": "ne", "ne": "eq"}.get(simple.operator, simple.operator)
                if (flipped if isinstance(test, Not) else simple.operator) == barred:
                    raise _fault(
                        f"Found the operator '{barred}' joined with others by "
                        f"'{'and' if kind == 'any' else 'or'}' in an '{kind}' expression.",
                        parameter,
                    )


def _fault(message: str, parameter: str) -> Exception:
    return expression_fault(f"Invalid lambda expression. {message}", parameter)
