"""What Azure refuses inside one part of a definition, whatever stands beside it: a check for each object type.

The contract says what properties there are, their types, ranges and values (`shape`); here is what they do to each
other. Sources: the pages of custom analyzers, of each skill, of vector compression and of vectorizers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from azsearch_ops.contract.analysis import REGEX_FLAGS
from azsearch_ops.contract.index import NO_IDENTITY, USER_ASSIGNED_IDENTITY
from azsearch_ops.contract.objects import OBJECTS, properties_of
from azsearch_ops.contract.skill_types_files import IMAGE_SIDES
from azsearch_ops.local.errors import ServiceFault, invalid_request
from azsearch_ops.local.objects.durations import duration_seconds

Part = Mapping[str, Any]
Check = Callable[[Part], Iterator[str]]

_SIZES: Final = (("minGram", "maxGram"), ("min", "max"), ("minShingleSize", "maxShingleSize"))
_RULES: Final = ("mappings", "rules")
_LONGEST_CALL: Final = 230
_LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
_IMAGE_ACTIONS: Final = ("none", "generateNormalizedImages", "generateNormalizedImagePerPage")


def check_parts(kind: str, body: Part) -> None:
    """Holds every object inside a definition that has the contract's form against its own rules.

    Raises:
        ServiceFault: 400 that names the place and what is wrong there.
    """
    for name, part, at in _parts(kind, body, ""):
        for check in (_CHECKS.get(name), _CHECKS.get(_variant(name, part))):
            for reason in check(part) if check else ():
                raise _refused(f"{reason} (at '{at}').")


def _parts(kind: str, body: Part, at: str) -> Iterator[tuple[str, Part, str]]:
    """The object and all within, with object type and place; `authIdentity` is an identity wherever it stands."""
    yield kind, body, at or "/"
    rows = properties_of(kind, body)
    for name, value in body.items():
        row = rows.get(name)
        of = "identity" if name == "authIdentity" else row.of if row else None
        if of is None:
            continue
        if isinstance(value, Mapping):
            yield from _parts(of, value, f"{at}/{name}")
        elif isinstance(value, list):
            for place, item in enumerate(value):
                if isinstance(item, Mapping):
                    yield from _parts(of, item, f"{at}/{name}/{place}")


def _variant(kind: str, part: Part) -> str:
    """The name of the object type that the part's discriminator stands for."""
    discriminator = OBJECTS[kind].discriminator
    return OBJECTS[kind].variants.get(str(part.get(discriminator)), "") if discriminator else ""


def _component(part: Part) -> Iterator[str]:
    """Analyzers, tokenizers and filters: sizes run from small to large, with the defaults of what is left out."""
    rows = properties_of("analysis", part)
    name = part.get("name")
    for small, large in _SIZES:
        if small in rows and large in rows and (part.get(small) is not None or part.get(large) is not None):
            low, high = (rows[size].default if part.get(size) is None else part[size] for size in (small, large))
            if low > high:  # type: ignore[operator]  # sizes are numbers, as was checked
                yield f"The {small} {low} of '{name}' must not be above its {large} {high}"
    if part.get("stopwords") and part.get("stopwordsList"):
        yield f"'stopwords' and 'stopwordsList' of '{name}' cannot both be set"
    for flag in str(part.get("flags") or "").split("|"):
        if flag and flag.strip() not in REGEX_FLAGS:
            yield f"The flag '{flag.strip()}' of '{name}' does not exist"


def _path_hierarchy(part: Part) -> Iterator[str]:
    for name in ("delimiter", "replacement"):
        if part.get(name) is not None and len(part[name]) != 1:
            yield f"The {name} of '{part.get('name')}' must be one character"


def _arrows(part: Part) -> Iterator[str]:
    for name in _RULES:
        for rule in part.get(name) or ():
            left, arrow, _ = str(rule).partition("=>")
            if not arrow or not left:
                yield f"The entry '{rule}' of '{name}' must have the form 'a=>b'"


def _suggester(part: Part) -> Iterator[str]:
    sources = part.get("sourceFields") or []
    if not sources:
        yield f"The suggester '{part.get('name')}' must have at least one source field"
    if len(set(sources)) < len(sources):
        yield f"The suggester '{part.get('name')}' names a source field twice"


def _compression(part: Part) -> Iterator[str]:
    if part.get("rescoringOptions") is not None and part.get("rerankWithOriginalVectors") is not None:
        yield "'rescoringOptions' and 'rerankWithOriginalVectors' cannot both be set"


def _scalar(part: Part) -> Iterator[str]:
    options = part.get("rescoringOptions") or {}
    if options.get("rescoreStorageMethod") == "discardOriginals" and options.get("enableRescoring") is not False:
        yield "Scalar quantization cannot rescore when the original vectors are discarded"


def _identity(part: Part) -> Iterator[str]:
    kind = part.get("@odata.type")
    if kind not in (USER_ASSIGNED_IDENTITY, NO_IDENTITY):
        yield f"The identity type '{kind}' does not exist"
    elif kind == USER_ASSIGNED_IDENTITY and not part.get("userAssignedIdentity"):
        yield "A user-assigned identity must have 'userAssignedIdentity'"


def _call(part: Part) -> Iterator[str]:
    """Skills and vectorizers that call an address: over HTTPS, but on this machine, in 1 to 230 seconds."""
    address, timeout, headers = part.get("uri"), part.get("timeout"), part.get("httpHeaders")
    if isinstance(address, str):
        parsed = urlsplit(address)
        if parsed.scheme != "https" and parsed.hostname not in _LOOPBACK:
            yield f"The uri '{address}' must use https"
    if timeout is not None:
        seconds = duration_seconds(str(timeout))
        if seconds is None or not 1 <= seconds <= _LONGEST_CALL:
            yield f"The timeout '{timeout}' must be a duration between 1 and {_LONGEST_CALL} seconds"
    if headers is not None and not isinstance(headers, Mapping):
        yield "'httpHeaders' must be a JSON object"


def _input(part: Part) -> Iterator[str]:
    if part.get("source") and (part.get("inputs") or part.get("sourceContext")):
        yield f"The input '{part.get('name')}' cannot have 'source' together with 'sourceContext' or 'inputs'"
    if not part.get("source") and not part.get("inputs"):
        yield f"The input '{part.get('name')}' must have 'source' or 'inputs'"


def _pii(part: Part) -> Iterator[str]:
    if part.get("maskingCharacter") is not None and len(part["maskingCharacter"]) != 1:
        yield "'maskingCharacter' must be one character"


def _lookup(part: Part) -> Iterator[str]:
    if not part.get("inlineEntitiesDefinition") and not part.get("entitiesDefinitionUri"):
        yield "The skill must have 'inlineEntitiesDefinition' or 'entitiesDefinitionUri'"


def _extraction(part: Part) -> Iterator[str]:
    configuration = part.get("configuration") or {}
    if not isinstance(configuration, Mapping):
        yield "'configuration' must be a JSON object"
        return
    if configuration.get("imageAction") not in (None, *_IMAGE_ACTIONS):
        yield f"The imageAction '{configuration['imageAction']}' does not exist"
    low, high = IMAGE_SIDES
    for name in ("normalizedImageMaxWidth", "normalizedImageMaxHeight"):
        side = configuration.get(name)
        if side is not None and not (isinstance(side, int) and low <= side <= high):
            yield f"The {name} {side} is out of range: {low} to {high}"


def _chunking(part: Part) -> Iterator[str]:
    chunking = part.get("chunkingProperties") or {}
    length, overlap = chunking.get("maximumLength"), chunking.get("overlapLength")
    if isinstance(length, int) and isinstance(overlap, int) and overlap * 2 >= length:
        yield f"The overlapLength {overlap} must be below half of the maximumLength {length}"


def _chat(part: Part) -> Iterator[str]:
    wanted = part.get("responseFormat") or {}
    if part.get("apiKey") and part.get("authIdentity"):
        yield "'apiKey' and 'authIdentity' cannot both be set"
    if wanted.get("type") in ("jsonSchema", "json_schema") and not wanted.get("jsonSchemaProperties"):
        yield f"The responseFormat '{wanted['type']}' must have 'jsonSchemaProperties'"


def _layout(part: Part) -> Iterator[str]:
    yield from _chunking(part)
    if part.get("chunkingProperties") and part.get("outputFormat") != "text":
        yield "'chunkingProperties' can only be set when 'outputFormat' is 'text'"


_CHECKS: Final[Mapping[str, Check]] = {
    "analysis": _component,
    "pathHierarchyTokenizer": _path_hierarchy,
    "pathHierarchyTokenizerV2": _path_hierarchy,
    "mappingCharFilter": _arrows,
    "stemmerOverrideTokenFilter": _arrows,
    "suggester": _suggester,
    "compression": _compression,
    "scalarQuantization": _scalar,
    "identity": _identity,
    "customWebApiParameters": _call,
    "amlParameters": _call,
    "webApiSkill": _call,
    "amlSkill": _call,
    "inputMapping": _input,
    "piiDetectionSkill": _pii,
    "customEntityLookupSkill": _lookup,
    "documentExtractionSkill": _extraction,
    "layoutSkill": _layout,
    "contentUnderstandingSkill": _chunking,
    "chatCompletionSkill": _chat,
}
"""By the contract's object types, those of variants among them."""

if unknown := set(_CHECKS) - set(OBJECTS):
    raise ValueError(f"checks for object types that the contract does not have: {sorted(unknown)}")


def _refused(message: str) -> ServiceFault:
    return invalid_request(f"The request is invalid. Details: definition : {message}", "InvalidDefinition")
