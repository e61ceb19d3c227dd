"""AZS30x: the enrichment tree: what skills read, what projections read, and what produces it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from azsearch_ops.contract import sources, text_split
from azsearch_ops.contract.fields import SIMPLE_TYPES, is_vector
from azsearch_ops.contract.skills import EMBEDDING_ODATA_TYPE
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.near import nearest
from azsearch_ops.definitions.short_forms import PAGES, PARENT_KEY, chunk_context, pages_path
from azsearch_ops.definitions.skillset import SkillsetDefinition
from azsearch_ops.definitions.tree import step
from azsearch_ops.errors import Problem
from azsearch_ops.rules.explanation import Explanation
from azsearch_ops.rules.finding import Subject, items, placed_fields
from azsearch_ops.rules.produced import Produced, document_paths, has_own_paths, is_almost, is_produced, skill_paths
from azsearch_ops.rules.vectors import embedding_outputs

EXPLANATIONS: Final = (
    Explanation(
        "AZS301",
        "A projection into a field that is not there",
        "The skillset would be refused, or every document fail, after index and data source were made.",
        "Add the field to the index, or mend the name.",
        sources.PROJECTIONS,
    ),
    Explanation(
        "AZS302",
        "A path that nothing produces",
        "The field stays empty, or the skill warns for every document; neither stops the indexer.",
        "Name what a skill's output or the document itself has. Paths are case-sensitive.",
        sources.PROJECTIONS,
    ),
    Explanation(
        "AZS303",
        "The index's key is mapped by the projection",
        "The service makes the keys of chunks itself and refuses a mapping.",
        "Remove the key from `projection`.",
        sources.PROJECTIONS,
    ),
    Explanation(
        "AZS304",
        "A vector goes into a field without vectors, or text into a vector field",
        "Each document would fail when it is written.",
        "Project the embedding skill's output into the vector field.",
        sources.PROJECTIONS,
    ),
    Explanation(
        "AZS305",
        "A vector field that nothing fills",
        "Vector queries on it find nothing.",
        "Add it to `projection`.",
        sources.PROJECTIONS,
    ),
    Explanation(
        "AZS306",
        "Offsets of Text Split projected as if they belonged to a page",
        "Offsets, lengths and positions are arrays beside the pages; a projection cannot pick the page's own entry.",
        "Leave them out. Evaluation aligns chunks by their own text.",
        sources.TEXT_SPLIT,
    ),
    Explanation(
        "AZS307",
        "Two skills produce the same path",
        "The later one overwrites the earlier.",
        "Give one of the outputs another targetName.",
        sources.TEXT_SPLIT,
    ),
    Explanation(
        "AZS308",
        "An output that nobody uses",
        "The skill is paid for and waited for with every document, and its result is thrown away.",
        "Project or map it, let another skill read it, or remove the skill.",
        sources.ANNOTATION_LANGUAGE,
    ),
    Explanation(
        "AZS309",
        "A skillset whose results reach no index, or a projection without a skillset",
        "Without a projection and without outputFieldMappings, what the skills make stays in the tree.",
        "Write `projection`, or `outputFieldMappings` under source; or leave the skillset out.",
        sources.PROJECTIONS,
    ),
    Explanation(
        "AZS310",
        "A skillset that projects into several indexes",
        "A candidate is one index, filled by a skillset of its own: what goes into the other indexes would be lost.",
        "Make a definition with a skillset of its own for each index.",
        sources.PROJECTIONS,
    ),
)


def check_enrichment(subject: Subject) -> Iterator[Problem]:
    """The problems of a projection and of the skills it builds on."""
    index, skillset = subject.index, subject.skillset
    yield from _check_targets(index)
    if index.skillset is None and index.projection:
        message = "a projection needs a skillset, which makes the paths that it reads"
        yield Problem("AZS309", message, index.tree.locate_key("/projection"))
    if index.pushed and index.skillset is not None:
        message = "a skillset needs a source: it works on what an indexer reads"
        yield Problem("AZS309", message, index.tree.locate_key("/skillset"), hint="add source, or remove skillset")
    if skillset is None:
        return
    if len(_selectors(skillset)) > 1:
        message = "indexProjections fills several indexes, and an index definition is one index"
        hint = "keep the selector of this index, and give each other index a definition and a skillset of its own"
        yield Problem("AZS310", message, skillset.tree.locate("/indexProjections"), hint=hint)
        return
    if not index.projection and not index.source.output_field_mappings:
        message = "nothing that the skillset makes reaches the index: no projection, no outputFieldMappings"
        yield Problem("AZS309", message, index.tree.locate_key("/skillset"), severity="warning")
    produced = (*document_paths(subject), *skill_paths(skillset))
    for _name, source, pointer in _sources(index):
        if not is_produced(source, produced):
            yield _unproduced(source, pointer, index, subject, produced)
    for skill, pointer in _inputs(skillset):
        if not is_produced(skill, produced):
            near = nearest(skill, [item.path for item in produced])
            hint = f"did you mean {near}?" if near else _switched_on(skill)
            message = f"nothing produces {skill}, which a skill reads"
            severity: Any = "error"
            if not is_almost(skill, produced) and _may_be_own(skill, subject):
                message, severity = f"{message}, unless the documents bring it along", "warning"
            yield Problem("AZS302", message, skillset.tree.locate(pointer), severity=severity, hint=hint)
    yield from _check_kinds(subject, skillset)
    given = {item.path for item in document_paths(subject) if item.path not in ("/document", *_mapped(index))}
    seen: dict[str, str] = {}
    for item in skill_paths(skillset):
        if item.path in seen and not item.path.endswith("/*"):
            message = f"{item.path} is produced twice (first by {seen[item.path][1:]})"
            yield Problem("AZS307", message, skillset.tree.locate(item.pointer))
        elif item.path in given and not item.pointer.startswith(("/chunking", "/embedding")):
            message = f"{item.path} is the document's own, and no skill can write over it"
            yield Problem("AZS307", message, skillset.tree.locate(item.pointer), hint="give the output a targetName")
        seen.setdefault(item.path, item.pointer)


def _may_be_own(path: str, subject: Subject) -> bool:
    """Whether a document may carry the path as metadata of its own; those of a folder have none."""
    connection = subject.environment.connections.get(subject.index.source.connection)
    known = path.startswith(("/document/normalized_images", "/document/file_data"))
    return path.count("/") == 2 and connection is not None and connection.folder is None and not known


def _switched_on(path: str) -> str:
    """The setting without which the indexer does not put a path into the tree."""
    if path.startswith("/document/normalized_images"):
        return "source.configuration: {imageAction: generateNormalizedImages}"
    if path.startswith("/document/file_data"):
        return "source.configuration: {allowSkillsetToReadFileData: true}"
    return ""


def _mapped(index: IndexDefinition) -> set[str]:
    """The paths that field mappings make, which are the definition's own."""
    return {f"/document/{m.get('targetFieldName') or m.get('sourceFieldName')}" for m in index.source.field_mappings}


def _selectors(skillset: SkillsetDefinition) -> tuple[object, ...]:
    found = (skillset.index_projections or {}).get("selectors")
    return tuple(found) if isinstance(found, list | tuple) else ()


def check_unused(skillset: SkillsetDefinition, indexes: Iterable[IndexDefinition]) -> Iterator[Problem]:
    """Outputs that no skill, projection or mapping reads, of a skillset that `indexes` name."""
    read = {path for index in indexes for _, path, _ in _sources(index)}
    if not read or skillset.knowledge_store is not None:
        return
    read |= {path for path, _ in _inputs(skillset)}
    if skillset.chunking:
        pages = pages_path(skillset)
        read |= {pages} if skillset.embedding and not skillset.embedding.get("inputs") else set()
    for item in skill_paths(skillset):
        if item.path.endswith("/*"):
            continue
        used = any(path == item.path or path.startswith((f"{item.path}/", f"$({item.path}")) for path in read)
        if not used and not any(item.path in path for path in read if not path.startswith("/")):
            message = f"nobody uses {item.path}"
            yield Problem("AZS308", message, skillset.tree.locate(item.pointer), severity="warning")


def _check_targets(index: IndexDefinition) -> Iterator[Problem]:
    fields, tree = placed_fields(index), index.tree
    for name in index.projection:
        place = tree.locate_key(step("/projection", name))
        if name not in fields:
            near = nearest(name, fields)
            hint = f"did you mean {near!r}?" if near else "add it to index.fields"
            yield Problem("AZS301", f"the projection fills {name!r}, and the index has no such field", place, hint=hint)
        elif fields[name].body.get("key") is True and index.projection[name] != PARENT_KEY:
            yield Problem("AZS303", f"{name} is the key, which the service makes itself", place, hint="remove the line")


def _check_kinds(subject: Subject, skillset: SkillsetDefinition) -> Iterator[Problem]:
    index = subject.index
    fields, tree = placed_fields(index), index.tree
    vectors = {output.path for output in embedding_outputs(skillset)}
    known = all(skill.get("@odata.type") in (text_split.ODATA_TYPE, EMBEDDING_ODATA_TYPE) for skill in skillset.skills)
    made, own = tuple(skill_paths(skillset)), has_own_paths(subject)
    lists = {item.path.removesuffix("/*") for item in made if item.path.endswith("/*")} - vectors
    filled = set()
    for name, source, pointer in _sources(index):
        field = fields.get(name)
        if field is None:
            continue
        filled.add(name)
        place = tree.locate(pointer)
        if source.removesuffix("/*") in vectors and source not in vectors:
            source = source.removesuffix("/*")  # How a vector that is not projected is mapped
        if source in lists and field.body.get("type") in SIMPLE_TYPES:
            message = f"{source} is a list, and {name} takes one value"
            yield Problem("AZS304", message, place, hint=f"{source}/*, or a Collection field")
        elif source in vectors and not is_vector(field.body):
            yield Problem("AZS304", f"{source} is a vector, and {name} takes none", place)
        elif is_vector(field.body) and known and source not in vectors and not (own and not is_produced(source, made)):
            hint = f"did you mean {sorted(vectors)[0]}?" if vectors else "add `embedding` to the skillset"
            yield Problem("AZS304", f"{name} takes vectors, and {source} is none", place, hint=hint)
        if skillset.chunking and source.startswith("/document/") and source.split("/")[2] in text_split.OUTPUTS[1:]:
            message = f"{name}: {source} is an array beside the pages, not the page's own"
            yield Problem("AZS306", message, place, severity="warning")
    for name, field in fields.items() if index.projection else ():
        if is_vector(field.body) and name not in filled:
            yield Problem("AZS305", f"nothing fills the vector field {name}", tree.locate(field.pointer))


def _sources(index: IndexDefinition) -> Iterator[tuple[str, str, str]]:
    """Field, path and pointer of everything that projection and output mappings read."""
    for mapping, at in items(index.source.output_field_mappings, "/source/outputFieldMappings"):
        path = mapping.get("sourceFieldName")
        if isinstance(path, str):
            target = mapping.get("targetFieldName") or path
            yield str(target), path, step(at, "sourceFieldName")
    for name, source in index.projection.items():
        pointer = step("/projection", name)
        if isinstance(source, str):
            if source != PARENT_KEY:
                yield name, source, pointer
        else:
            for path, at in _nested(source, pointer):
                yield name, path, at


def _nested(mapping: Mapping[str, Any], pointer: str) -> Iterator[tuple[str, str]]:
    """The paths of a mapping in REST's shape and of its inputs."""
    for name in ("source", "sourceContext"):
        path = mapping.get(name)
        if isinstance(path, str):
            yield path, step(pointer, name)
    for inner, at in items(mapping.get("inputs"), step(pointer, "inputs")):
        yield from _nested(inner, at)


def _inputs(skillset: SkillsetDefinition) -> Iterator[tuple[str, str]]:
    """The paths that skills read, with their pointers."""
    for short, pointer in ((skillset.chunking, "/chunking"), (skillset.embedding, "/embedding")):
        for mapping, at in items(short.get("inputs"), f"{pointer}/inputs"):
            yield from _nested(mapping, at)
        context = short.get("context")
        if isinstance(context, str):
            yield context, step(pointer, "context")
    for group, pointer in items((skillset.knowledge_store or {}).get("projections"), "/knowledgeStore/projections"):
        for part in ("tables", "objects", "files"):
            for selector, at in items(group.get(part), step(pointer, part)):
                yield from _nested(selector, at)
    for skill, pointer in items(skillset.skills, "/skills"):
        for mapping, at in items(skill.get("inputs"), f"{pointer}/inputs"):
            yield from _nested(mapping, at)
        context = skill.get("context")
        if isinstance(context, str):
            yield context, step(pointer, "context")


def _unproduced(
    source: str, pointer: str, index: IndexDefinition, subject: Subject, produced: tuple[Produced, ...]
) -> Problem:
    known = [item.path for item in produced]
    near = nearest(source, known)
    if near is None and subject.skillset is not None and source.startswith(f"/document/{PAGES}"):
        near = chunk_context(index, subject.skillset)
    hint = f"did you mean {near}?" if near else f"there are: {', '.join(known[:8])}"
    if not is_almost(source, produced) and _may_be_own(source, subject):
        message = f"nothing produces {source}, unless the blobs carry it as metadata of their own"
        return Problem("AZS302", message, index.tree.locate(pointer), severity="warning", hint=hint)
    return Problem("AZS302", f"nothing produces {source}", index.tree.locate(pointer), hint=hint)
