"""AZS22x: vector fields, profiles, algorithms, vectorizers, and dimensions that must be equal everywhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from azsearch_ops.contract import sources
from azsearch_ops.contract.fields import is_vector
from azsearch_ops.contract.skills import EMBEDDING_MODELS, EMBEDDING_ODATA_TYPE
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.near import name_hint
from azsearch_ops.definitions.short_forms import (
    TEXT_VECTOR,
    VECTORIZER,
    pages_path,
    projected_paths,
    wants_embedding,
)
from azsearch_ops.definitions.skillset import SkillsetDefinition
from azsearch_ops.definitions.tree import Tree, step
from azsearch_ops.errors import Problem
from azsearch_ops.rules.explanation import Explanation
from azsearch_ops.rules.finding import PlacedField, Subject, fields_by_path, is_integer, items, member, placed_fields

EXPLANATIONS: Final = (
    Explanation(
        "AZS221",
        "A vector field without dimensions",
        "Azure refuses the index: every vector field states how long its vectors are, 2 to 4,096.",
        "Add dimensions, the same number as in `embedding`.",
        sources.VECTOR_INDEX,
    ),
    Explanation(
        "AZS222",
        "A vector field without a profile",
        "The profile says by which algorithm the field is searched.",
        "Add vectorSearchProfile, and the profile under vectorSearch.profiles.",
        sources.VECTOR_INDEX,
    ),
    Explanation(
        "AZS223",
        "A profile, algorithm, vectorizer or compression that is not there",
        "Names inside vectorSearch refer to each other; Azure refuses the index when one leads nowhere.",
        "Define it under vectorSearch, or mend the name. The vectorizer `embedding` comes from the skillset.",
        sources.VECTOR_INDEX,
    ),
    Explanation(
        "AZS224",
        "Dimensions differ between skill, field and vectorizer",
        "Vectors of another length are refused document by document, after everything was built; a query's vector of "
        "another length fails every query.",
        "Use one variable for all places, as `{{ embedding.dimensions }}`.",
        sources.EMBEDDING_SKILL,
    ),
    Explanation(
        "AZS225",
        "Skill and vectorizer use different models",
        "Vectors of two models have nothing in common, so every query would find noise.",
        "Use one model, or refer to the vectorizer `embedding`, which takes the skillset's.",
        sources.VECTORIZER,
    ),
    Explanation(
        "AZS226",
        "Dimensions that the model does not make",
        "text-embedding-ada-002 always makes 1,536; text-embedding-3-small at most 1,536, -3-large at most 3,072.",
        "Choose dimensions that the model makes.",
        sources.EMBEDDING_SKILL,
    ),
    Explanation(
        "AZS227",
        "Vector settings on a field that holds no vector",
        "dimensions, vectorSearchProfile and vectorEncoding belong to vector fields only.",
        "Remove them, or make the type Collection(Edm.Single).",
        sources.VECTOR_INDEX,
    ),
)

_PARTS: Final = (("algorithm", "algorithms"), ("vectorizer", "vectorizers"), ("compression", "compressions"))
_VECTOR_ONLY: Final = ("dimensions", "vectorSearchProfile", "vectorEncoding")


@dataclass(frozen=True, slots=True)
class EmbeddingOutput:
    """An embedding skill: where its vectors go, how long they are, and where that is said."""

    path: str
    dimensions: int | None
    model: str | None
    pointer: str


def check_vectors(subject: Subject) -> Iterator[Problem]:
    """The problems of vector fields and vectorSearch."""
    index = subject.index
    for field in fields_by_path(index.index).values():
        yield from _check_field(field, index)
    yield from _check_references(subject)
    if subject.skillset is not None:
        yield from _check_dimensions(index, subject.skillset)
        yield from _check_models(index, subject.skillset)


def check_embedding_models(skillset: SkillsetDefinition) -> Iterator[Problem]:
    """Embedding skills whose dimensions their model does not make."""
    for output in embedding_outputs(skillset):
        yield from _check_range(output.model, output.dimensions, output.pointer, skillset.tree)


def embedding_outputs(skillset: SkillsetDefinition) -> tuple[EmbeddingOutput, ...]:
    """The Azure OpenAI embedding skills of a skillset, the short form first."""
    found: list[EmbeddingOutput] = []
    if skillset.embedding:
        default = pages_path(skillset) if skillset.chunking else "/document"
        context = skillset.embedding.get("context") or default
        found.append(_output(skillset.embedding, f"{context}/{TEXT_VECTOR}", "/embedding"))
    for skill, pointer in items(skillset.skills, "/skills"):
        if skill.get("@odata.type") == EMBEDDING_ODATA_TYPE:
            outputs = list(items(skill.get("outputs"), ""))
            target = next((o.get("targetName") or o.get("name") for o, _ in outputs), "embedding")
            found.append(_output(skill, f"{skill.get('context') or '/document'}/{target}", pointer))
    return tuple(found)


def _output(skill: Mapping[str, Any], path: str, pointer: str) -> EmbeddingOutput:
    model, stated = skill.get("modelName"), skill.get("dimensions")
    known = model if isinstance(model, str) else None
    default = EMBEDDING_MODELS[known][1] if known is not None and known in EMBEDDING_MODELS else None
    return EmbeddingOutput(path, stated if is_integer(stated) else default, known, pointer)


def _check_field(field: PlacedField, index: IndexDefinition) -> Iterator[Problem]:
    tree = index.tree
    if not is_vector(field.body):
        for name in _VECTOR_ONLY:
            if field.body.get(name) is not None:
                message = f"{field.name} holds no vector, so it takes no {name}"
                yield Problem("AZS227", message, tree.locate_key(step(field.pointer, name)))
        return
    dimensions = field.body.get("dimensions")
    place = tree.locate(step(field.pointer, "dimensions"))
    if dimensions is None:
        message = f"the vector field {field.name} must have dimensions"
        yield Problem("AZS221", message, place, hint='dimensions: "{{ embedding.dimensions }}"')
    if field.body.get("vectorSearchProfile") is None:
        yield Problem("AZS222", f"the vector field {field.name} must have a vectorSearchProfile", place)


def _check_references(subject: Subject) -> Iterator[Problem]:
    index, tree = subject.index, subject.index.tree
    vector_search = index.index.get("vectorSearch")
    names = {part: _names(member(vector_search, part)) for part in ("profiles", *(many for _, many in _PARTS))}
    given = isinstance(vector_search, Mapping) and wants_embedding(vector_search)
    if given and (subject.skillset is None or subject.skillset.embedding):
        names["vectorizers"].append(VECTORIZER)
    for field in fields_by_path(index.index).values():
        profile = field.body.get("vectorSearchProfile")
        if isinstance(profile, str) and is_vector(field.body) and profile not in names["profiles"]:
            place = tree.locate(step(field.pointer, "vectorSearchProfile"))
            message = f"{field.name}: there is no vector profile {profile!r}"
            yield Problem("AZS223", message, place, hint=name_hint(profile, names["profiles"]))
    for profile_body, pointer in items(member(vector_search, "profiles"), "/index/vectorSearch/profiles"):
        for one, many in _PARTS:
            name = profile_body.get(one)
            if isinstance(name, str) and name not in names[many]:
                message = f"the profile {profile_body.get('name')} names a missing {one} {name!r}"
                hint = name_hint(name, names[many]) or f"define it under vectorSearch.{many}"
                if one == "vectorizer" and name == VECTORIZER and subject.skillset is not None:
                    hint = f"the skillset {subject.skillset.name} has no embedding that could stand for it"
                yield Problem("AZS223", message, tree.locate(step(pointer, one)), hint=hint)
    for part, pointer in ((part, f"/index/vectorSearch/{part}") for part in names):
        seen: set[str] = set()
        for item, at in items(member(vector_search, part), pointer):
            name = item.get("name")
            if isinstance(name, str) and name in seen:
                yield Problem("AZS212", f"vectorSearch.{part} has {name!r} twice", tree.locate(step(at, "name")))
            seen.add(str(name))


def _check_dimensions(index: IndexDefinition, skillset: SkillsetDefinition) -> Iterator[Problem]:
    outputs = {output.path: output for output in embedding_outputs(skillset)}
    fields, tree = placed_fields(index), index.tree
    for name, path in projected_paths(index).items():
        field, output = fields.get(name), outputs.get(path)
        if field is None or output is None or not is_vector(field.body):
            continue
        wanted, made = field.body.get("dimensions"), output.dimensions
        if is_integer(wanted) and made is not None and wanted != made:
            skill = skillset.tree.locate(step(output.pointer, "dimensions"))
            place = tree.locate(step(field.pointer, "dimensions"))
            message = f"the field {name} takes {wanted} dimensions ({place}), its skill makes {made} ({skill})"
            yield Problem("AZS224", message, place, hint="write the same number, or one variable, in both places")


def _check_models(index: IndexDefinition, skillset: SkillsetDefinition) -> Iterator[Problem]:
    """Vectorizers that the index defines itself, against the skill that fills the fields they answer for."""
    tree, vector_search = index.tree, index.index.get("vectorSearch")
    outputs = {output.path: output for output in embedding_outputs(skillset)}
    filled_from = projected_paths(index)
    profiles = {str(p.get("name")): p for p, _ in items(member(vector_search, "profiles"), "")}
    vectorizers = {
        str(v.get("name")): (member(v, "azureOpenAIParameters"), at)
        for v, at in items(member(vector_search, "vectorizers"), "/index/vectorSearch/vectorizers")
    }
    for field in placed_fields(index).values():
        if not is_vector(field.body):
            continue
        profile = profiles.get(str(field.body.get("vectorSearchProfile")), {})
        parameters, at = vectorizers.get(str(profile.get("vectorizer")), (None, ""))
        model = member(parameters, "modelName")
        if not isinstance(model, str):
            continue
        place = tree.locate(f"{at}/azureOpenAIParameters/modelName")
        dimensions = field.body.get("dimensions")
        if is_integer(dimensions) and model in EMBEDDING_MODELS:
            low, high = EMBEDDING_MODELS[model]
            if not low <= dimensions <= high:
                field_place = tree.locate(step(field.pointer, "dimensions"))
                made = f"{high}" if low == high else f"at most {high}"
                message = (
                    f"the vectorizer's model {model} makes {made} dimensions ({place}), "
                    f"the field {field.name} takes {dimensions} ({field_place})"
                )
                yield Problem("AZS224", message, field_place)
        output = outputs.get(filled_from.get(field.name, ""))
        if output is not None and output.model is not None and output.model != model:
            skill = skillset.tree.locate(step(output.pointer, "modelName"))
            message = f"the vectorizer of {field.name} uses {model}, its skill {output.model} ({skill})"
            yield Problem("AZS225", message, place, hint="one model for documents and queries")


def _check_range(model: str | None, dimensions: int | None, pointer: str, tree: Tree) -> Iterator[Problem]:
    if model is None or model not in EMBEDDING_MODELS or dimensions is None:
        return
    low, high = EMBEDDING_MODELS[model]
    if not low <= dimensions <= high:
        made = f"{high}" if low == high else f"{low} to {high}"
        message = f"{model} makes {made} dimensions, not {dimensions}"
        yield Problem("AZS226", message, tree.locate(step(pointer, "dimensions")))


def _names(part: object) -> list[str]:
    return [str(item.get("name")) for item, _ in items(part, "")]
