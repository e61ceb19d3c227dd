"""AZS315 and AZS316: how skills and vectorizers call others: address, time limit, headers, sign-in."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Any, Final

from azsearch_ops.contract import sources
from azsearch_ops.contract.skill_types_calls import CHAT_ODATA_TYPE
from azsearch_ops.contract.skills import EMBEDDING_MODELS, EMBEDDING_NEEDS, EMBEDDING_ODATA_TYPE
from azsearch_ops.definitions.durations import parse_duration
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.skillset import SkillsetDefinition
from azsearch_ops.definitions.tree import Tree, step
from azsearch_ops.errors import Problem
from azsearch_ops.rules.explanation import Explanation
from azsearch_ops.rules.finding import items, member, quoted

EXPLANATIONS: Final = (
    Explanation(
        "AZS315",
        "An address, header or time limit that a call does not take",
        "Azure calls https only, waits 1 to 230 seconds, and sets some headers itself.",
        "Use an https address, a timeout such as PT30S, and leave the named header out.",
        sources.WEB_API_SKILL,
    ),
    Explanation(
        "AZS316",
        "Two ways of signing in at once",
        "The chat skill takes a key or an identity, and refuses both; elsewhere the key wins and the identity is not "
        "used.",
        "Keep one of apiKey and authIdentity.",
        sources.SKILL_PAGES + "genai-prompt",
    ),
)

_CALLING: Final = ("#Microsoft.Skills.Custom.WebApiSkill", "#Microsoft.Skills.Custom.AmlSkill", CHAT_ODATA_TYPE)
_LOOKUP: Final = "#Microsoft.Skills.Text.CustomEntityLookupSkill"
_CHAT_HOSTS: Final = (".openai.azure.com", ".services.ai.azure.com", ".cognitiveservices.azure.com")
_CHAT_PATH: Final = "/chat/completions"
_FORBIDDEN_HEADERS: Final = frozenset(
    {
        "accept",
        "accept-charset",
        "accept-encoding",
        "content-length",
        "content-type",
        "cookie",
        "host",
        "te",
        "upgrade",
        "via",
    }
)
_LONGEST: Final = 230
_ALMOST: Final = 0.9


def check_skill_calls(skillset: SkillsetDefinition) -> Iterator[Problem]:
    """The problems of how the skills of a skillset call what is behind them."""
    tree = skillset.tree
    if skillset.embedding:
        yield from _check_sign_in(skillset.embedding, "/embedding", tree)
        yield from check_model(skillset.embedding, "/embedding", tree)
    for skill, pointer in items(skillset.skills, "/skills"):
        kind = skill.get("@odata.type")
        if kind in _CALLING:
            yield from _check_call(skill, pointer, tree)
        if kind == CHAT_ODATA_TYPE:
            yield from _check_chat(skill, pointer, tree)
        if kind == _LOOKUP:
            yield from _check_address(skill, "entitiesDefinitionUri", pointer, tree)
        if kind == EMBEDDING_ODATA_TYPE:
            yield from _check_needs(skill, pointer, tree, "the embedding skill")
        if kind in (CHAT_ODATA_TYPE, EMBEDDING_ODATA_TYPE):
            yield from _check_sign_in(skill, pointer, tree, refused=kind == CHAT_ODATA_TYPE)


def check_vectorizer_calls(index: IndexDefinition) -> Iterator[Problem]:
    """The problems of how an index's own vectorizers call models."""
    tree, vector = index.tree, index.index.get("vectorSearch")
    for vectorizer, at in items(member(vector, "vectorizers"), "/index/vectorSearch/vectorizers"):
        for name in ("customWebApiParameters", "amlParameters"):
            parameters = vectorizer.get(name)
            if isinstance(parameters, Mapping):
                yield from _check_call(parameters, step(at, name), tree)
        model = vectorizer.get("azureOpenAIParameters")
        if isinstance(model, Mapping):
            pointer = step(at, "azureOpenAIParameters")
            yield from _check_needs(model, pointer, tree, f"the vectorizer {vectorizer.get('name')}")
            yield from _check_sign_in(model, pointer, tree)


def _check_call(body: Mapping[str, Any], pointer: str, tree: Tree) -> Iterator[Problem]:
    timeout, headers = body.get("timeout"), body.get("httpHeaders")
    yield from _check_address(body, "uri", pointer, tree)
    if isinstance(timeout, str):
        try:
            seconds = parse_duration(timeout).total_seconds() if timeout.startswith("P") else 0.0
        except ValueError:
            seconds = 0.0
        if not 1 <= seconds <= _LONGEST:
            message = f"timeout is a duration between PT1S and PT{_LONGEST}S, not {quoted(timeout)}"
            yield Problem("AZS315", message, tree.locate(step(pointer, "timeout")), hint="PT30S")
    if headers is not None and not isinstance(headers, Mapping):
        yield Problem("AZS315", "httpHeaders maps names to texts", tree.locate(step(pointer, "httpHeaders")))
    for name in headers if isinstance(headers, Mapping) else ():
        if name.lower() in _FORBIDDEN_HEADERS:
            message = f"the header {name} is set by the service"
            yield Problem("AZS315", message, tree.locate_key(step(step(pointer, "httpHeaders"), name)))


def _check_address(body: Mapping[str, Any], name: str, pointer: str, tree: Tree) -> Iterator[Problem]:
    uri = body.get(name)
    if isinstance(uri, str) and not uri.startswith(("https://", "${secret:")):
        message = f"{name} must begin with https://, not {quoted(uri)}"
        yield Problem("AZS315", message, tree.locate(step(pointer, name)))


def _check_chat(skill: Mapping[str, Any], pointer: str, tree: Tree) -> Iterator[Problem]:
    uri = skill.get("uri")
    if not isinstance(uri, str) or not uri.startswith("https://"):
        return
    host, _, path = uri.removeprefix("https://").partition("/")
    place = tree.locate(step(pointer, "uri"))
    if not host.partition(":")[0].endswith(_CHAT_HOSTS):
        message = f"the chat skill calls models of Azure OpenAI and Foundry only, not {quoted(host)}"
        hint = f"a host that ends in {', '.join(_CHAT_HOSTS)}"
        yield Problem("AZS315", message, place, severity="warning", hint=hint)
    elif _CHAT_PATH not in f"/{path}":
        message = f"the chat skill calls {_CHAT_PATH}, which is not in the address"
        yield Problem("AZS315", message, place, severity="warning")


def _check_needs(body: Mapping[str, Any], pointer: str, tree: Tree, who: str) -> Iterator[Problem]:
    for name in EMBEDDING_NEEDS:
        if body.get(name) is None:
            yield Problem("AZS204", f"{who} needs the property {name!r}", tree.locate_key(pointer))
    yield from check_model(body, pointer, tree)


def check_model(body: Mapping[str, Any], pointer: str, tree: Tree) -> Iterator[Problem]:
    """A model that is called almost as one of those that Azure names; others may be deployments of one's own."""
    model = body.get("modelName")
    if not isinstance(model, str) or model in EMBEDDING_MODELS:
        return
    for near in difflib.get_close_matches(model, EMBEDDING_MODELS, n=1, cutoff=_ALMOST):
        message = f"modelName: {quoted(model)} is not among the models known here"
        place = tree.locate(step(pointer, "modelName"))
        yield Problem("AZS208", message, place, severity="warning", hint=f"did you mean {near!r}?")


def _check_sign_in(body: Mapping[str, Any], pointer: str, tree: Tree, *, refused: bool = False) -> Iterator[Problem]:
    if body.get("apiKey") and body.get("authIdentity"):
        message = "apiKey and authIdentity exclude each other" if refused else "apiKey wins, authIdentity is not used"
        place = tree.locate_key(step(pointer, "authIdentity"))
        yield Problem("AZS316", message, place, severity="error" if refused else "warning")
