"""What a candidate will take, from the documents where they can be read from here, else from what is live."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from azsearch_ops.bodies.render import Bodies
from azsearch_ops.contract.limits import TIERS
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.documents.folder import MissingContainerError, list_blobs
from azsearch_ops.errors import Problem, ServiceError
from azsearch_ops.models.cached import cached_texts
from azsearch_ops.models.names import EMBEDDING_ENCODING, local_model
from azsearch_ops.models.tokenizer import Tokenizer, tokenizer
from azsearch_ops.planning.chunk_counts import (
    Sampled,
    choose,
    chunk_embeddings,
    cut,
    cut_many,
    rescaled,
    scale,
    split_options,
)
from azsearch_ops.planning.estimate import Estimate, Workload, embedding_minutes, quotas_of, standstill
from azsearch_ops.planning.live import LiveState
from azsearch_ops.planning.room import no_room, over_budget
from azsearch_ops.planning.vector_size import vector_bytes, vector_disk_bytes
from azsearch_ops.releasing.snapshot import Objects
from azsearch_ops.verbs.extracted_texts import extract_texts
from azsearch_ops.verbs.local.service import DATA
from azsearch_ops.verbs.session import Session
from azsearch_ops.verbs.shipping.entities import entity_texts
from azsearch_ops.verbs.sources import source_folder

MOST_DOCUMENTS: Final = 300
MOST_BYTES: Final = 4_000_000
"""Beyond either a sample is read: an estimate should take seconds."""
SEED: Final = 20260401
LIVE_SAMPLE: Final = 200
STORED_FACTOR: Final = 2
"""About: a text is stored once and indexed once."""
ONE_DOCUMENT_A_BLOB: Final = ("default", "text")
_EMPTY_CACHE: Final = "the indexer's cache does not help: a candidate has an indexer of its own, whose cache is empty"


def estimate_for(
    session: Session,
    index: IndexDefinition,
    bodies: Bodies,
    live: LiveState | None,
    objects: Objects,
    statistics: Mapping[str, Any] | None,
) -> Estimate:
    """The estimate of the candidate that `bodies` describe; reads documents, or a sample of live's chunks."""
    environment = session.project.environment
    work = _workload(session, index, bodies, live)
    rate = environment.rate_limits.tokens_per_minute if environment.rate_limits else None
    sent = None if work.tokens is None else work.tokens - (work.cached or 0)
    minutes = embedding_minutes(sent, rate)
    vectors = None if work.chunks is None else vector_bytes(bodies.index, work.chunks)
    storage = None
    if work.chunks is not None:
        storage = vector_disk_bytes(bodies.index, work.chunks) + STORED_FACTOR * (work.texts or 0)
    built = objects.find("index", bodies.candidate) is not None
    prices = environment.prices
    measured = session.service.index_statistics(live.index_name) if live is not None and statistics else {}
    return Estimate(
        workload=work,
        minutes=minutes,
        tokens_per_minute=rate,
        cost=None if prices is None or sent is None else sent / 1e6 * prices.embedding,
        currency=prices.currency if prices else None,
        vectors=vectors,
        storage=storage,
        live_chunks=measured.get("documentCount"),
        live_vectors=measured.get("vectorIndexSize"),
        built=built,
        standstill=standstill(
            minutes,
            environment.service.search_units if environment.service else None,
            scheduled=live is not None and bool((live.indexer or {}).get("schedule")),
            local=environment.is_local,
        ),
        quotas=quotas_of(
            _with_tier(statistics, environment.service.tier if environment.service else None),
            _adds(session, bodies, live, objects, 0 if built else vectors, 0 if built else storage),
            {} if objects.find("index", session.ledger.name) else {"indexes": "one of them for the ledger of releases"},
        ),
    )


def limit_problems(session: Session, estimate: Estimate, prunable: tuple[str, ...]) -> tuple[Problem, ...]:
    """What does not fit into quotas or budget; empty when everything does."""
    limits = asdict(session.project.environment.budget)
    budget = {name: None if most is None else float(most) for name, most in limits.items()}
    return (*no_room(estimate, prunable), *over_budget(estimate, budget))


def statistics_of(session: Session) -> Mapping[str, Any] | None:
    """The body of `/servicestats`, or None where this identity may not read it."""
    try:
        return session.service.statistics()
    except ServiceError as refused:
        if refused.status in (401, 403):
            return None
        raise


def _adds(
    session: Session,
    bodies: Bodies,
    live: LiveState | None,
    objects: Objects,
    vectors: int | None,
    storage: int | None,
) -> dict[str, int]:
    """How many more of each kind there will be, for what is not there yet."""
    name = bodies.candidate
    ledger = objects.find("index", session.ledger.name) is None
    source = objects.find("dataSource", bodies.data_source_name)
    return {
        "indexes": int(objects.find("index", name) is None) + int(ledger),
        "indexers": int(objects.find("indexer", name) is None),
        "skillsets": int(objects.find("skillset", name) is None),
        "data sources": int(source is None and bodies.owns_source),
        "aliases": int(objects.find("alias", bodies.alias) is None),
        "vectors": vectors or 0,
        "storage": storage or 0,
    }


def _with_tier(statistics: Mapping[str, Any] | None, tier: str | None) -> Mapping[str, Any] | None:
    """The statistics, with the published quotas of the tier where the service states none."""
    known = TIERS.get(tier or "")
    if statistics is None or known is None:
        return statistics
    stated = {
        "indexesCount": known.indexes,
        "indexersCount": known.indexers,
        "skillsetCount": known.skillsets,
        "dataSourcesCount": known.data_sources,
        "aliasesCount": known.aliases,
    }
    counters = {
        name: {**counter, "quota": stated.get(name)} if counter.get("quota") is None else counter
        for name, counter in (statistics.get("counters") or {}).items()
    }
    return {**statistics, "counters": counters}


def _workload(session: Session, index: IndexDefinition, bodies: Bodies, live: LiveState | None) -> Workload:
    if source_folder(session.project, index) is None:
        return _from_live(session, index, bodies, live, "the documents cannot be listed from here")
    try:
        return _from_documents(session, index, bodies)
    except MissingContainerError as missing:
        return Workload("unknown", note=missing.message)


def _from_documents(session: Session, index: IndexDefinition, bodies: Bodies) -> Workload:
    folder = source_folder(session.project, index)
    assert folder is not None
    within = (index.source.query or "").strip("/")
    sizes = {b.path: b.size for b in list_blobs(folder) if not within or b.path.startswith(f"{within}/")}
    sample = choose(sizes, documents=MOST_DOCUMENTS, size=MOST_BYTES, seed=SEED)
    counter = tokenizer(EMBEDDING_ENCODING)
    options = split_options(bodies.skillset)
    starts = tokenizer(options.encoder).starts if options and options.unit != "characters" else counter.starts
    made = dict.fromkeys(sample.chosen, 1)
    if index.source.parsing_mode in ONE_DOCUMENT_A_BLOB:
        texts, _ = extract_texts(session.project.root, folder, sample.chosen)  # What cannot be read the build names
        cuts = cut(texts, options, starts).chunks
    else:
        entities = entity_texts(folder, sample.chosen, bodies)
        made = {path: len(several) for path, several in entities.items()}
        cuts = {path: cut_many(several, options, starts) for path, several in entities.items()}
    skills = chunk_embeddings(bodies)
    read = "documents" if index.source.parsing_mode in ONE_DOCUMENT_A_BLOB else "blobs"
    tokens = {path: len(skills) * sum(map(counter.count, chunks)) for path, chunks in cuts.items()}
    return Workload(
        basis="documents" if sample.whole else "sample",
        documents=scale(sample, made),
        chunks=scale(sample, {path: len(chunks) for path, chunks in cuts.items()}),
        tokens=scale(sample, tokens),
        cached=_cached(session, counter, sample.whole, cuts, skills),
        texts=scale(sample, {path: sum(len(text.encode()) for text in chunks) for path, chunks in cuts.items()}),
        note=_note(session, index, sample, read),
    )


def _note(session: Session, index: IndexDefinition, sample: Sampled, read: str) -> str:
    """What the figures rest on, beyond the documents themselves."""
    if not sample.whole:
        return f"{len(sample.chosen)} of {len(sample.sizes)} {read} were read"
    return _EMPTY_CACHE if index.source.cache and not session.project.environment.is_local else ""


def _cached(
    session: Session,
    counter: Tokenizer,
    whole: bool,
    cuts: Mapping[str, tuple[str, ...]],
    skills: tuple[Mapping[str, Any], ...],
) -> int | None:
    """Tokens that the local service answers from its cache; None elsewhere, since Azure has no such cache."""
    if not session.project.environment.is_local or not whole:
        return None
    texts = [text for chunks in cuts.values() for text in chunks]
    total = 0
    for skill in skills:
        model = local_model(skill.get("deploymentId"), skill.get("modelName"))
        known = cached_texts(session.project.root / DATA / "embeddings.sqlite", model, texts)
        total += sum(counter.count(text) for text in texts if text in known)
    return total


def _from_live(session: Session, index: IndexDefinition, bodies: Bodies, live: LiveState | None, why: str) -> Workload:
    """From a sample of live's chunks, in proportion to page length and overlap."""
    before = split_options(live.skillset) if live is not None else None
    after = split_options(bodies.skillset)
    if live is None or before is None or after is None:
        return Workload("unknown", note=why)
    count = session.service.count(live.index_name)
    changed = rescaled(count, before, after)
    text = index.evaluation.text
    if changed is None or text not in {str(f["name"]) for f in live.index["fields"]}:
        return Workload("unknown", note=f"{why}, and live was cut in another way")
    request = {"search": "*", "select": text, "top": LIVE_SAMPLE}  # In no order: an adopted key may not be sortable
    texts = [str(row.get(text) or "") for row in session.service.search(live.index_name, request)["value"]]
    if not texts:
        return Workload("unknown", note=f"{why}, and live is empty")
    chunks, grown = changed
    counter = tokenizer(EMBEDDING_ENCODING)
    tokens = sum(map(counter.count, texts)) / len(texts) * count * grown
    stored = sum(len(t.encode()) for t in texts) / len(texts) * count * grown
    note = f"{why}: from {len(texts)} chunks of live, in proportion to length and overlap"
    return Workload(
        "live index",
        documents=None,
        chunks=chunks,
        tokens=round(tokens * len(chunk_embeddings(bodies))),
        texts=round(stored),
        note=note,
    )
